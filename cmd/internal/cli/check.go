package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/cmd/internal/report"
)

func newCheckCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check values of a resource that are written as JSON documents",
		Long: `Check the values of a resource instance in JSON documents: prior state, configuration,
plan, and the new state after apply. A document has this form:

  {"schema": {"file": "schemas.json", "type": "time_static"}, "prior": null,
   "config": {"triggers": {"label": "first"}},
   "initial_planned": {"id": {"$unknown": true}, ...},
   "new": {"id": "2026-11-21T06:55:46Z", ...}}

A FILE contains one or more documents of at most 16 MB each. Pass - for standard input.
"objchange help schema document" prints the JSON Schema of documents.

` + exitStatus + `
Details: ` + documentation + "command.md",
		Example: `  objchange check cmd/objchange/testdata/example/static.json
  objchange replay --documents testdata/recordings/time/4-replace | objchange check -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			return a.check(files)
		},
	}
	a.findingFlags(cmd)
	return cmd
}

func (a *app) check(names []string) error {
	r := &report.Report{Command: "check"}
	docs := document.Reader{Open: a.openSchemas}
	var unusable []error
	for _, name := range names {
		in, err := a.open(name)
		if err != nil {
			unusable = append(unusable, err)
			r.Subjects = append(r.Subjects, document.Unused(name, err))
			continue
		}
		unusable = append(unusable, document.Check(r, name, docs.Read(name, in))...)
		_ = in.Close() // it was only read
	}
	return a.finish(r, errors.Join(unusable...))
}

// openSchemas opens a file of schemas to which a document refers.
func (a *app) openSchemas(name string) (io.ReadCloser, error) {
	if err := a.notOutput(name); err != nil {
		return nil, err
	}
	return files.Regular(name)
}
