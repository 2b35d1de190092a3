package cli

import "github.com/spf13/cobra"

// newIgnoreTopic is help on what is not to count.
func newIgnoreTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "ignore",
		Short: "What is not to count",
		Long: `A finding that somebody knows of need not fail a pipeline. What is ignored is counted
in every summary, and named with its reason, in text by the entry; it never counts,
not even with --strict.

On the command line, for one run:

  --ignore RULE[:ADDRESS[:PATH]]

For all runs below a folder, in the file .objchange.yaml that is in it: the nearest
one is found upwards from where the command runs, up to the root of the repository,
which has .git, or to the home folder, whichever comes first. Outside of both, only
the folder where the command runs is looked at.

  ignore:
    - rule: plan-set-element
      file: plans/prod/*
      address: module.legacy.*
      path: .disk*
      reason: the provider sorts disks, see issue 123
      expires: 2027-01-31

rule      a rule, as "objchange rules" lists them, or "skipped" for what is skipped
          and would count with --fail-on-skipped
file      the plan, the file of documents or the recording, as the command line names
          or finds it, with slashes on every system
address   the resource's address; its type in replay, watch and provider, which have
          no addresses; a document's name in check
path      the path in the value, as it is printed: "(root)" for the whole
reason    why it is ignored: there must be one
expires   the last day on which it is: after that the finding counts again, and
          the entry is told

In rule, file, address and path, * stands for any text, \* for a star and \\ for a
backslash; a file, an address or a path that is not there stands for all of them.
"objchange schema ignore" prints the JSON Schema.

A .objchange.yaml that cannot be read is an error. So is a folder, or a link that
leads out of its own folder. On Unix, so is a file that other users own or may write,
since they could turn findings off: run chmod go-w, or name the file with --baseline
if you trust it. On the command line, colons in quotes are part of an address or a
path.

A baseline is such a file elsewhere, with all that counts today, so that only what
is new fails:

  objchange audit plans --schemas schemas.json \
    --write-baseline known.yaml --reason "before we began" --expires 2027-01-31
  objchange audit plans --schemas schemas.json --baseline known.yaml

What --write-baseline writes for audit holds for the file that it was found in. If the
file is also a --baseline, entries that are needed stay, with their reasons and
their days; those without use or expired go, and what counts is added.

An entry without use is told, so that files do not grow for ever.`,
	}
}
