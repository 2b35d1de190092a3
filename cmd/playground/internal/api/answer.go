// Package api answers requests of the playground, which runs objchange as WebAssembly, with the
// functions of the commands. It uses no processes, files or network.
package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"strings"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/explain"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
)

// maxText is the maximum size of a text. Its answer takes up to three hundred times as much memory,
// if the text is one list of small numbers. A browser may not provide more than two gigabytes.
const maxText = 4 << 20

// An answer has the output of a command as JSON, or says why the text cannot be used. The answer to
// check may have both.
type answer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Errors []failure       `json:"errors,omitempty"`
}

// A failure is the error for a text that cannot be used, or for a panic.
type failure struct {
	Message  string    `json:"message"`
	Line     int       `json:"line,omitempty"`
	Pointer  string    `json:"pointer,omitempty"`
	Problems []problem `json:"problems,omitempty"`
}

// A problem is a problem inside a document.
type problem struct {
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

// Answer returns the answer to a command as JSON. The commands "check" and "propose" take the text
// of documents. The command "explain" takes the output of Terraform.
func Answer(command, text string) []byte {
	answer, err := words.JSON(guarded(func() answer { return answerTo(command, text) }), "")
	if err != nil {
		panic(err) // these types can always be encoded
	}
	return answer
}

// guarded turns a panic into an answer. It prints the stack, and no values, which may be secret.
func guarded(do func() answer) (a answer) {
	defer func() {
		if recover() != nil {
			debug.PrintStack()
			const bug = "a bug in objchange: please report it with the stack in the browser's console"
			a = answer{Errors: []failure{{Message: bug}}}
		}
	}()
	return do()
}

func answerTo(command, text string) (a answer) {
	var err error
	switch {
	case len(text) > maxText:
		err = fmt.Errorf("the text has %d bytes; the limit is %d", len(text), maxText)
	case command == "check":
		a, err = check(text)
	case command == "propose":
		a.Result, err = propose(text)
	case command == "explain":
		a.Result, err = explain.JSON(explain.Find(text))
	default:
		err = fmt.Errorf("unknown command %.20q", command)
	}
	if err != nil {
		return answer{Errors: []failure{failureOf(err)}}
	}
	return a
}

func failureOf(err error) failure {
	inside := new(document.Error)
	if !errors.As(err, &inside) {
		return failure{Message: words.Valid(err.Error())}
	}
	f := failure{Message: words.Valid(inside.Reason), Line: inside.Place.Line, Pointer: inside.Place.Pointer}
	for _, p := range inside.Problems {
		f.Problems = append(f.Problems, problem{f.Pointer + p.Pointer, p.Reason})
	}
	return f
}

// file is the name of the document in answers.
const file = "document"

// reader returns a reader of documents that opens no files.
func reader() *document.Reader {
	return &document.Reader{Open: func(name string) (io.ReadCloser, error) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("the playground reads no files")}
	}}
}

func check(text string) (a answer, err error) {
	r := &report.Report{Command: "check"}
	unusable := document.Check(r, file, reader().Read(file, strings.NewReader(text)))
	for _, err := range unusable {
		a.Errors = append(a.Errors, failureOf(err))
	}
	r.Fail(errors.Join(unusable...))
	var result bytes.Buffer
	if err := r.Write(&result, report.JSON, report.Options{}); err != nil {
		return a, err
	}
	a.Result = result.Bytes()
	return a, nil
}

// propose returns the proposed new state of the only document.
func propose(text string) (json.RawMessage, error) {
	var found *document.Document
	for d, err := range reader().Read(file, strings.NewReader(text)) {
		switch {
		case err != nil:
			return nil, err
		case found != nil:
			return nil, errors.New("the proposed new state needs exactly one document")
		}
		found = d
	}
	return document.Propose(found)
}
