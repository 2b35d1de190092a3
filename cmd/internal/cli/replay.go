package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/watch"
	"github.com/objchange/objchange/cmd/internal/words"
)

// A replayInput is the command line of replay.
type replayInput struct {
	path      string
	documents bool
	redact    string // a folder, or ""
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
	flags.BoolVar(&input.documents, "documents", false, "print requests as documents, with all values in clear text")
	flags.StringVar(&input.redact, "redact", "", "write a copy of the recording without values to the folder `DIR`")
	a.findingFlags(cmd)
	return cmd
}

// check returns an error if the flags cannot be combined.
func (input replayInput) check(flags *pflag.FlagSet) error {
	switch {
	case flags.Changed("redact") && input.redact == "":
		return misused("--redact needs a folder")
	case flags.Changed("redact"):
		return onlyWith(flags, "redact")
	case input.documents:
		return onlyWith(flags, "documents", "output")
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
		return a.replayDocuments(found, input.path)
	}
	all, err := watch.Replay(found, a.open, nil)
	if err == nil && len(all.Subjects) == 0 {
		all.Notes = append(all.Notes, input.path+": the recording has no request that objchange has rules for")
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
