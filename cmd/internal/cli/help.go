package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/ignore"
	"github.com/objchange/objchange/tfcheck/explore"
)

// addHelp adds the help command and its topics. Help for other words is an error.
func addHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Short = "Show help for a command, or for formats, ignored findings and JSON Schemas"
	help.Long = "Show the help of a command or a topic."
	help.Args = func(_ *cobra.Command, args []string) error {
		_, _, err := root.Find(args)
		return err
	}
	schemas := topic("schema", "The JSON Schemas of input files", schemaHelp)
	schemas.AddCommand(
		topic("document", "The JSON Schema of the documents that check reads", string(document.Schema)),
		topic("hints", "The JSON Schema of the hints that explore reads", string(explore.HintsSchema)),
		topic("ignore", "The JSON Schema of .objchange.yaml", string(ignore.Schema)),
		topic("recording", "The JSON Schema of a line of a recording", string(exchanges.Schema)),
	)
	help.AddCommand(
		topic("formats", "The formats of reports", formatsHelp),
		topic("ignore", "How to ignore findings", ignoreHelp),
		schemas,
	)
}

// topic returns a command that prints the text.
func topic(name, short, text string) *cobra.Command {
	text = strings.TrimSuffix(text, "\n") + "\n"
	cmd := &cobra.Command{
		Use: name, Short: short, Long: text,
		Args: wantArgs(cobra.NoArgs, "one topic"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write([]byte(text))
			return err
		},
	}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) { _ = cmd.RunE(cmd, nil) }) // output keeps the error
	return cmd
}

const schemaHelp = `The JSON Schemas (draft 2020-12) of input files, for editors and programs:

  objchange help schema document    of the documents that "objchange check" reads
  objchange help schema hints       of the hints that "objchange explore" reads
  objchange help schema ignore      of .objchange.yaml
  objchange help schema recording   of the lines that "objchange watch --record" writes
`

const formatsHelp = `The flag --format selects the format of a report.

  text      (the default) for people: each finding that counts, with the first three
            objects, and few lines about the rest. --all lists every subject with its
            findings. NO_COLOR and CLICOLOR_FORCE switch colors off and on.
  json      one JSON document for programs. Later versions may add fields. They then
            increase format_version.
  sarif     SARIF 2.1.0, for code scanning. A finding that counts is an error. Other
            findings are warnings, or notes if they are tolerated or ignored.
  junit     JUnit's XML, for continuous integration: a suite for each file, and a
            case for each subject. A finding that counts fails its case.
  markdown  for comments and job summaries, at most 60 kB

A subject is one item that the command checks: a request (watch, replay), a document
(check), a resource instance (audit) or a type (explore).

Output is UTF-8. Characters that a terminal or GitHub Actions would interpret are escaped.

Details, and the fields of JSON: ` + documentation + `formats.md
`

const ignoreHelp = `Ignored findings never count. To ignore findings in one run, use --ignore
RULE[:ADDRESS[:PATH]]. To ignore them in all runs in a folder, write the file
.objchange.yaml in that folder:

  ignore:
    - rule: plan-set-element
      file: plans/prod/*
      address: module.legacy.*
      path: .disk*
      reason: the provider sorts disks, see issue 123
      expires: 2027-01-31

  rule      a rule that "objchange explain" lists, or "skipped" for subjects that count
            with --fail-on-skipped
  file      the plan, document or recording, as the command line names it
  address   the address of the resource. In replay, watch and explore, the type
            of the resource. In check, the name of the document
  path      the path as reports print it, or "(root)" for the whole value
  reason    required
  expires   the last day on which the entry applies

* matches any text, \* matches an asterisk, and \\ matches a backslash. Entries without
file, address or path match all values. To ignore all findings of today, pass
--write-baseline FILE --reason TEXT once, and --baseline FILE in later runs. Details:
` + documentation + `pipelines.md
`
