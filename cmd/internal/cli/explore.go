package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore"
)

// An exploreInput is the command line of explore.
type exploreInput struct {
	provider  string
	types     []string
	seed      uint64
	requests  int
	hints     string // a file, or ""
	minReach  int    // a percentage
	timeLimit time.Duration
	apply     []string
	state     string // a file
	confirm   string // a program, or ""

	unconfigured bool
}

func newExploreCommand(a *app) *cobra.Command {
	var from exploreInput
	cmd := &cobra.Command{
		Use:   "explore [flags] PROVIDER",
		Short: "Find faults in a provider with generated configurations",
		Long: `Start PROVIDER, generate configurations from its schema, plan them, and check each plan.
For each broken rule and each crash, print a minimal configuration that reproduces it.

PROVIDER is an executable, or the address of a provider that is installed here, such as
hashicorp/time. It runs without credentials, and on Linux without network. The report
lists missing isolation.

Explore creates no objects without --apply. Write values that it cannot guess into the
YAML file of --hints. It reads a data source only if the hints allow it.

The same provider, flags and hints give the same report.

` + exitStatus + `
Details: ` + documentation + `explore.md`,
		Example: `  objchange explore ./terraform-provider-cloud
  objchange explore ./terraform-provider-cloud --type 'cloud_*' --apply 'cloud_*'
  objchange explore ./terraform-provider-cloud --confirm
  objchange explore ./terraform-provider-cloud --min-reach 90 --format json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			from.provider = args[0]
			if err := from.check(cmd.Flags()); err != nil {
				return err
			}
			return a.explore(from)
		},
	}
	from.flags(cmd)
	a.findingFlags(cmd)
	return cmd
}

func (from *exploreInput) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&from.types, "type", nil, "explore only the types that match this `GLOB`")
	flags.Uint64Var(&from.seed, "seed", 1, "use `N` as the seed for random configurations")
	flags.IntVar(&from.requests, "requests", 500, "send at most `N` requests for each type, and more for findings")
	flags.StringVar(&from.hints, "hints", "", "read hints from this YAML `FILE`")
	flags.IntVar(&from.minReach, "min-reach", 0, "fail if less than this `PERCENT` of the types are reached")
	flags.StringArrayVar(&from.apply, "apply", nil, "create, change and destroy objects of the types `GLOB`")
	flags.StringVar(&from.state, "state", "objchange-explore.tfstate", "with --apply, the `FILE` of the objects' state")
	flags.DurationVar(&from.timeLimit, "time-limit", 30*time.Second, "limit each request to this `DURATION`")
	flags.StringVar(&from.confirm, "confirm", "",
		"run findings with terraform, or else tofu; --confirm=`PROGRAM` selects another")
	flags.BoolVar(&from.unconfigured, "unconfigured", false, "validate and plan only, and report no crashes")
	flags.Lookup("confirm").NoOptDefVal = anyProgram
}

// check returns an error for flags that are invalid or have no effect.
func (from exploreInput) check(flags *pflag.FlagSet) error {
	switch {
	case from.minReach < 0 || from.minReach > 100:
		return misused("--min-reach must be a number from 0 to 100")
	case from.requests <= 0 || from.timeLimit <= 0:
		return misused("--requests and --time-limit must be more than 0")
	case flags.Changed("confirm") && from.confirm == "":
		return misused("--confirm: name a program, or leave out the =")
	case from.unconfigured && len(from.apply) > 0:
		return misused("--unconfigured and --apply exclude each other")
	case len(from.apply) > 0:
		return checkState(from.state)
	case flags.Changed("state"):
		return misused("--state requires --apply")
	}
	return nil
}

// checkState returns an error if the state file cannot be created. Explore itself checks that the
// file does not exist.
func checkState(file string) error {
	if file == "" || os.IsPathSeparator(file[len(file)-1]) || isFolder(file) {
		return misused("--state %s: must be a file", file)
	}
	if !isFolder(filepath.Dir(file)) {
		return misused("--state %s: %s is not a folder", file, filepath.Dir(file))
	}
	return nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func (a *app) explore(from exploreInput) error {
	hints, err := a.readHints(from.hints)
	if err != nil {
		return err
	}
	if err := a.checkOutput(); err != nil {
		return err
	}
	launched := newLauncher(driver.WithEnv(hints.Env()...))
	options, err := from.options(hints, launched)
	if err != nil {
		return err
	}
	began := 0
	options = append(options, explore.OnProgress(func(p explore.Progress) {
		began = max(began, p.Types)
		a.progress(p)
	}))
	to := reaction{stop: launched.kill}
	if len(from.apply) > 0 {
		to.first = "destroying the objects that were created; press Ctrl-C again to stop at once"
		to.second = "stopped: objects may be left, and their state is in " + from.state
	}
	return a.stoppable(func(ctx context.Context) error {
		result, err := explore.Explore(ctx, launched.launch, options...)
		if stopped := context.Cause(ctx); stopped != nil {
			err = stopped // other errors are a consequence
		}
		a.term.Progress("")
		if err != nil && len(result.Types) == 0 && len(result.Left) == 0 {
			return err
		}
		r := explored(result, began, from.provider, a.ignores.Knows)
		if from.unconfigured {
			r.Heading = "The provider was not configured: only validation and plans were checked, " +
				"and crashes are not reported."
		}
		r.Notes = append(r.Notes, launched.gaps()...)
		if reached, of := result.Reached(); reached*100 < of*from.minReach {
			a.failOnSkipped = true
			r.Notes = append(r.Notes, fmt.Sprintf("--min-reach %d: only %d of %s reached",
				from.minReach, reached, print.Plural(of, "type")))
		}
		return a.finish(r, errors.Join(err, leftOf(result.Left, from.state)))
	}, to)
}

// options returns the options for the exploration. It sets the path of the launcher.
func (from exploreInput) options(hints *explore.Hints, launched *launcher) ([]explore.Option, error) {
	options, err := launched.find(from.provider)
	if err != nil {
		return nil, err
	}
	if from.confirm != "" {
		program, err := confirmsWith(from.confirm)
		if err != nil {
			return nil, err
		}
		options = append(options, explore.Confirm(program, launched.path))
	}
	if len(from.apply) > 0 {
		options = append(options, explore.Apply(from.apply...), explore.StateFile(from.state))
	}
	if from.unconfigured {
		options = append(options, explore.Unconfigured())
	}
	return append(options, explore.Types(from.types...), explore.Seed(from.seed), explore.Requests(from.requests),
		explore.TimeLimit(from.timeLimit), explore.WithHints(hints)), nil
}

// anyProgram is the value of --confirm without an argument.
const anyProgram = "terraform"

// confirmsWith returns the path of the program that confirms findings. If the program is anyProgram
// and not found, it returns the path of tofu.
func confirmsWith(program string) (path string, err error) {
	path, err = exec.LookPath(program)
	if err != nil && program == anyProgram {
		path, err = exec.LookPath("tofu")
	}
	if err != nil {
		return "", misused("--confirm: %w", err)
	}
	return path, nil
}

func (a *app) readHints(name string) (*explore.Hints, error) {
	if name == "" {
		return nil, nil
	}
	file, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return explore.ReadHints(name, file)
}

func (a *app) progress(p explore.Progress) {
	text := fmt.Sprintf("%d of %s, %d reached, %s, %s", p.Done, print.Plural(p.Types, "type"), p.Reached,
		print.Plural(p.Requests, "request"), print.Plural(p.Findings, "finding"))
	if p.Confirming > 0 {
		text = fmt.Sprintf("confirmed %d of %s", p.Confirmed, print.Plural(p.Confirming, "finding"))
	} else if p.Configuring > 0 {
		text = fmt.Sprintf("configuring the provider: configuration %d", p.Configuring)
	}
	a.term.Progress(text)
}
