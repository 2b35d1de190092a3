package api

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/words"
)

// An UnpackedWriter writes exchanges with their documents as a JSON array, one exchange per line.
type UnpackedWriter struct {
	to   io.Writer
	more bool
}

// NewUnpackedWriter returns an UnpackedWriter for the output.
func NewUnpackedWriter(to io.Writer) *UnpackedWriter { return &UnpackedWriter{to: to} }

// Add writes an exchange.
func (w *UnpackedWriter) Add(x exchanges.Exchange) error {
	text, err := words.JSON(x, "")
	if err != nil {
		return err
	}
	before := "[\n"
	if w.more {
		before = ",\n"
	}
	w.more = true
	_, err = io.WriteString(w.to, before+string(bytes.TrimSuffix(text, []byte("\n"))))
	return err
}

// Close ends the array.
func (w *UnpackedWriter) Close() error {
	end := "\n]\n"
	if !w.more {
		end = "[]\n"
	}
	_, err := io.WriteString(w.to, end)
	return err
}

func (q *request) unpack() answer {
	recorded, err := exchanges.NewPartReader(strings.NewReader(q.Recording))
	if err != nil {
		return refused(err)
	}
	var a answer
	var result bytes.Buffer
	to := NewUnpackedWriter(&result)
	for x, err := range exchanges.Documents(recorded, maxMessages) {
		if result.Len()+len(x.Document) > maxAnswer {
			a.errors = append(a.errors, failure{Kind: ofRequest, Pointer: "/recording", Line: x.Line,
				Message: fmt.Sprintf("the answer would exceed %d bytes from here on: pass a recording with fewer requests", maxAnswer)})
			break
		}
		if err == nil {
			err = to.Add(x)
		}
		if err != nil {
			a.errors = append(a.errors, failureOf(err))
		}
	}
	if err := to.Close(); err != nil {
		return refused(err)
	}
	a.result = result.Bytes()
	if a.errors != nil {
		a.status = unusable
	}
	return a
}
