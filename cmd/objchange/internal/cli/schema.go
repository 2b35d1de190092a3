package cli

import (
	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
)

func newSchemaCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the documents that check reads",
		Long: `Schema prints the JSON Schema (draft 2020-12) of the documents that check,
propose and diff read, for editors and for those who write them by program.`,
		Example: `  objchange schema`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.out.Write(document.Schema)
			return err
		},
	}
}
