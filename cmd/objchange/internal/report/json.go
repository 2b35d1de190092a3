package report

import (
	"io"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// The types of the JSON format, which programs rely on: fields may be added,
// and then the version's second number grows.
type (
	jsonReport struct {
		FormatVersion string        `json:"format_version"`
		Command       string        `json:"command"`
		Strict        bool          `json:"strict"`
		Summary       summary       `json:"summary"`
		Subjects      []jsonSubject `json:"subjects"`
		Notes         []string      `json:"notes,omitempty"`
		Error         string        `json:"error,omitempty"`
	}
	jsonSubject struct {
		Group string `json:"group"`
		Name  string `json:"name"`
		jsonName
		Status   Status        `json:"status"`
		Reason   string        `json:"reason,omitempty"`
		File     string        `json:"file,omitempty"`
		Line     int           `json:"line,omitempty"`
		Pointer  string        `json:"pointer,omitempty"`
		Findings []jsonFinding `json:"findings"`
	}
	// A jsonName is the name in its parts, of which each command has its own.
	jsonName struct {
		RPC      string `json:"rpc,omitempty"`
		Document string `json:"document,omitempty"`
		Address  string `json:"address,omitempty"`
		Type     string `json:"type,omitempty"`
		Step     string `json:"step,omitempty"`
		Action   string `json:"action,omitempty"`
	}
	jsonFinding struct {
		Rule     objchange.Rule  `json:"rule"`
		Path     string          `json:"path"`
		Inside   string          `json:"inside,omitempty"`
		Message  string          `json:"message"`
		Phase    objchange.Phase `json:"phase,omitempty"`
		Enforced bool            `json:"enforced"`
		Excused  bool            `json:"excused"`
		Counts   bool            `json:"counts"`
	}
)

func (r *Report) writeJSON(w io.Writer, o Options) error {
	doc := jsonReport{
		FormatVersion: "1.1", Command: r.Command, Strict: o.Strict, Summary: r.summary(o.Strict),
		Subjects: []jsonSubject{}, Notes: r.Notes, Error: r.Error,
	}
	for _, s := range r.Subjects {
		subject := jsonSubject{
			Group: s.Group, Name: s.name(), jsonName: s.named(r.Command), Status: s.Status, Reason: s.Reason,
			File: words.Valid(s.Place.File), Line: s.Place.Line, Pointer: s.Place.Pointer, Findings: []jsonFinding{},
		}
		for _, f := range s.Findings {
			subject.Findings = append(subject.Findings, jsonFinding{
				Rule: f.Rule, Path: f.Path, Inside: f.Inside, Message: f.Message, Phase: f.Phase,
				Enforced: f.Enforced, Excused: f.Excused, Counts: f.Counts(o.Strict),
			})
		}
		doc.Subjects = append(doc.Subjects, subject)
	}
	return write(w, doc)
}

// write writes JSON, of which a terminal acts on nothing.
func write(w io.Writer, doc any) error {
	text, err := words.JSON(doc, "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// named returns the columns by their names, which depend on the command. A "-"
// says that there is none.
func (s Subject) named(command string) (n jsonName) {
	columns := map[string][]*string{
		"replay":   {&n.RPC, &n.Type, &n.Action},
		"check":    {&n.Document},
		"audit":    {&n.Address, &n.Action},
		"provider": {&n.Type, &n.Step, &n.Action},
	}[command]
	for i, column := range columns {
		if i < len(s.Columns) && s.Columns[i] != "-" {
			*column = s.Columns[i]
		}
	}
	return n
}
