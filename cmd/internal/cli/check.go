package cli

import (
	"bytes"
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/report"
)

// A printing is the value of --print. It selects what check prints instead of findings.
type printing string

const (
	printFindings printing = ""
	printProposed printing = "proposed"
	printChanges  printing = "changes"
)

func newCheckCommand(a *app) *cobra.Command {
	stream, print := false, printFindings
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
  objchange check --print changes cmd/objchange/testdata/example/server.json
  tr -d '\n' < cmd/objchange/testdata/example/server.json | objchange check --stream -`,
		Args:              wantArgs(cobra.MinimumNArgs(1), "at least one FILE"),
		ValidArgsFunction: completeJSON,
		RunE: func(cmd *cobra.Command, files []string) error {
			if print != printFindings {
				if err := onlyWith(cmd.Flags(), "print", "format", "output"); err != nil {
					return err
				}
			}
			return a.endable(func() error {
				switch {
				case stream:
					return a.checkStream(files)
				case print != printFindings:
					return a.printDocuments(files, print)
				}
				return a.check(files)
			})
		},
	}
	cmd.Flags().BoolVar(&stream, "stream", false, "read one document per line, and print one line of JSON for each")
	choose(cmd, &print, "print", "print the proposed new state or the changes instead of findings", printProposed, printChanges)
	a.findingFlags(cmd)
	return cmd
}

func (a *app) check(files []string) error {
	r := &report.Report{Command: "check"}
	var docs document.Reader
	var unusable report.Failures
	for _, file := range files {
		document.Check(r, file, a.documents(file, docs.Read), unusable.Add)
	}
	return a.finish(r, reported(unusable))
}

// printDocuments prints the changes or the proposed state of each document. It returns the first
// error of a document after it has printed the others.
func (a *app) printDocuments(files []string, what printing) error {
	if a.format != report.Text && a.format != report.JSON {
		return misused("--print does not support --format %s", a.format)
	}
	a.reportWritten = true // errors must not be mixed with the output
	var docs document.Reader
	var failed report.Failures
	err := a.printed(func(out io.Writer) error {
		for _, file := range files {
			for d, err := range a.documents(file, docs.Read) {
				var text []byte
				if err == nil {
					text, err = a.textOf(d, what)
				}
				if err != nil {
					failed.Add(err)
				} else if _, err := out.Write(text); err != nil {
					return err
				}
			}
		}
		return a.ending.ended()
	})
	return cmp.Or(err, failed.Err())
}

// textOf returns the output for the document.
func (a *app) textOf(d *document.Document, what printing) ([]byte, error) {
	switch {
	case what == printProposed:
		return document.Propose(d)
	case a.format == report.JSON:
		return document.Diff(d)
	}
	var text bytes.Buffer
	err := document.WriteDiff(&text, a.term, d)
	return text.Bytes(), err
}
