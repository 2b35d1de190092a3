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
