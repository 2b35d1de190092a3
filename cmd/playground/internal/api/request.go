package api

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
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

// A request is a command with its input. Documents and files are JSON values, or strings with their
// text. Text is the output of Terraform.
type request struct {
	Command  string                    `json:"command"`
	Document jsontext.Value            `json:"document"`
	File     string                    `json:"file"`
	Files    map[string]jsontext.Value `json:"files"`
	FailOn   string                    `json:"fail_on"`
	Rule     string                    `json:"rule"`
	Text     *string                   `json:"text"`
}

// A command is a command that a request can name.
type command struct {
	name  string
	takes []string // fields of the request
	run   func(*request) answer
}

var commands = []command{
	{"check", []string{"document", "file", "files", "fail_on"}, (*request).check},
	{"propose", []string{"document", "file", "files"}, (*request).propose},
	{"rules", []string{"rule"}, (*request).rules},
	{"explain", []string{"text"}, (*request).explain},
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
	given := map[string]bool{
		"document": q.Document != nil, "file": q.File != "", "files": q.Files != nil, "fail_on": q.FailOn != "", "rule": q.Rule != "",
		"text": q.Text != nil,
	}
	for _, name := range []string{"document", "file", "files", "fail_on", "rule", "text"} {
		takes := slices.Contains(c.takes, name)
		switch {
		case given[name] && !takes:
			return wrong("/"+name, "%s does not support %s", c.name, name)
		case slices.Contains([]string{"document", "text"}, name) && takes && !given[name]:
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
	return wrong(string(semantic.JSONPointer), "must be %s", wanted[semantic.GoType.Kind()])
}

var wanted = map[reflect.Kind]string{reflect.String: "a string", reflect.Bool: "true or false", reflect.Map: "an object"}

// text returns the text of a document or a file.
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

// open opens a file of the request. There are no other files.
func (q *request) open(name string) (io.ReadCloser, error) {
	data, ok := q.Files[filepath.ToSlash(name)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("the request does not contain the file")}
	}
	in, err := text(data)
	return io.NopCloser(in), err
}
