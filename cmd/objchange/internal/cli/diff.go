package cli

import (
	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/api"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
)

func newDiffCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff FILE",
		Short: "Show what a run changes, the way one reads a plan",
		Long: `Diff shows the change from the prior state to what was planned at last, or to
the new state where no plan is there. The file, or stdin for -, has documents as
check reads them. What comes has a +, what goes a -, what changes a ~; what stays
is counted. What requires replacement, by the document's requires_replace, is
marked. What is sensitive is not shown.

With --json there is a line of JSON for each document. Fields may be added.

  name               of the document
  action             no-op, create, update, replace or delete
  to                 which of the document's values prior is compared with
  requires_replace   the paths that require replacement
  changes            a leaf each, in order of their paths
    path             the place in the value, as findings have it, such as
                     .rule[0].tags["env"]; an element of a set is [*]; what is
                     sensitive is not in it; "" is the whole
    kind             add, remove, update, or unknown: known after apply
    sensitive        whether the values are hidden
    before, after    the values as documents have them, null where there is none:
                     with {"$unknown": ...} and {"$bytes": ...}, and
                     {"$sensitive": {"$unknown": true}} for one that is not to
                     be shown`,
		Example: `  objchange diff cmd/objchange/testdata/example/server.json
  objchange diff --json cmd/objchange/testdata/example/server.json`,
		Args: wantArgs(cobra.ExactArgs(1), "one FILE"), ValidArgsFunction: completeJSON,
		RunE: func(_ *cobra.Command, args []string) error {
			if asJSON {
				return a.eachDocument(args[0], a.diffJSON)
			}
			return a.eachDocument(args[0], a.diff)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON for programs")
	return cmd
}

func (a *app) diff(d *document.Document) error { return api.WriteDiff(a.out, a.term, d) }

func (a *app) diffJSON(d *document.Document) error {
	text, err := api.Diff(d)
	if err != nil {
		return err
	}
	_, err = a.out.Write(text)
	return err
}
