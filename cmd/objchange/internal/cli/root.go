// Package cli is the command objchange: its subcommands, their flags and what
// they print.
package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
)

// The exit statuses.
const (
	exitClean    = 0
	exitFindings = 1 // something counts
	exitUnusable = 2 // input that cannot be used, or a wrong command line
)

// An app is what the commands share.
type app struct {
	in          io.Reader
	out, errOut io.Writer // where the command itself prints: outputs
	raw         streams   // the same for others that print there
	term        *terminal.Terminal

	findings
	started bool // a command runs, so that its command line was right
	told    bool // the report is written, or was tried to be

	mustTell error // what is in the report and must be told without it, too
}

// streams are standard output and error, as they are.
type streams struct{ out, errOut io.Writer }

// Run runs the command with the arguments, which are those after its name, and
// returns its exit status.
func Run(args []string, in io.Reader, out, errOut io.Writer) (status int) {
	printed := &output{to: out}
	a := &app{
		in: in, out: printed, errOut: &output{to: errOut}, raw: streams{out, errOut},
		term: terminal.New(in, out, errOut), findings: findings{format: report.Text},
	}
	root := a.newRoot(args)
	cmd, err := root.ExecuteC()
	if err == nil && printed.failed != nil {
		err, a.started = printed.failed, true
	}
	if len(args) == 0 && err == nil {
		err = errors.New("no command")
	}
	if err != nil && !a.told && a.format != report.Text { // programs want to read it where they read all else
		if writeErr := a.write(&report.Report{Command: cmd.Name(), Error: err.Error()}); writeErr != nil {
			err = writeErr
		}
	}
	if told := (inReport{}); a.told && a.format == report.Text && a.toStandardOutput() && errors.As(err, &told) {
		err = errors.New(told.short())
	}
	if errors.Is(err, errFindings) && a.toStandardOutput() && closed(a.raw.out) {
		err = errLost
	}
	other := statusError(0)
	switch misuse := (usageError{}); {
	case err == nil:
		return exitClean
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &other):
		return int(other)
	case !a.started || errors.As(err, &misuse):
		fmt.Fprintf(a.errOut, "objchange: %s\nSee %q.\n", told(err), cmd.CommandPath()+" --help")
	default:
		fmt.Fprintf(a.errOut, "objchange: %s\n", told(err))
	}
	return exitUnusable
}

// exitStatus is what help says of it.
const exitStatus = `Exit status:

  0  all is well
  1  something was found that counts
  2  the input cannot be used, the command line is wrong, a provider that is driven
     refused, or what was found cannot be printed

What is skipped or failed, in each command:

  replay    a request is skipped if its data is not all there, and failed if the
            provider refused it: neither counts, but if all are skipped it is 2
  check     a document is skipped if it cannot be used: 2, when all others are
            judged; one that has nothing to judge is skipped and does not count
  audit     a resource is skipped if it cannot be judged, without a schema for
            example: that does not count, but if all are skipped it is 2, when
            all other plans are judged
  provider  a step is failed if the provider refused it: 2
  watch     a request is skipped if it cannot be judged, and failed if the provider
            refused it: neither counts

With --fail-on-skipped, what is skipped counts, but for what is nobody's fault: a
change that the plan defers, a data source without a use.

Record ends with the exit status of the command that it runs, and so does watch if
that fails.`

func (a *app) newRoot(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "objchange",
		Short: "Judge providers, plans and states by the rules of Terraform Core",
		Long: `Objchange judges what providers answer, what plans promise and what apply made
of it, by the rules of Terraform Core.

What Core does not enforce is told but does not count, unless --strict is given: a
change that provider sees planned again right after apply counts all the same.
Nothing that is sensitive is printed, in any format.

` + exitStatus,
		Example: `  objchange replay testdata/recordings/time
  objchange rules plan-not-config`,
		Version: version(),

		SilenceErrors: true, // Run prints them, once
		SilenceUsage:  true,
	}
	root.AddCommand(
		newWatchCommand(a),
		newRecordCommand(a),
		newStandInCommand(),
		newReplayCommand(a),
		newRedactCommand(a),
		newUnpackCommand(a),
		newCheckCommand(a),
		newProposeCommand(a),
		newDiffCommand(a),
		newSchemaCommand(a),
		newAuditCommand(a),
		newMergeCommand(a),
		newProviderCommand(a),
		newConformanceCommand(a),
		newRulesCommand(a),
		newManCommand(),
		newVersionCommand(a),
	)
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.errOut)
	root.SetVersionTemplate("objchange {{.Version}}\n")
	for _, cmd := range root.Commands() {
		a.noteStart(cmd)
	}
	root.AddCommand(newFormatsTopic(), newIgnoreTopic())
	helpOnCommands(root)
	completionForShells(root, args)
	return root
}

// noteStart keeps that the command line was right.
func (a *app) noteStart(cmd *cobra.Command) {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.started = true
		return run(cmd, args)
	}
}

// helpOnCommands makes help on what is no command an error.
func helpOnCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error {
		_, _, err := root.Find(args)
		return err
	}
	commands := help.ValidArgsFunction
	help.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		found, directive := commands(cmd, args, begun)
		for _, topic := range root.Commands() {
			if len(args) == 0 && topic.IsAdditionalHelpTopicCommand() && strings.HasPrefix(topic.Name(), begun) {
				found = append(found, cobra.CompletionWithDesc(topic.Name(), topic.Short))
			}
		}
		return found, directive
	}
}

// completionForShells makes completion for what is no shell an error.
func completionForShells(root *cobra.Command, args []string) {
	root.InitDefaultCompletionCmd(args...)
	completion, _, _ := root.Find([]string{"completion"})
	completion.Args = wantArgs(cobra.NoArgs, "bash, zsh, fish or powershell")
	completion.RunE = func(*cobra.Command, []string) error {
		return misused("want bash, zsh, fish or powershell")
	}
}

// wantArgs says what is wanted where there are too many or too few arguments.
func wantArgs(check cobra.PositionalArgs, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) != nil {
			return misused("want %s", want)
		}
		return nil
	}
}

// version returns what the build says of the command's version.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// open opens the file that the command line names, or stdin for "-". Closing stdin
// does nothing.
func (a *app) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.in), nil
	}
	return files.Open(name)
}
