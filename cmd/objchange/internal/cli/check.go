package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

func newCheckCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Judge runs that are written as JSON documents",
		Long: `Check judges runs with a resource instance: the configuration, what the provider
planned, and what it returned after apply. Each is a JSON document:

  {
    "name": "time_static.start",
    "schema": {"file": "schemas.json", "type": "time_static"},
    "prior": null,
    "config": {"triggers": {"label": "first"}},
    "initial_planned": {"id": {"$unknown": true}, ...},
    "new": {"id": "2026-11-21T06:55:46Z", ...}
  }

The schema is that of "terraform providers schema -json": the block itself, or
the file (relative to the document), the type and, if several providers have it,
the provider. One with a meaning will do: that Terraform would not take it is
noted. "objchange schema" prints all that a document may have; what it
does not have is not judged, and null says that there is no object. In a value,
attributes that are missing are null, and blocks that are missing are empty.
Strings, numbers and bools convert as in Terraform's configuration: 5 is "5"
where the type is string, and "5" is 5 where it is number. (What audit reads is
written by Terraform, which has converted it, so there it must fit.)

  {"$unknown": true}      known after apply; instead of true, what is promised:
                          not_null, prefix, min_length, max_length
  {"$sensitive": VALUE}   not to be shown, here and at the same place in all
                          other values of the document
  {"$bytes": BASE64}      a string that is not UTF-8; as the key of a map,
                          "$bytes:BASE64"
  {"$literal": OBJECT}    an object or map that has keys beginning with $ itself,
                          which are refused elsewhere

What is printed has bytes that are not UTF-8 as \xff.

A file, or stdin for -, has one document, an array of them, or several one after
the other, each of 128 MB at most. One that cannot be used does not keep the others
from being judged, and broken JSON does not if each document is a line. One without
a value to judge is skipped. Pipes are read as stdin, and as what the shell makes of
<(command); a named one is refused, here and where other commands read files.`,
		Example: `  objchange check cmd/objchange/testdata/example/static.json
  objchange check --format json cmd/objchange/testdata/example/*.json
  objchange check - < cmd/objchange/testdata/example/server.json`,
		Args:              wantArgs(cobra.MinimumNArgs(1), "at least one FILE"),
		ValidArgsFunction: completeJSON,
		RunE:              func(_ *cobra.Command, files []string) error { return a.check(files) },
	}
	a.findingFlags(cmd)
	return cmd
}

func (a *app) check(files []string) error {
	r := &report.Report{Command: "check"}
	var docs document.Reader
	var unusable []error
	for _, file := range files {
		for d, err := range a.documents(&docs, file) {
			if err != nil {
				unusable = append(unusable, err)
				r.Subjects = append(r.Subjects, document.Unused(file, err))
				continue
			}
			r.Subjects = append(r.Subjects, d.Subject())
			if d.Note != "" {
				r.Notes = append(r.Notes, d.Note)
			}
		}
	}
	return a.finish(r, firstOf(unusable))
}

// firstOf returns the first of the errors, and how many more there are.
func firstOf(errs []error) error {
	switch more := len(errs) - 1; {
	case more < 0:
		return nil
	case more > 0:
		return fmt.Errorf("%w (and %d more that cannot be used)", errs[0], more)
	}
	return errs[0]
}
