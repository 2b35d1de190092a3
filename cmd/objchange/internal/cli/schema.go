package cli

import (
	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/ignore"
)

func newSchemaCommand(a *app) *cobra.Command {
	schemas := map[string][]byte{"document": document.Schema, "ignore": ignore.Schema, "recording": exchanges.Schema}
	return &cobra.Command{
		Use:   "schema [document|ignore|recording]",
		Short: "Print the JSON Schema of what the command reads",
		Long: `Schema prints the JSON Schema (draft 2020-12) of the documents that check,
propose and diff read, of .objchange.yaml (see help ignore), or of a line of what watch
--record writes, for editors and for those who read or write them by program.`,
		Example: `  objchange schema
  objchange schema ignore`,
		Args:      wantArgs(cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs), "document, ignore or recording"),
		ValidArgs: []cobra.Completion{"document", "ignore", "recording"},
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := a.out.Write(schemas[append(args, "document")[0]])
			return err
		},
	}
}
