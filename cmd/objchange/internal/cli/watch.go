package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/command"
	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
	"github.com/objchange/objchange/cmd/objchange/internal/watch"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

// A watchInput is what the command line says of what to watch.
type watchInput struct {
	providers    []string // as ADDRESS=PATH
	all          bool
	record       string // the folder, or ""
	redact       bool
	warn, reject bool
}

// statusOf returns the status of a program as a shell has it: 128 and the number of the
// signal that ended the program, if one did.
func statusOf(exit *exec.ExitError) statusError {
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return statusError(128 + int(status.Signal()))
	}
	return statusError(exit.ExitCode())
}

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

func newWatchCommand(a *app) *cobra.Command {
	var input watchInput
	cmd := &cobra.Command{
		Use:   "watch [flags] [-- COMMAND [ARG...]]",
		Short: "Judge all that providers do while a command runs",
		Long: `Watch runs COMMAND as it is, which is or runs Terraform or OpenTofu, and judges each
request to a provider and its answer as they pass: of released providers, written
in any language, with all that runs at once. It needs no log and no code.

The providers are those that the workspace has installed, where COMMAND runs or its
-chdir leads, as "terraform init" leaves them; in their place, those of dev_overrides
in the CLI configuration, that of OpenTofu if COMMAND is tofu; and in the place of
both, those that --provider names. An address may be short, as hashicorp/time: it is
then in the registry of COMMAND. Where there are overrides, no init is needed.

Watch starts them, and tells COMMAND by the variable TF_REATTACH_PROVIDERS how to
reach them. What that holds already is kept, and not judged. Each connection has a
process of its own, as without watch. Requests and answers pass unread and
unchanged; copies are judged beside, which a run never waits for: what comes faster
than it can be judged is skipped.

With --warn, what Core lets pass is added to the answer as a warning, which Terraform
prints at the block of the resource; what Core rejects it tells itself. With --reject,
what is wrong is added as an error, also where Core excuses the legacy SDK: of a plan
nothing is planned then, and after an apply Core keeps the state that came with the
error, of a new object as tainted. What is ignored is not told. Only then a run waits
for what is judged, for 10 seconds at most; after that the answer passes as it is,
and the summary says so.

Without COMMAND, watch prints the variable, and waits for an interrupt: for
commands that run elsewhere. Meanwhile a terminal shows how much is judged.
Acceptance tests set the variable themselves, so that nothing of theirs reaches
watch: package tfcheck is for those.

Standard input and output are COMMAND's. The report comes at the end, on standard
error unless --output names a file. As text it lists what there is something to say
of, and with --all each request, as the other formats do: the RPC, the type, the
object, the action and the verdict. Providers do not know addresses: the object is
the id, an attribute that is not sensitive.

With --record, all that passes is kept in the folder DIR for replay, as it is on the
wire: a run that went wrong can be judged again, and by somebody else. It has
configurations, states and what the providers are configured with in clear, secrets
too, in a file that only you can read: keep it like a state. With --redact, it has
the schemas and the shape of values only: what is null or unknown, how many there are,
what equals what. See docs/recording.md; "objchange replay --redact" does the same afterwards.

The exit status is that of COMMAND if it fails, 128 and the number of the signal that
ended it; else 1 if something counts (see --fail-on), and 2 if nothing could be watched. What ends watch is passed on to COMMAND, which gets an
interrupt at a terminal by itself.`,
		Example: `  objchange watch -- terraform apply
  objchange watch --provider acme/cloud=./terraform-provider-cloud -- terraform plan
  objchange watch -o report.json --format json -- tofu test
  objchange watch --record run --redact -- terraform apply`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch at := cmd.ArgsLenAtDash(); {
			case at > 0 || at < 0 && len(args) > 0 && strings.HasPrefix(args[0], "-"):
				return misused("want -- before COMMAND")
			case at == 0 && len(args) == 0:
				return misused("want COMMAND after --")
			case cmd.Flags().Changed("record") && input.record == "":
				return misused("want a folder for --record")
			case initialises(args) && len(input.providers) == 0: // which would need no installation
				return misused("%s init installs nothing while its providers run already: run it without watch", args[0])
			}
			a.brief = !input.all
			if input.warn && input.reject {
				return misused("want one of --warn and --reject")
			}
			return a.watch(input, args)
		},
	}
	cmd.Flags().StringArrayVar(&input.providers, "provider", nil, "watch this `ADDRESS=PATH`, too, or in place of the one that is installed")
	cmd.Flags().BoolVar(&input.all, "all", false, "list all requests, as other formats do, also those of which there is nothing to say")
	cmd.Flags().StringVar(&input.record, "record", "", "record all that passes in this `DIR`, secrets too, for replay")
	cmd.Flags().BoolVar(&input.redact, "redact", false, "record schemas and shape only, no values")
	_ = cmd.MarkFlagDirname("record") // which fails for a flag that is not there
	cmd.Flags().BoolVar(&input.warn, "warn", false, "have Terraform tell what Core lets pass, as warnings")
	cmd.Flags().BoolVar(&input.reject, "reject", false, "have Terraform fail at what is wrong, also where Core tolerates it")
	cmd.Flags().SetInterspersed(false) // those of COMMAND are its own
	a.findingFlags(cmd)
	return cmd
}

func (a *app) watch(input watchInput, args []string) error {
	out, raw := a.out, a.raw
	a.out, a.raw.out = a.errOut, a.raw.errOut // where the report goes
	a.term = terminal.New(a.in, a.raw.out, a.raw.errOut)
	signals := command.Endings() // from now on, as there is something to clean up
	defer signal.Stop(signals)
	if err := a.checkOutput(); err != nil {
		return err
	}
	dir := chdir(args)
	providers, opts, err := input.watched(dir, args)
	if err != nil {
		return err
	}
	program := watch.ProgramOf(strings.Join(args[:min(len(args), 1)], ""))
	opts = append(opts, watch.For(program))
	record, err := input.recorder(program)
	if err != nil {
		return err
	}
	if record != nil {
		opts = append(opts, watch.Recording(record))
	}
	judged := &tally{known: a.known}
	opts = append(opts, a.telling(input)...)
	if len(args) == 0 {
		opts = append(opts, watch.Seeing(judged.add))
	}
	starting, started := signal.NotifyContext(context.Background(), command.Ends()...)
	session, err := watch.Start(starting, dir, providers, os.Getenv(watch.Variable), opts...)
	started()
	if err != nil {
		record.Discard()
		return err
	}
	var failed error
	if len(args) == 0 {
		_, failed = fmt.Fprintf(out, "export %s='%s'\n", watch.Variable, strings.ReplaceAll(session.Value(), "'", `'\''`))
		if failed == nil {
			a.wait(signals, judged)
		}
	} else {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = a.in, raw.out, raw.errOut
		cmd.Env = append(os.Environ(), watch.Variable+"="+session.Value())
		failed = command.Run(cmd, signals)
	}
	told := a.finishWatch(session, failed)
	exit := (*exec.ExitError)(nil)
	if failed != nil && !errors.As(failed, &exit) {
		record.Discard() // nothing has run
	}
	if exit != nil && told != nil && !errors.Is(told, errFindings) { // the command's own status says more
		fmt.Fprintln(a.errOut, "objchange:", told)
		told = nil
	}
	return input.status(failed, told)
}

// telling has what is found told in the answers, if that is asked for.
func (a *app) telling(input watchInput) []watch.Option {
	switch {
	case input.warn:
		return []watch.Option{watch.Telling(tfcheck.Warn, a.known)}
	case input.reject:
		return []watch.Option{watch.Telling(tfcheck.Reject, a.known), watch.Rejecting()}
	}
	return nil
}

// known reports whether a finding is to be ignored.
func (a *app) known(s report.Subject, f report.Finding) bool { return a.ignores.Knows("watch", s, f) }

// finishWatch ends the session and tells what was found, unless nothing has run.
func (a *app) finishWatch(session *watch.Session, failed error) error {
	r := session.Report()
	for _, said := range session.Said() {
		fmt.Fprintf(a.errOut, "objchange: %s\n", words.Printable(said, "\n\t"))
	}
	if failed != nil && !errors.As(failed, new(*exec.ExitError)) {
		return failed
	}
	if failed == nil && len(r.Subjects) == 0 && len(r.Notes) == 0 {
		r.Notes = append(r.Notes, "nothing was judged: the command had nothing to ask of a provider, or sets "+watch.Variable+" itself, as acceptance tests do")
	}
	idle := len(r.Subjects) == 0
	if err := a.finish(r, nil); err != nil || !idle || !a.failOnSkipped {
		return err
	}
	return errFindings
}

// status returns what watch ends with: if the command failed, as it did.
func (input watchInput) status(failed, told error) error {
	exit := (*exec.ExitError)(nil)
	if errors.Is(told, errFindings) && errors.As(failed, &exit) {
		told = nil
	}
	if errors.As(failed, &exit) && told == nil {
		return statusOf(exit)
	}
	return told
}
