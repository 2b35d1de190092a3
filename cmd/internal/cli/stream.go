package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
)

// checkStream checks documents with one per line, and prints a line for each.
func (a *app) checkStream(files []string) error {
	switch {
	case a.format != report.Text && a.format != report.JSON:
		return misused("--stream prints lines of JSON and does not support --format %s", a.format)
	case a.writeBaseline != "":
		return misused("--stream does not keep findings, so --write-baseline cannot be used")
	}
	a.reportWritten = true // each error is in the line of its document
	var found error
	failed := a.printed(func(out io.Writer) (failed error) {
		found, failed = a.answerLines(files, out)
		return failed
	})
	return cmp.Or(failed, found)
}

// answerLines writes the results and does not keep documents. It returns errors of writing
// separately from the result of the checks.
func (a *app) answerLines(files []string, out io.Writer) (found, failed error) {
	var docs document.Reader
	var unusable report.Failures
	checked, unchecked, wrong := false, true, false
	for _, file := range files {
		for d, err := range a.documents(file, docs.Lines) {
			checked = true
			r := &report.Report{Command: "check"}
			if err != nil {
				unusable.Add(err)
				r.Subjects, r.Error = []report.Subject{document.Unused(file, err)}, err.Error()
			} else {
				document.Add(r, d)
			}
			a.ignores.Apply(r)
			wrong, unchecked = wrong || r.Wrong(a.options()), unchecked && r.Unchecked()
			if err := r.WriteLine(out, a.options()); err != nil {
				return nil, err
			}
		}
	}
	if err := a.ending.ended(); err != nil {
		return nil, err
	}
	a.printUnused()
	switch {
	case !checked:
		return errors.New("the input has no document"), nil
	case unusable.First == nil && unchecked:
		return report.ErrUnchecked, nil
	case unusable.First == nil && wrong:
		return errFindings, nil
	}
	return unusable.Err(), nil
}

// printUnused prints notes about unused entries, which are known only at the end.
func (a *app) printUnused() {
	r := report.Report{Ignores: a.ignores.Uses()}
	for _, note := range r.IgnoreNotes() {
		fmt.Fprintf(a.errOut, "objchange: %s\n", words.Printable(note, ""))
	}
}
