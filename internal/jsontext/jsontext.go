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
// the last value.
func ParseMarked(data []byte) (any, error) {
	if _, err := Parse(data); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return marked(d)
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
