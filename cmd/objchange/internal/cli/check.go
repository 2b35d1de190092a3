package cli

import (
	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/api"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

func newCheckCommand(a *app) *cobra.Command {
	stream := false
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
noted. "objchange help schema document" prints all that a document may have; what it
does not have is not judged, and null says that there is no object. In a value,
attributes that are missing are null, and blocks that are missing are empty.
Strings, numbers and bools convert as in Terraform's configuration: 5 is "5"
where the type is string, and "5" is 5 where it is number. (What audit reads is
written by Terraform, which has converted it, so there it must fit.)

  {"$unknown": true}      known after apply; instead of true, what is promised:
                          not_null, prefix, min_length, max_length, minimum,
                          exclusive_minimum, maximum, exclusive_maximum
  {"$sensitive": VALUE}   not to be shown, here and at the same place in all
                          other values of the document
  {"$bytes": BASE64}      a string that is not UTF-8; as the key of a map,
                          "$bytes:BASE64"
  {"$literal": OBJECT}    an object or map that has keys beginning with $ itself,
                          which are refused elsewhere
  {"$typed": {"type": TYPE, "value": VALUE}}
                          where the schema's type is dynamic, a value of just this
                          type, which is written as in a schema

What is printed has bytes that are not UTF-8 as \xff.

A file, or stdin for -, has one document, an array of them, or several one after
the other, each of 128 MB at most. One that cannot be used does not keep the others
from being judged, and broken JSON does not if each document is a line. One without
a value to judge is skipped. Pipes are read as stdin, and as what the shell makes of
<(command); a named one is refused, here and where other commands read files.

With --stream, each line is a document, and is answered with a line of JSON before
the next is read, so that a program in any language can keep the command running:

  {"format_version": "1.1", "group": "-", "name": "web", "document": "web",
   "status": "judged", "file": "-", "line": 1, "findings": [{"rule": ..., ...}]}

It is a subject as docs/formats.md has them, with format_version, notes
and, if the line cannot be used, error; that is then "skipped", and the stream goes
on. Blank lines have no answer. The exit status tells of all lines at the end, and
stderr of entries to ignore that had no use. There is no --quiet and no
--write-baseline, and the file of -o is there when all is judged. The memory that it
takes does not grow with the number of lines; files of schemas are read once. In
Python:

  judge = subprocess.Popen(["objchange", "check", "--stream", "-"], text=True,
                           encoding="utf-8", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
  def check(document):
      print(json.dumps(document), file=judge.stdin, flush=True)
      return json.loads(judge.stdout.readline())`,
		Example: `  objchange check cmd/objchange/testdata/example/static.json
  objchange check --format json cmd/objchange/testdata/example/*.json
  objchange check - < cmd/objchange/testdata/example/server.json
  tr -d '\n' < cmd/objchange/testdata/example/server.json | objchange check --stream -`,
		Args:              wantArgs(cobra.MinimumNArgs(1), "at least one FILE"),
		ValidArgsFunction: completeJSON,
		RunE: func(_ *cobra.Command, files []string) error {
			if stream {
				return a.checkStream(files)
			}
			return a.check(files)
		},
	}
	cmd.Flags().BoolVar(&stream, "stream", false, "answer each line, which is a document, with a line of JSON")
	a.findingFlags(cmd)
	return cmd
}

func (a *app) check(files []string) error {
	r := &report.Report{Command: "check"}
	var docs document.Reader
	var unusable report.Failures
	for _, file := range files {
		api.Judge(r, file, a.documents(file, docs.Read), unusable.Add)
	}
	return a.finish(r, reported(unusable))
}
