package cli

import (
	"errors"
	"os/exec"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/record"
)

func newRecordCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "record DIR COMMAND [ARG...]",
		Short: "Record what a command has providers do, for replay",
		Long: `Record runs COMMAND and makes the folder DIR a recording for replay: of a run of
Terraform or OpenTofu, or of a provider's acceptance tests, which need no change.

  objchange record run terraform apply
  TF_ACC=1 objchange record run go test -count=1 -p=1 -parallel=1 ./...
  objchange replay run

It sets what makes providers record (replay --help says how to do so by hand), and
takes away the variables of the environment that write the log elsewhere, or less
of it: TF_ACC_LOG_PATH, which makes it plain text, TF_LOG_SDK and others. The tests
must not set them themselves.

The terraform and tofu that COMMAND finds on the PATH, or by TF_ACC_TERRAFORM_PATH,
are recorded with the schemas of their providers, which are asked for each time,
and with -parallelism=1 whatever they are told, since two requests in one
millisecond write to the same file. For that reason go test has to run one test
after the other. Only terraform test is not told so, as not every release has the
flag for it: some of its requests may be skipped by replay. What tests download by
TF_ACC_TERRAFORM_VERSION would not be recorded, so that must not be set alone.

DIR is made if it is not there, and must have no log.jsonl, schemas.json or data.
Keep a recording as you would a state: the states, the configurations and a trace
log are in it in clear, secrets too. Only you can read it. Record needs a Unix
shell.

The exit status is that of COMMAND, whose recording is as good if it fails, 128 and
the number of the signal that ended it, or 2 if nothing that can be replayed was
recorded. What ends record, an interrupt for one, is passed on to COMMAND.`,
		Example: `  objchange record run terraform apply
  TF_ACC=1 objchange record run go test -count=1 -p=1 -parallel=1 ./internal/provider`,
		Args:                  wantArgs(cobra.MinimumNArgs(2), "DIR and COMMAND"),
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			dir, command := args[0], args[1:]
			if command[0] == "--" {
				command = command[1:]
			}
			if len(command) == 0 {
				return misused("want DIR and COMMAND")
			}
			err := record.Command(dir, command, a.in, a.raw.out, a.raw.errOut)
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				return statusOf(exit)
			}
			return err
		},
	}
	cmd.Flags().SetInterspersed(false) // those after DIR are the command's
	return cmd
}

// statusOf returns the status of a program as a shell tells it: of one that a
// signal ended, there is no other.
func statusOf(exit *exec.ExitError) statusError {
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return statusError(128 + int(status.Signal()))
	}
	return statusError(exit.ExitCode())
}

// newStandInCommand is for the scripts of record alone.
func newStandInCommand() *cobra.Command {
	return &cobra.Command{
		Use:                record.StandIn + " DIR NOTES PROGRAM [ARG...]",
		Hidden:             true,
		DisableFlagParsing: true,
		Args:               wantArgs(cobra.MinimumNArgs(3), "DIR, NOTES and PROGRAM"),
		RunE: func(_ *cobra.Command, args []string) error {
			return record.Terraform(args[0], args[1], args[2], args[3:])
		},
	}
}
