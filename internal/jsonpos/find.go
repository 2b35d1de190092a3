package jsonpos

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Of returns the positions of the values at the pointers, in a valid text that begins at p. If a
// pointer leads to no value, Of returns the position of its nearest parent. Of reads the text once.
func (p Position) Of(text []byte, pointers []jsontext.Pointer) map[jsontext.Pointer]Position {
	f := finder{NewReader(bytes.NewReader(text), Lenient), map[jsontext.Pointer]Position{}}
	f.text.at = p
	for _, pointer := range pointers {
		for ; pointer != ""; pointer = pointer.Parent() {
			f.found[pointer] = Position{}
		}
	}
	f.found[""] = Position{}
	_ = f.value("")
	for _, pointer := range pointers {
		at := pointer
		for f.found[at] == (Position{}) && at != "" {
			at = at.Parent()
		}
		f.found[pointer] = f.found[at]
	}
	return f.found
}

// A finder reads a text and records the positions of the values in found.
type finder struct {
	*Reader
	found map[jsontext.Pointer]Position
}

// value reads the value at the pointer. It returns no errors, because the text is valid.
func (f finder) value(pointer jsontext.Pointer) error {
	_, wanted := f.found[pointer]
	kind := f.PeekKind()
	if wanted {
		_, f.found[pointer] = f.Next()
	}
	switch {
	case wanted && kind == '{':
		return f.Members(func(name string) error { return f.value(pointer.AppendToken(name)) })
	case wanted && kind == '[':
		return f.Elements(func(i int) error { return f.value(pointer.AppendToken(strconv.Itoa(i))) })
	}
	return f.Skip()
}
