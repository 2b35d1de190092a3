package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/tfcheck"
)

// recorder returns what is to record what is watched of a program, nil if nothing is.
func (input watchInput) recorder(program tfcheck.Program) (*exchanges.Recorder, error) {
	switch {
	case input.record != "":
		return exchanges.Create(input.record, input.redact, program)
	case input.redact:
		return nil, misused("--redact is for --record, which is not there")
	}
	return nil, nil
}

func newRedactCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "redact RECORDING DIR",
		Short: "Make a recording of watch one without values",
		Long: `Redact reads the recording that "objchange watch --record" has written, a folder or
the file in it, and writes one into the folder DIR that has the schemas and the shape of
values only, as --redact of watch does: to give to somebody else.

What stays is what is null or unknown, how many elements there are, and what equals
what: texts, numbers and the keys of maps become others, the same ones the same
throughout the recording. true, false, 0 and "" stay, as do the names and descriptions
of schemas, addresses of providers and times. What providers say, what they are
configured with, private data and all requests that no rule speaks of are dropped.
Replay finds in it what it finds in the other, but where a rule looks at the text itself,
or a value is not what the schema asks for: docs/recording.md tells.`,
		Example: `  objchange redact run shared
  objchange replay shared`,
		Args: wantArgs(cobra.ExactArgs(2), "RECORDING and DIR"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.redact(args[0], args[1]) },
	}
}

func (a *app) redact(from, dir string) error {
	found, err := exchanges.Find(from)
	if err != nil {
		return err
	}
	if len(found) != 1 {
		return fmt.Errorf("%s: want one recording of watch, and there are %d in it", from, len(found))
	}
	name := found[0].File
	file, err := a.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := exchanges.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s:%w", name, err)
	}
	to, err := exchanges.Create(dir, true, in.Header.Program)
	if err != nil {
		return err
	}
	err = exchanges.Redact(in, to)
	if errors.As(err, new(*exchanges.TornError)) {
		fmt.Fprintf(a.errOut, "objchange: %s:%v\n", name, err)
		err = nil
	}
	if err != nil {
		to.Discard()
		return fmt.Errorf("%s:%w", name, err)
	}
	return to.Close()
}
