package api

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange/cmd/internal/words"
)

const (
	// maxRequest is the maximum size of a request. Its answer takes up to three hundred times as much
	// memory, if the request is one list of small numbers. A browser may not provide more than two
	// gigabytes.
	maxRequest = 4 << 20
	// maxAnswer is the maximum size of all explained errors.
	maxAnswer = 32 << 20
)

// A request is a command with its input. A document is a JSON value, or a string with the text of
// documents. Text is the output of Terraform.
type request struct {
	Command  string         `json:"command"`
	Document jsontext.Value `json:"document"`
	Text     *string        `json:"text"`
}

// A command is a command that a request can name.
type command struct {
	name  string
	takes string // the field of the request that it needs
	run   func(*request) answer
}

var commands = []command{
	{"check", "document", (*request).check},
	{"propose", "document", (*request).propose},
	{"explain", "text", (*request).explain},
}

// A requestError is an error in the request, with the pointer to its place.
type requestError struct{ pointer, reason string }

func (e *requestError) Error() string { return e.reason }

func wrong(pointer, format string, args ...any) error {
	return &requestError{pointer, fmt.Sprintf(format, args...)}
}

// parse parses a request and finds its command. It allows duplicate names in objects, because the
// reader of documents reports them.
func parse(text []byte) (*request, command, error) {
	if len(text) > maxRequest {
		return nil, command{}, wrong("", "the request has %d bytes; the limit is %d", len(text), maxRequest)
	}
	var q request
	err := json.Unmarshal(text, &q, json.RejectUnknownMembers(true), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return nil, command{}, unreadable(text, err)
	}
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == q.Command })
	if i < 0 {
		return nil, command{}, wrong("/command", "unknown command %.60q: use %s", q.Command, names())
	}
	return &q, commands[i], q.fits(commands[i])
}

func names() string {
	var all []string
	for _, c := range commands {
		all = append(all, c.name)
	}
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}

// fits returns an error if a field is missing, or does not apply to the command.
func (q *request) fits(c command) error {
	given := map[string]bool{"document": q.Document != nil, "text": q.Text != nil}
	for _, name := range []string{"document", "text"} {
		switch {
		case given[name] && c.takes != name:
			return wrong("/"+name, "%s does not support %s", c.name, name)
		case c.takes == name && !given[name]:
			return wrong("/"+name, "%s needs a %s", c.name, name)
		}
	}
	return nil
}

// unreadable returns the error for a request that cannot be parsed. It shows nothing of the request
// but the names of its fields, because everything else may be sensitive.
func unreadable(text []byte, err error) error {
	syntactic, semantic := new(jsontext.SyntacticError), new(json.SemanticError)
	switch {
	case errors.As(err, &syntactic):
		return wrong("", "the request is not JSON, after byte %d in line %d",
			syntactic.ByteOffset, words.Line(text, syntactic.ByteOffset))
	case !errors.As(err, &semantic):
		return wrong("", "the request cannot be read")
	case errors.Is(err, json.ErrUnknownName):
		return wrong(string(semantic.JSONPointer), "unknown field of a request")
	case semantic.GoType == nil || semantic.JSONPointer == "":
		return wrong("", "the request is not an object")
	}
	return wrong(string(semantic.JSONPointer), "must be a string")
}

// text returns the text of a document.
func text(data jsontext.Value) (io.Reader, error) {
	if data.Kind() != '"' {
		return strings.NewReader(string(data)), nil
	}
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	return strings.NewReader(s), nil
}
