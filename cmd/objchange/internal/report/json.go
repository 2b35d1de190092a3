package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

const formatVersion = "1.1"

// The types of the JSON format, which programs rely on: fields may be added,
// and then the version's second number grows.
type (
	jsonReport struct {
		FormatVersion string        `json:"format_version"`
		Command       string        `json:"command"`
		FailOn        FailOn        `json:"fail_on"`
		FailOnSkipped bool          `json:"fail_on_skipped"`
		Summary       summary       `json:"summary"`
		Subjects      []jsonSubject `json:"subjects"`
		Ignores       []Ignore      `json:"ignores,omitempty"`
		Notes         []string      `json:"notes,omitempty"`
		Error         string        `json:"error,omitempty"`
		Errors        []string      `json:"errors,omitempty"`
		Shard         string        `json:"shard,omitempty"`
	}
	// A jsonLine is the answer to a document of a stream.
	jsonLine struct {
		FormatVersion string `json:"format_version"`
		jsonSubject
		Notes []string `json:"notes,omitempty"`
		Error string   `json:"error,omitempty"`
	}
	jsonSubject struct {
		Group string `json:"group"`
		Name  string `json:"name"`
		jsonName
		Status   Status        `json:"status"`
		Reason   string        `json:"reason,omitempty"`
		Idle     bool          `json:"idle,omitempty"`
		Ignored  string        `json:"ignored,omitempty"`
		File     string        `json:"file,omitempty"`
		Line     int           `json:"line,omitempty"`
		Column   int           `json:"column,omitempty"`
		Pointer  string        `json:"pointer,omitempty"`
		Findings []jsonFinding `json:"findings"`
	}
	// A jsonName is the name in its parts, of which each command has its own.
	jsonName struct {
		RPC      string `json:"rpc,omitempty"`
		Document string `json:"document,omitempty"`
		Address  string `json:"address,omitempty"`
		Type     string `json:"type,omitempty"`
		Object   string `json:"object,omitempty"`
		Number   int    `json:"number,omitempty"`
		Step     string `json:"step,omitempty"`
		Action   string `json:"action,omitempty"`
	}
	jsonFinding struct {
		Rule     objchange.Rule   `json:"rule"`
		Path     string           `json:"path"`
		Inside   string           `json:"inside,omitempty"`
		Message  string           `json:"message"`
		Pointer  string           `json:"pointer,omitempty"`
		Phase    objchange.Phase  `json:"phase,omitempty"`
		Severity tfcheck.Severity `json:"severity"`
		Counts   bool             `json:"counts"`
		Ignored  string           `json:"ignored,omitempty"`
	}
)

func (r *Report) writeJSON(w io.Writer, o Options) error {
	doc := jsonReport{
		FormatVersion: formatVersion, Command: r.Command, FailOn: o.FailOn, FailOnSkipped: o.FailOnSkipped, Summary: o.sum,
		Subjects: []jsonSubject{}, Ignores: r.Ignores, Notes: r.Notes, Error: r.Error, Errors: r.Errors, Shard: r.Shard,
	}
	for _, s := range r.Subjects {
		doc.Subjects = append(doc.Subjects, s.json(r.Command, o.FailOn))
	}
	return write(w, doc, "  ")
}

// write writes JSON at once, of which a terminal acts on nothing.
func write(w io.Writer, doc any, indent string) error {
	text, err := words.JSON(doc, indent)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// WriteLine writes the only subject of the report, with its notes and its error, as
// a line of JSON.
func (r *Report) WriteLine(w io.Writer, o Options) error {
	r = r.valid()
	return write(w, jsonLine{formatVersion, r.Subjects[0].json(r.Command, o.FailOn), r.Notes, r.Error}, "")
}

func (s Subject) json(command string, on FailOn) jsonSubject {
	subject := jsonSubject{
		Group: s.Group, Name: s.name(), jsonName: s.named(command), Status: s.Status, Reason: s.Reason, Idle: s.Idle, Ignored: s.Ignored,
		File: words.Valid(s.Place.File), Line: s.Place.Line, Column: s.Place.Column,
		Pointer: s.Place.Pointer, Findings: []jsonFinding{},
	}
	for _, f := range s.Findings {
		subject.Findings = append(subject.Findings, jsonFinding{
			Rule: f.Rule, Path: f.Path, Inside: f.Inside, Message: f.Message, Pointer: f.Pointer, Phase: f.Phase,
			Severity: f.Severity, Counts: f.Counts(on), Ignored: f.Ignored,
		})
	}
	return subject
}

// columns are where the columns go, which depend on the command. That of an object
// is made of other fields.
func (n *jsonName) columns(command string) []*string {
	return map[string][]*string{
		"replay": {&n.RPC, &n.Type, new(string), &n.Action},
		"watch":  {&n.RPC, &n.Type, new(string), &n.Action},
		"check":  {&n.Document},
		"audit":  {&n.Address, &n.Action},
		"drive":  {&n.Type, &n.Step, &n.Action},
	}[command]
}

// named returns the columns by their names. A "-" says that there is none.
func (s Subject) named(command string) (n jsonName) {
	n.Object, n.Number = s.Object, s.Number
	for i, column := range n.columns(command) {
		if i < len(s.Columns) && s.Columns[i] != "-" {
			*column = s.Columns[i]
		}
	}
	return n
}

// cells returns the columns that named was given.
func (n jsonName) cells(command string) (cells []string) {
	for i, column := range n.columns(command) {
		if cells = append(cells, cmp.Or(*column, "-")); (command == "replay" || command == "watch") && i == objectColumn {
			cells[i] = ObjectName(n.Object, n.Number)
		}
	}
	return cells
}

// objectColumn is that of replay and watch which names the object.
const objectColumn = 2

// ObjectName returns what a subject's object is called in its columns: its id, in one
// line and not all of one that is very long, or else its number.
func ObjectName(id string, number int) string {
	const most = 60
	runes := []rune(id)
	switch {
	case id == "":
		return fmt.Sprintf("#%d", number)
	case len(runes) > most:
		return strconv.Quote(string(runes[:most])) + "…"
	}
	return strconv.Quote(id)
}
