package document

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/pointer"
)

// MaxSize is the maximum size of a document.
const MaxSize = 16 << 20

var errTooLarge = files.TooLarge("the document", MaxSize)

// A Reader reads documents. It caches the files of schemas that they refer to.
type Reader struct {
	// Open opens a file of schemas by its path relative to the current folder.
	Open func(name string) (io.ReadCloser, error)

	files    map[string]schemaFile
	compiled map[*configschema.Block]*objchange.Schema // the schemas of those files that documents used
}

// A schemaFile reads a file of schemas once.
type schemaFile func() (*configschema.ProviderSchemas, error)

// Read returns the documents of a file one by one. A file has a document, an array of documents, or
// several of them one after the other. A document that cannot be used is an *Error, and the next
// one follows. An error in the JSON itself is the last result.
func (r *Reader) Read(file string, in io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		text := jsonpos.NewReader(jsonpos.PlainText(in))
		n := 0
		for {
			if kind := text.PeekKind(); kind == '[' && text.StackDepth() == 0 || kind == ']' {
				if _, err := text.ReadToken(); err != nil {
					yield(nil, syntax(report.Place{File: file}, text.Error(err)))
					return
				}
				continue
			}
			place := report.Place{File: file, Pointer: string(text.StackPointer())}
			if text.StackDepth() > 0 {
				_, i := text.StackIndex(text.StackDepth())
				place.Pointer = fmt.Sprintf("/%d", i)
			}
			value, at, err := text.Value(MaxSize, errTooLarge)
			switch {
			case err == io.EOF && text.StackDepth() == 0:
				if n == 0 {
					yield(nil, &Error{Place: place, Reason: "it contains no document"})
				}
				return
			case err != nil:
				yield(nil, syntax(place, text.Error(err)))
				return
			}
			n++
			if !yield(r.document(place, n, value, at)) {
				return
			}
		}
	}
}

// syntax returns the error for invalid JSON in a document.
func syntax(place report.Place, err error) *Error {
	unusable := &Error{Place: place, Reason: err.Error()}
	if at := new(jsonpos.Error); errors.As(err, &at) {
		unusable.Place.Line = at.Line
		if at.Err == jsonpos.ErrEmpty {
			unusable.Reason = "the JSON ends too early"
		}
		if at.DuplicateName {
			unusable.Place.Pointer = shownPointer(place.Pointer, at.Pointer)
		}
	}
	return unusable
}

// shownPointer returns the pointer to an object in a document in the form to show it. A pointer
// into the schema is complete. A pointer into a value ends at the attribute or block, because keys
// of maps may be sensitive.
func shownPointer(document string, object jsontext.Pointer) string {
	tokens := slices.Collect(jsontext.Pointer(strings.TrimPrefix(string(object), document)).Tokens())
	if len(tokens) > 2 && tokens[0] != "schema" {
		tokens = tokens[:2]
	}
	if len(tokens) > 1 && strings.HasPrefix(tokens[1], "$") {
		tokens = tokens[:1]
	}
	return document + pointer.New(tokens...)
}
