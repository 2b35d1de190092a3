package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/ignore"
	"github.com/objchange/objchange/tfcheck/explore"
)

// addHelp adds the help command with the JSON Schemas. Help for other words is an error.
func addHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Short = "Show help for a command, or JSON Schemas of input files"
	help.Long = "Show the help of a command or a topic."
	help.Args = func(_ *cobra.Command, args []string) error {
		_, _, err := root.Find(args)
		return err
	}
	schemas := &cobra.Command{
		Use: "schema", Short: "The JSON Schemas of input files",
		Long: "The JSON Schemas (draft 2020-12) of input files, for editors and programs.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	schemas.AddCommand(
		topic("document", "The JSON Schema of the documents that check reads", string(document.Schema)),
		topic("hints", "The JSON Schema of the hints that explore reads", string(explore.HintsSchema)),
		topic("ignore", "The JSON Schema of .objchange.yaml", string(ignore.Schema)),
		topic("recording", "The JSON Schema of a line of a recording", string(exchanges.Schema)),
	)
	help.AddCommand(schemas)
}

// topic returns a command that prints the text.
func topic(name, short, text string) *cobra.Command {
	print := func(cmd *cobra.Command, _ []string) {
		fmt.Fprintln(cmd.OutOrStdout(), strings.TrimSuffix(text, "\n"))
	}
	cmd := &cobra.Command{Use: name, Short: short, Long: text, Args: cobra.NoArgs, Run: print}
	cmd.SetHelpFunc(print)
	return cmd
}
