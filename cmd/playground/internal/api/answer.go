// Package api answers requests in JSON with the functions of the commands. It is for the playground,
// which runs objchange as WebAssembly. It uses no processes, files or network.
//
// A request has a command and its input: see request. An answer has the exit status of the command
// in "status", and its output as JSON in "result". If the input cannot be used, the answer has
// "errors": see failure.
package api

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"runtime/debug"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/explain"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/internal/words"
)

// An answer is the result of a request.
type answer struct {
	status int    // the exit status of the command
	result []byte // the output of the command as JSON
	rules  []byte // the broken rules, from check
	errors []failure
}

// These are the exit statuses of the command.
const (
	clean    = 0
	findings = 1
	unusable = 2
)

// A failure is the error for an input that cannot be used, or for a panic.
type failure struct {
	Kind     kind      `json:"kind"`
	Message  string    `json:"message"`
	File     string    `json:"file,omitempty"`
	Line     int       `json:"line,omitempty"`
	Pointer  string    `json:"pointer,omitempty"`
	Problems []problem `json:"problems,omitempty"`
	Stack    string    `json:"stack,omitempty"`
}

// A problem is a problem inside a document.
type problem struct {
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

// A kind is the kind of a failure.
type kind string

const (
	ofRequest  kind = "request"
	ofDocument kind = "document"
	mistake    kind = "mistake" // a bug in objchange
)

// Answer returns the answer to a request. The answer is JSON for any request.
func Answer(request []byte) []byte { return guarded(func() answer { return answerTo(request) }) }

// guarded turns a panic into an answer. The answer has the stack, and no values, which may be
// secret.
func guarded(do func() answer) (text []byte) {
	defer func() {
		if recover() != nil {
			text = failed(failure{Kind: mistake, Message: "a bug in objchange: please report it with the stack", Stack: string(debug.Stack())}).json()
		}
	}()
	return do().json()
}

func answerTo(text []byte) answer {
	q, c, err := parse(text)
	if err != nil {
		return refused(err)
	}
	return c.run(q)
}

func failed(f failure) answer { return answer{status: unusable, errors: []failure{f}} }

// refused returns the answer for an error.
func refused(err error) answer { return failed(failureOf(err)) }

func failureOf(err error) failure {
	f := failure{Kind: ofDocument, Message: words.Valid(err.Error())}
	ofWhole, inside := new(requestError), new(document.Error)
	switch {
	case errors.As(err, &ofWhole):
		f.Kind, f.Pointer = ofRequest, ofWhole.pointer
	case errors.As(err, &inside):
		f.Message, f.File, f.Line, f.Pointer = words.Valid(inside.Reason), inside.Place.File, inside.Place.Line, inside.Place.Pointer
		for _, p := range inside.Problems {
			f.Problems = append(f.Problems, problem{f.Pointer + p.Pointer, p.Reason})
		}
	}
	return f
}

// file is the name of the document in answers.
const file = "document"

// documents returns the text of the document, and a reader for it, which opens no files.
func (q *request) documents() (in io.Reader, docs *document.Reader, err error) {
	in, err = text(q.Document)
	return in, &document.Reader{Open: func(name string) (io.ReadCloser, error) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("the playground reads no files")}
	}}, err
}

func (q *request) check() answer {
	in, docs, err := q.documents()
	if err != nil {
		return refused(err)
	}
	options := report.Options{FailOn: report.FailOnCore}
	r := &report.Report{Command: "check"}
	var a answer
	var all report.Failures
	document.Check(r, file, docs.Read(file, in), func(err error) {
		all.Add(err)
		a.errors = append(a.errors, failureOf(err))
	})
	r.Fail(all)
	if a.errors == nil && r.Unchecked() {
		r.Error = report.ErrUnchecked.Error()
	}
	var result bytes.Buffer
	if err := r.Write(&result, report.JSON, options); err != nil {
		return refused(err)
	}
	a.result = result.Bytes()
	if a.rules, err = rulebook.JSON(broken(r)...); err != nil {
		return refused(err)
	}
	switch {
	case r.Error != "":
		a.status = unusable
	case r.Wrong(options):
		a.status = findings
	}
	return a
}

// broken returns the broken rules, in the order of the rules reference.
func broken(r *report.Report) (entries []rulebook.Entry) {
	found := map[objchange.Rule]bool{}
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			found[f.Rule] = true
		}
	}
	for _, e := range rulebook.Entries() {
		if found[e.Rule] {
			entries = append(entries, e)
		}
	}
	return entries
}

// one returns the only document of the request.
func (q *request) one() (found *document.Document, err error) {
	in, docs, err := q.documents()
	if err != nil {
		return nil, err
	}
	for d, err := range docs.Read(file, in) {
		switch {
		case err != nil:
			return nil, err
		case found != nil:
			return nil, wrong("/document", "%s needs exactly one document, but got several", q.Command)
		}
		found = d
	}
	return found, nil
}

func (q *request) propose() answer {
	d, err := q.one()
	if err != nil {
		return refused(err)
	}
	result, err := document.Propose(d)
	if err != nil {
		return refused(err)
	}
	return answer{result: result}
}

func (q *request) explain() answer {
	result, err := explain.JSON(explain.Find(*q.Text))
	if err != nil {
		return refused(err)
	}
	if len(result) > maxAnswer {
		return refused(wrong("/text", "the answer would have more than %d bytes: pass a shorter text", maxAnswer))
	}
	return answer{result: result}
}
