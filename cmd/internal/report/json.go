package report

import (
	"io"

	"github.com/objchange/objchange/cmd/internal/words"
)

const formatVersion = "1.0"

// A jsonReport defines the JSON format. It is stable for programs. A new field increases the second
// number of the version.
type jsonReport struct {
	FormatVersion string  `json:"format_version"`
	Command       string  `json:"command"`
	FailOn        FailOn  `json:"fail_on"`
	FailOnSkipped bool    `json:"fail_on_skipped"`
	Summary       summary `json:"summary"`
	*Report
}

func (r *Report) writeJSON(w io.Writer, o Options) error {
	return write(w, jsonReport{formatVersion, r.Command, o.FailOn, o.FailOnSkipped, o.sum, r}, "  ")
}

// write writes JSON in one call, with characters escaped that control a terminal.
func write(w io.Writer, doc any, indent string) error {
	text, err := words.JSON(doc, indent)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
