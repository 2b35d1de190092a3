package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/watch"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

// A replayInput is the command line of replay.
type replayInput struct {
	path          string
	rpc, typeName string
	documents     bool
	redact        string // a folder, or ""
}

func newReplayCommand(a *app) *cobra.Command {
	var input replayInput
	cmd := &cobra.Command{
		Use:   "replay [flags] RECORDING",
		Short: "Check recorded runs of Terraform or OpenTofu",
		Long: `Check the requests and responses that "objchange watch --record" has recorded. Replay
needs neither the providers nor Terraform.

RECORDING is the folder of a recording, the file exchanges.jsonl in it, a folder with
several recordings at any depth, or - for a recording on standard input.

The report has a line for each request, with the id of the object. If the id is unknown,
it shows #N instead, where N counts the requests with the same RPC and type.

With --documents, print each request about a resource, with its response, as a document
for "objchange check". With --redact, write a copy of the recording without values.

` + exitStatus + `
Details: ` + documentation + `recording.md`,
		Example: `  objchange replay testdata/recordings
  objchange replay --type random_pet testdata/recordings/random
  objchange replay --documents testdata/recordings/time/4-replace | objchange check -
  objchange replay --redact "$(mktemp -d)" testdata/recordings/time/1-create`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			input.path = args[0]
			if err := input.check(cmd.Flags()); err != nil {
				return err
			}
			return a.replay(input)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&input.rpc, "rpc", "", "check only the requests of this `RPC`")
	flags.StringVar(&input.typeName, "type", "", "check only the requests for this `TYPE` of resource or data source")
	flags.BoolVar(&input.documents, "documents", false, "print requests as documents, with all values in clear text")
	flags.StringVar(&input.redact, "redact", "", "write a copy of the recording without values to the folder `DIR`")
	a.findingFlags(cmd)
	return cmd
}

// check returns an error if the flags cannot be combined.
func (input replayInput) check(flags *pflag.FlagSet) error {
	if input.rpc != "" && !tfcheck.Checks(input.rpc) {
		return misused("--rpc %s: objchange has no rules for these requests", input.rpc)
	}
	switch {
	case flags.Changed("redact") && input.redact == "":
		return misused("--redact needs a folder")
	case flags.Changed("redact"):
		return onlyWith(flags, "redact")
	case input.documents:
		return onlyWith(flags, "documents", "rpc", "type", "output")
	}
	return nil
}

// onlyWith returns an error if the flag is set together with flags other than the given ones.
func onlyWith(flags *pflag.FlagSet, name string, others ...string) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if f.Name != name && !slices.Contains(others, f.Name) {
			err = misused("--%s and --%s cannot be combined", name, f.Name)
		}
	})
	return err
}

func (input replayInput) wants(rpc, typeName string) bool {
	return (input.rpc == "" || input.rpc == rpc) && (input.typeName == "" || input.typeName == typeName)
}

// chosen returns an error if the flags select no request, because nothing could be checked.
func (input replayInput) chosen(chosen, requests int) error {
	switch {
	case requests == 0:
		return fmt.Errorf("%s: the recording has no request that objchange has rules for", input.path)
	case chosen == 0:
		return fmt.Errorf("%s: the flags select none of the %s that objchange has rules for",
			input.path, words.Plural(requests, "request"))
	}
	return nil
}

func (a *app) replay(input replayInput) error {
	found, err := exchanges.Find(input.path)
	switch {
	case err != nil:
		return err
	case len(found) == 0:
		return fmt.Errorf("%s: not a recording: the folder has no %s", input.path, exchanges.Name)
	case input.redact != "":
		return a.redact(found, input)
	case input.documents:
		return a.replayDocuments(found, input)
	}
	all, err := watch.Replay(found, a.open, nil)
	requests := len(all.Subjects)
	unwanted := func(s report.Subject) bool { return !input.wants(s.RPC, s.Type) }
	all.Subjects = slices.DeleteFunc(all.Subjects, unwanted)
	nothing := input.chosen(len(all.Subjects), requests)
	switch {
	case err != nil || nothing == nil:
	case requests > 0:
		err = nothing
	default: // such a recording is no mistake of the user
		all.Notes = append(all.Notes, nothing.Error())
	}
	return a.finish(all, err)
}

// redact writes a recording without values.
func (a *app) redact(found []exchanges.Recording, input replayInput) error {
	if len(found) != 1 {
		return fmt.Errorf("%s: --redact needs one recording, but the folder has %d", input.path, len(found))
	}
	file, err := a.open(found[0].File)
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := exchanges.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s:%w", words.FileName(found[0].File), err)
	}
	to, err := exchanges.Create(input.redact, true, in.Header.Program)
	if err != nil {
		return err
	}
	switch err = exchanges.Redact(in, to); {
	case errors.As(err, new(*exchanges.TornError)):
		a.say(fmt.Sprintf("%s:%v", words.FileName(found[0].File), err))
	case err != nil:
		to.Discard()
		return fmt.Errorf("%s:%w", words.FileName(found[0].File), err)
	}
	return to.Close()
}
