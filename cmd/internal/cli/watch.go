package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/internal/command"
	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/cmd/internal/watch"
	"github.com/objchange/objchange/tfcheck"
)

// A watchInput is the command line of watch.
type watchInput struct {
	providers []string // as ADDRESS=PATH
	record    string   // a folder, or ""
	redact    bool
}

func newWatchCommand(a *app) *cobra.Command {
	var input watchInput
	cmd := &cobra.Command{
		Use:   "watch [flags] [-- COMMAND [ARG...]]",
		Short: "Run Terraform or OpenTofu, and check its providers",
		Long: `Run COMMAND, which is terraform, tofu or a program that starts them, and check each
response of its providers. Watch passes requests and responses unchanged, and COMMAND
does not wait for the checks.

Watch checks the installed providers of the folder of COMMAND, the providers in
dev_overrides and of --provider. It prints the report after COMMAND has ended.

Without COMMAND, print TF_REATTACH_PROVIDERS for a command that you start elsewhere, and
wait for an interrupt.

` + exitStatus + `
If COMMAND fails, the exit status is the status of COMMAND.
Details: ` + documentation + `watch.md`,
		Example: `  objchange watch -- terraform apply
  objchange watch --provider acme/cloud=./terraform-provider-cloud -- terraform plan
  objchange watch -o report.json --format json -- tofu test
  objchange watch --record run --redact -- terraform apply`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := input.check(cmd, args); err != nil {
				return err
			}
			return a.watch(input, args)
		},
	}
	input.flags(cmd)
	a.findingFlags(cmd)
	return cmd
}

func (input *watchInput) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&input.providers, "provider", nil,
		"also watch this provider, as `ADDRESS=PATH`. It replaces an installed one")
	flags.StringVar(&input.record, "record", "", "record all messages, with secrets, in the folder `DIR`, for replay")
	flags.BoolVar(&input.redact, "redact", false, "with --record, record schemas and structure only, without values")
	flags.SetInterspersed(false) // flags after COMMAND belong to COMMAND
}

func (input watchInput) check(cmd *cobra.Command, args []string) error {
	switch at := cmd.ArgsLenAtDash(); {
	case at > 0 || at < 0 && len(args) > 0 && strings.HasPrefix(args[0], "-"):
		return misused("pass -- before COMMAND")
	case at == 0 && len(args) == 0:
		return misused("pass COMMAND after --")
	case cmd.Flags().Changed("record") && input.record == "":
		return misused("--record needs a folder")
	case input.redact && input.record == "":
		return misused("--redact requires --record")
	case initialises(args) && len(input.providers) == 0: // it would install nothing
		return misused("%s init does not install providers that already run: run it without watch", args[0])
	}
	return nil
}

func (a *app) watch(input watchInput, args []string) error {
	out := a.out
	a.out = a.errOut // the destination of the report
	a.term = terminal.New(a.errOut.to, a.errOut.to)
	signals := command.Endings() // from here on there are resources to release
	defer signal.Stop(signals)
	if err := a.checkOutput(); err != nil {
		return err
	}
	config, err := a.watchConfig(input, args)
	if err != nil {
		return err
	}
	starting, started := signal.NotifyContext(context.Background(), command.Ends()...)
	session, err := watch.Start(starting, config)
	started()
	if err != nil {
		config.Record.Discard()
		return err
	}
	var failed error
	if len(args) == 0 {
		value := strings.ReplaceAll(session.Value(), "'", `'\''`)
		_, failed = fmt.Fprintf(out, "export %s='%s'\n", watch.Variable, value)
		if failed == nil {
			a.say("run Terraform with this variable in another terminal, " +
				"and then interrupt this command for the report")
			<-signals
		}
	} else {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = a.in, out.to, a.errOut.to
		cmd.Env = append(os.Environ(), watch.Variable+"="+session.Value())
		failed = command.Run(cmd, signals)
	}
	found := a.finishWatch(session, failed, signals)
	exit := (*exec.ExitError)(nil)
	switch {
	case failed == nil:
		return found
	case !errors.As(failed, &exit):
		config.Record.Discard() // the command did not start
		return failed
	case found != nil && !errors.Is(found, errFindings):
		a.say(found.Error()) // the exit status does not show it
	}
	return statusOf(exit)
}

// watchConfig returns the configuration of the session, and begins the recording.
func (a *app) watchConfig(input watchInput, args []string) (c watch.Config, err error) {
	c = watch.Config{Dir: chdir(args), Before: os.Getenv(watch.Variable), Program: tfcheck.Terraform}
	if len(args) > 0 {
		c.Program, _ = watch.ProgramOf(args[0])
	}
	c.Providers, c.Notes, err = input.watched(c.Dir, c.Program)
	if err == nil && len(c.Providers) == 0 && len(args) == 0 {
		err = fmt.Errorf("no provider to watch was found: %s", strings.Join(c.Notes, "\n"))
	}
	if err == nil && input.record != "" {
		c.Record, err = exchanges.Create(input.record, input.redact, c.Program)
	}
	return c, err
}

// finishWatch ends the session and reports its findings, unless the command did not start.
func (a *app) finishWatch(session *watch.Session, failed error, signals chan os.Signal) error {
	r := session.Report()
	for _, excerpt := range session.Excerpts() {
		a.say(excerpt)
	}
	if failed != nil && !errors.As(failed, new(*exec.ExitError)) {
		return nil
	}
	idle := len(r.Subjects) == 0
	if failed == nil && idle && len(r.Notes) == 0 {
		why := "the command sent no requests to a provider, or sets " + watch.Variable +
			" itself, as acceptance tests do"
		if session.Reached() {
			why = "the command sent no request that has rules"
		}
		r.Notes = append(r.Notes, "nothing was checked: "+why)
	}
	signal.Stop(signals) // from here on they end this program
	err := a.finish(r, nil)
	switch {
	case err != nil || !idle:
		return err
	case failed == nil && !session.Reached() && a.failOn != report.FailOnNever:
		return errors.New("nothing could be checked: the command did not connect to a watched provider")
	case a.failOnSkipped:
		return errFindings
	}
	return nil
}

// watched returns the installed, overridden and named providers for a command in the folder, by
// address. The notes say why there are none, or why one of them is missing.
func (input watchInput) watched(
	dir string, program tfcheck.Program,
) (providers map[string]watch.Provider, notes []string, err error) {
	if providers, err = watch.Installed(dir); err != nil {
		return nil, nil, err
	}
	overrides, err := watch.Overrides(dir, program)
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(providers, overrides)
	for _, text := range input.providers {
		p, err := watch.Named(text, watch.Host(program))
		if err != nil {
			return nil, nil, misused("--provider: %w", err)
		}
		if _, err := exec.LookPath(p.Path); err != nil {
			return nil, nil, fmt.Errorf("provider %s: %w", p.Address, err)
		}
		providers[p.Address] = p
	}
	if store := watch.StateStore(dir); store != "" {
		if _, found := providers[store]; found {
			delete(providers, store)
			notes = append(notes, store+" is not watched: it stores the state, "+
				"and Terraform starts such a provider itself")
		}
	}
	var missing []watch.Provider // the program reports them, if it uses them
	for _, address := range slices.Sorted(maps.Keys(providers)) {
		if providers[address].Path == "" {
			missing = append(missing, providers[address])
			delete(providers, address)
		}
	}
	if len(providers) == 0 && len(notes) == 0 {
		notes = watch.WhyNone(dir, program, missing)
	}
	return providers, notes, nil
}

// initialises reports whether a command line is "terraform init" or "tofu init".
func initialises(args []string) bool {
	if len(args) == 0 {
		return false
	}
	if _, is := watch.ProgramOf(args[0]); !is {
		return false
	}
	at := slices.IndexFunc(args[1:], func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	return at >= 0 && args[1+at] == "init"
}

// chdir returns the folder of Terraform's option -chdir. Terraform starts its providers there.
func chdir(args []string) string {
	const option = "-chdir="
	at := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, option) })
	if at < 1 {
		return "."
	}
	return filepath.Clean(strings.TrimPrefix(args[at], option))
}
