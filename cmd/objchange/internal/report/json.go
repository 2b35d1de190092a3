package report

import (
	"io"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

const formatVersion = "1.0"

// The types of the JSON format, which programs rely on: fields may be added, and then the
// version's second number grows.
type (
	jsonReport struct {
		FormatVersion string  `json:"format_version"`
		Command       string  `json:"command"`
		FailOn        FailOn  `json:"fail_on"`
		FailOnSkipped bool    `json:"fail_on_skipped"`
		Summary       summary `json:"summary"`
		*Report
	}
	// A jsonLine is the answer to a document of a stream.
	jsonLine struct {
		FormatVersion string `json:"format_version"`
		Subject
		Notes []string `json:"notes,omitempty"`
		Error string   `json:"error,omitempty"`
	}
)

func (r *Report) writeJSON(w io.Writer, o Options) error {
	return write(w, jsonReport{formatVersion, r.Command, o.FailOn, o.FailOnSkipped, o.sum, r.validFiles()}, "  ")
}

// validFiles returns the report with names of files in UTF-8, too.
func (r *Report) validFiles() *Report {
	valid := *r
	valid.Subjects = append([]Subject{}, r.Subjects...) // never null
	for i := range valid.Subjects {
		s := &valid.Subjects[i]
		s.File = words.Valid(s.File)
		for i := range s.Findings { // which are a copy, as the subjects are
			s.Findings[i].File = words.Valid(s.Findings[i].File)
		}
	}
	return &valid
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
	r = r.prepared(o, words.Valid).validFiles()
	return write(w, jsonLine{formatVersion, r.Subjects[0], r.Notes, r.Error}, "")
}
