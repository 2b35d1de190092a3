package cli

import "github.com/spf13/cobra"

// newIgnoreTopic is help on what is not to count.
func newIgnoreTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "ignore",
		Short: "What is not to count",
		Long: `A finding that somebody knows of need not fail a pipeline. What is ignored is counted
in every summary, and named with its reason in JSON and SARIF; it never counts, not
even with --strict.

On the command line, for one run:

  --ignore RULE[:ADDRESS[:PATH]]

For all runs below a folder, in the file .objchange.yaml that is in it: the nearest
one is found upwards from where the command runs.

  ignore:
    - rule: plan-set-element
      address: module.legacy.*
      path: .disk*
      reason: the provider sorts disks, see issue 123
      expires: 2027-01-31

rule      a rule, as "objchange rules" lists them, or "skipped" for what is skipped
          and would count with --fail-on-skipped
address   the resource's address; its type in replay, watch and provider, which have
          no addresses; a document's name in check
path      the path in the value, as it is printed
reason    why it is ignored: there must be one
expires   the last day on which it is: after that the finding counts again, and
          the entry is told

In rule, address and path, * stands for any text, and an address or a path that is
not there for all of them. "objchange schema ignore" prints the JSON Schema.

A baseline is such a file elsewhere, with all that counts today, so that only what
is new fails:

  objchange audit plans --schemas schemas.json \
    --write-baseline known.yaml --reason "before we began" --expires 2027-01-31
  objchange audit plans --schemas schemas.json --baseline known.yaml

An entry without use is told, so that files do not grow for ever.`,
	}
}
