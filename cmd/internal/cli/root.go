// Package cli implements the command objchange: its subcommands, their flags and their output.
package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/internal/ignore"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/terminal"
)

// These are the exit statuses.
const (
	exitClean    = 0
	exitFindings = 1
	exitUnusable = 2
)

// exitStatus describes the exit statuses in the help of every command.
const exitStatus = `Exit status: 0 if no finding counts, 1 if a finding counts, and 2 if an input cannot be
used or nothing could be checked. --fail-on selects which findings count.`

// documentation is the URL of the documentation in the help of commands.
const documentation = "https://github.com/objchange/objchange/blob/main/docs/"

// An app has the data that all commands share.
type app struct {
	in          io.Reader
	out, errOut *output
	term        *terminal.Terminal

	// These are the flags of commands that report findings, and the entries that they ignore.
	format        report.Format
	failOn        report.FailOn
	failOnSkipped bool
	all           bool   // list each subject and each finding in text
	output        string // a file, or "" for standard output

	ignored       []string // as RULE:ADDRESS:PATH
	baselines     []string // files
	writeBaseline string
	reason        string
	expires       string
	ignoreFiles   []string // files that were read, including .objchange.yaml
	ignores       ignore.Set

	exiting       sync.Mutex               // held while a report is printed, and when a second signal ends the program
	stopped       atomic.Pointer[reaction] // set by the first signal
	started       bool                     // a command runs, so the command line is valid
	reportWritten bool                     // the report is written, or writing it failed
}

// Run runs the command with the given arguments, without the program's name. It returns the exit
// status.
func Run(args []string, in io.Reader, out, errOut io.Writer) (status int) {
	printed := &output{to: out}
	a := &app{
		in: in, out: printed, errOut: &output{to: errOut}, term: terminal.New(out, errOut), format: report.Text,
	}
	root := a.newRoot(args)
	cmd, err := root.ExecuteC()
	if err == nil && printed.failed != nil {
		err, a.started = printed.failed, true
	}
	if len(args) == 0 && err == nil {
		err = errors.New("no command")
	}
	if err != nil && !a.reportWritten && a.format != report.Text { // programs expect the error in place of the report
		r := &report.Report{Command: cmd.Name()}
		r.Fail(err)
		if writeErr := a.write(r); writeErr != nil {
			err = writeErr
		}
	}
	return a.end(cmd, err)
}

// end prints the error of the command, unless the report contains it, and returns the exit status.
func (a *app) end(cmd *cobra.Command, err error) int {
	other := statusError(0)
	switch misuse := (usageError{}); {
	case err == nil:
		return exitClean
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &other):
		return int(other)
	case !a.started || errors.As(err, &misuse):
		fmt.Fprintf(a.errOut, "objchange: %s\nSee %q.\n", errorText(err), cmd.CommandPath()+" --help")
	default:
		fmt.Fprintf(a.errOut, "objchange: %s\n", errorText(err))
	}
	return exitUnusable
}

func (a *app) newRoot(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "objchange",
		Short: "Find out why Terraform rejects what a provider planned or applied",
		Long: `Objchange finds out why Terraform rejects what a provider planned or applied, and shows
where and how to fix it. Reports contain no sensitive values.

` + exitStatus + `
Details: ` + documentation + "command.md",
		Example: "  objchange explain plan-not-config",
		Version: version(),

		PersistentPreRun: func(*cobra.Command, []string) { a.started = true },

		SilenceErrors: true, // Run prints them once
		SilenceUsage:  true,
	}
	root.AddCommand(
		newWatchCommand(a),
		newReplayCommand(a),
		newCheckCommand(a),
		newAuditCommand(a),
		newExploreCommand(a),
		newExplainCommand(a),
	)
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.errOut)
	root.SetVersionTemplate("objchange {{.Version}}\n")
	addHelp(root)
	return root
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
