package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/ignore"
	"github.com/objchange/objchange/tfcheck/explore"
)

// addHelp adds the command help and its topics. Help on anything else than a command or
// a topic is an error.
func addHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error {
		_, _, err := root.Find(args)
		return err
	}
	schemas := topic("schema", "The JSON Schemas of what the command reads", schemaHelp)
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

const schemaHelp = `The JSON Schemas (draft 2020-12) of what the command reads, for editors and programs:

  objchange help schema document    of the documents that "objchange check" reads
  objchange help schema hints       of the hints that "objchange explore" reads
  objchange help schema ignore      of .objchange.yaml
  objchange help schema recording   of a line of what "objchange watch --record" writes
`

const formatsHelp = `Commands that report findings print them in the format that --format names.

  text      (the default) for people: a line for each subject, with its findings
            below it. NO_COLOR and CLICOLOR_FORCE apply.
  json      one JSON document for programs. Fields may be added; format_version
            says so.
  sarif     SARIF 2.1.0, for code scanning. A finding that counts is an error, one
            that does not count is a warning, and an ignored one is a note.
  junit     JUnit's XML, for continuous integration: a suite for each file, and a
            case for each subject. A finding that counts fails its case.
  github    annotations for GitHub Actions
  markdown  for comments and job summaries, at most 60 kB

A subject is what a command checks: a request, a document, a resource instance, a step
or a type. With --quiet, only subjects with findings and what was not checked are printed.

All output is UTF-8. What a terminal or GitHub Actions would act on is escaped.

The fields of the JSON format and the details of the others:
` + documentation + `formats.md
`

const ignoreHelp = `Ignored findings never count. Every summary counts them, and text says why.

For one run:

  --ignore RULE[:ADDRESS[:PATH]]

For all runs below a folder, in the file .objchange.yaml in that folder:

  ignore:
    - rule: plan-set-element
      file: plans/prod/*
      address: module.legacy.*
      path: .disk*
      reason: the provider sorts disks, see issue 123
      expires: 2027-01-31

  rule      a rule, as "objchange explain" lists them, or "skipped" for what
            counts with --fail-on-skipped
  file      the plan, document or recording, as the command line names it
  address   the address of the resource; its type in replay, watch, drive and
            explore; the name of the document in check
  path      the path in the value as it is printed; "(root)" is the whole value
  reason    required
  expires   the last day on which the entry holds

An asterisk stands for any text, \* for an asterisk and \\ for a backslash. A missing
file, address or path stands for any.

--write-baseline FILE --reason TEXT writes all findings that count into FILE, and does
not fail for them. --baseline FILE ignores them later. An existing FILE is written only
with --baseline FILE, which keeps the entries that still match.

Details: ` + documentation + `pipelines.md
`
