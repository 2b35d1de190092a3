package cli

import (
	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/api"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
)

func newProposeCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "propose FILE",
		Short: "Print the proposed new state of a run",
		Long: `Propose prints what Core would propose to the provider: the configuration,
completed from the prior state. The file, or stdin for -, has documents as check
reads them, of which prior and config count. Each proposed new state is printed
as JSON, as documents have it, so it can be put into one again.

What is sensitive or write-only in the schema, or in $sensitive in any of the
document's values, is printed as {"$sensitive": {"$unknown": true}}, whatever it
is.`,
		Example: `  objchange propose cmd/objchange/testdata/example/server.json`,
		Args:    wantArgs(cobra.ExactArgs(1), "one FILE"), ValidArgsFunction: completeJSON,
		RunE: func(_ *cobra.Command, args []string) error { return a.eachDocument(args[0], a.propose) },
	}
}

func (a *app) propose(d *document.Document) error {
	text, err := api.Propose(d)
	if err != nil {
		return err
	}
	_, err = a.out.Write(text)
	return err
}
