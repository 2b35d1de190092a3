// Package jsontext reads JSON documents.
package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Parse decodes one JSON value. Numbers become json.Number.
func Parse(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, invalidJSON(err)
	}
	end := d.InputOffset()
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("invalid JSON: more data after the document, which ends at byte %d", end)
	}
	return v, nil
}

// invalidJSON returns an error without terms of Go.
func invalidJSON(err error) error {
	var syntax *json.SyntaxError
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return errors.New("invalid JSON: the document ends too early")
	case errors.As(err, &syntax):
		return fmt.Errorf("invalid JSON: %w, at byte %d", err, syntax.Offset)
	}
	return fmt.Errorf("invalid JSON: %w", err)
}

// Twice replaces the value of a name that occurs more than once in an object.
type Twice struct{}

// ParseMarked is like Parse, but replaces the value of each duplicate name by Twice. Parse returns
// the last value. If there are no duplicates, ParseMarked reads the document once and counts its
// names.
func ParseMarked(data []byte) (any, error) {
	v, err := Parse(data)
	if err != nil || members(v) == colons(data) {
		return v, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return marked(d)
}

// members returns the number of members of all objects in v.
func members(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		n = len(v)
		for _, elem := range v {
			n += members(elem)
		}
	case []any:
		for _, elem := range v {
			n += members(elem)
		}
	}
	return n
}

// colons returns the number of colons outside of strings in a valid document.
func colons(data []byte) (n int) {
	inString := false
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			inString = !inString
		case '\\':
			i++ // only strings contain backslashes
		case ':':
			if !inString {
				n++
			}
		}
	}
	return n
}

// marked reads the next value of a valid document.
func marked(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		elems := []any{}
		for d.More() {
			elem, err := marked(d)
			if err != nil {
				return nil, err
			}
			elems = append(elems, elem)
		}
		_, err = d.Token()
		return elems, err
	case json.Delim('{'):
		entries := map[string]any{}
		for d.More() {
			token, err := d.Token()
			if err != nil {
				return nil, err
			}
			name := token.(string)
			_, twice := entries[name]
			if entries[name], err = marked(d); err != nil {
				return nil, err
			}
			if twice {
				entries[name] = Twice{}
			}
		}
		_, err = d.Token()
		return entries, err
	}
	return token, nil
}
