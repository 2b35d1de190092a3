package jsonpos_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange/internal/jsonpos"
)

// TestErrorsHavePositionAndNoStrings checks that an error has the position of the problem and shows no strings.
func TestErrorsHavePositionAndNoStrings(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "1:1 : it is empty",
		" \n [":                         "2:3 : the JSON ends too early",
		"{\"a\": \"cut\n":               "1:11 /a: the JSON ends too early",
		"{\"ü\": {\"a\": 1, \"a\": 2}}": "1:16 /ü: the JSON has a name twice in one object",
		"[\n\"ü\", nul]":                "2:9 /1: not JSON: invalid character ']' in literal null (expecting 'l')",
		`["\ud800secret"]`:              "1:3 /0: not JSON: broken escape in a string, after byte 2",
	} {
		for name, in := range map[string]io.Reader{"at once": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text))} {
			at := new(jsonpos.Error)
			if err := jsonpos.NewReader(in).Skip(); !errors.As(err, &at) {
				t.Fatalf("%q: %v", text, err)
			}
			if got := fmt.Sprintf("%d:%d %s: %s", at.Line, at.Column, at.Pointer, at.Reason); got != want {
				t.Errorf("%q, %s: %s, want %s", text, name, got, want)
			}
		}
	}
	at, gone := new(jsonpos.Error), errors.New("gone")
	if err := jsonpos.NewReader(iotest.ErrReader(gone)).Skip(); !errors.As(err, &at) || at.Err != gone {
		t.Errorf("invalid JSON: %v", err)
	}
}

// TestOfReturnsNearestParent checks that Of finds a value by its pointer. If the value is absent, Of returns
// its nearest parent.
func TestOfReturnsNearestParent(t *testing.T) {
	const text = "{\"ü/~\": [null, {\n \"a\" :\n  7, \"b\": {\"c\": {}}}],\n\"ü\": 1}"
	want := map[jsontext.Pointer]string{
		"": "3:5", "/ü~1~0": "3:13", "/ü~1~0/0": "3:14", "/ü~1~0/1": "3:20", "/ü~1~0/1/a": "5:3", "/ü~1~0/1/b": "5:11",
		"/ü": "6:6", "/ü/b": "6:6", "/none/at/all": "3:5", "/ü~1~0/2/a": "3:13", "/ü~1~0/1/b/c/d": "5:17", "/ü~1~0/0/a": "3:14",
	}
	found := jsonpos.Position{Line: 3, Column: 5}.Of([]byte(text), slices.Collect(maps.Keys(want)))
	for pointer, want := range want {
		if at := found[pointer]; fmt.Sprintf("%d:%d", at.Line, at.Column) != want {
			t.Errorf("%s is at %v, want %s", pointer, at, want)
		}
	}
}

// TestValuesHaveTextAndPosition checks the text and position of values for several ways of reading the text.
func TestValuesHaveTextAndPosition(t *testing.T) {
	const text = "[1,\n  {\"ü\": 2}, \"ü\"\n]\n\n\"x\""
	for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.HalfReader(strings.NewReader(text))} {
		r := jsonpos.NewReader(in)
		var got []string
		value := func() error {
			text, at, err := r.Value(20, io.ErrShortBuffer)
			got = append(got, fmt.Sprintf("%s at %d:%d", text, at.Line, at.Column))
			return err
		}
		if err := errors.Join(r.Elements(func(int) error { return value() }), value()); err != nil {
			t.Fatal(err)
		}
		if want := `[1 at 1:2 {"ü": 2} at 2:3 "ü" at 2:13 "x" at 5:1]`; fmt.Sprint(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	r := jsonpos.NewReader(strings.NewReader(`["` + strings.Repeat("x", 1000000)))
	if _, _, err := r.Value(20, io.ErrShortBuffer); !errors.Is(err, io.ErrShortBuffer) {
		t.Errorf("a value that is too large: %v", err)
	}
}
