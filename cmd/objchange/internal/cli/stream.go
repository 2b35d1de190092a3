package cli

import (
	"errors"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// checkStream judges documents of a line each, and answers each with a line. It
// keeps nothing of them.
func (a *app) checkStream(files []string) error {
	if a.format != report.Text && a.format != report.JSON {
		return misused("--stream prints lines of JSON, and no %s", a.format)
	}
	a.told = true // errors have lines of their own
	var docs document.Reader
	var unusable failures
	judged, wrong := false, false
	for _, file := range files {
		for d, err := range a.documents(file, docs.Lines) {
			judged = true
			r := &report.Report{Command: "check"}
			if err != nil {
				unusable.add(err)
				r.Subjects, r.Error = []report.Subject{document.Unused(file, err)}, err.Error()
			} else {
				addDocument(r, d)
			}
			a.ignores.Apply(r)
			wrong = wrong || r.Wrong(a.options())
			if err := r.WriteLine(a.out, a.options()); err != nil {
				return err
			}
		}
	}
	switch {
	case !judged:
		return errors.New("there is no document")
	case unusable.first == nil && wrong:
		return errFindings
	}
	return unusable.err()
}
