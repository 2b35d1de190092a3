package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"time"

	"github.com/spf13/cobra"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/objchange/internal/command"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// A driveInput is what the command line says of what to drive.
type driveInput struct {
	path, typeName            string
	config, initially, update string // files
	providerConfig            string // a file, or "" for an empty configuration
	importID                  string
	grace                     time.Duration // of what is under way when an interrupt comes
	yes                       bool
}

func newDriveCommand(a *app) *cobra.Command {
	var from driveInput
	cmd := &cobra.Command{
		Use:   "drive [flags] PROVIDER --type TYPE --config FILE",
		Short: "Take a resource through its lifecycle with a provider, without Terraform",
		Long: `Drive starts the executable PROVIDER and takes one resource through its lifecycle, as
Terraform would: create, refresh, update (with --update), import (with --import) and
destroy. It checks each response, and as text shows what each step changes.

Drive creates real objects, which may cost money until they are destroyed. It asks
first; where there is no terminal, it requires --yes. It destroys the object at the
end, also after a failed step, and reports what is left if it cannot.

An interrupt ends the run after the step under way, and destroys the object. A second
one ends the provider at once.

Configurations are JSON: {"name": "web", "disk": [{"size": 10}]}. Missing attributes
are null. In the file for --initially, {"$unknown": true} is a value that is not known
before apply. Sensitive values are hidden, also in what the provider says.

If the provider returns an error in a step, the exit status is 2.
Details: ` + documentation + `drive.md

` + exitStatus,
		Example: `  objchange drive ./terraform-provider-cloud --type cloud_server \
    --config cmd/objchange/testdata/example/provider/server.json
  objchange drive ./terraform-provider-cloud --type cloud_server \
    --config cmd/objchange/testdata/example/provider/server.json \
    --update cmd/objchange/testdata/example/provider/larger.json --import '{id}' \
    --provider-config cmd/objchange/testdata/example/provider/cloud.json --yes`,
		Args: wantArgs(cobra.ExactArgs(1), "one PROVIDER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			from.path = args[0]
			return a.drive(cmd.Context(), from)
		},
	}
	from.flags(cmd)
	a.findingFlags(cmd)
	return cmd
}

// flags adds the flags that say what to drive.
func (from *driveInput) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&from.typeName, "type", "", "the resource `TYPE`")
	flags.StringVar(&from.config, "config", "", "the `FILE` with the configuration to create with")
	flags.StringVar(&from.initially, "initially", "", "the `FILE` with the configuration to plan the creation with")
	flags.StringVar(&from.update, "update", "", "the `FILE` with the configuration to update to")
	flags.StringVar(&from.providerConfig, "provider-config", "", "the `FILE` with the provider's own configuration")
	flags.StringVar(&from.importID, "import", "", "import the object by this `ID`, in which {name} stands for its attribute")
	flags.DurationVar(&from.grace, "grace", 5*time.Minute, "`HOW LONG` a step may take after an interrupt, and then the destroy")
	flags.BoolVar(&from.yes, "yes", false, "do not ask")
	_ = cmd.MarkFlagRequired("type") // which fails for a flag that is not there
	_ = cmd.MarkFlagRequired("config")
	for _, name := range []string{"config", "initially", "update", "provider-config"} {
		_ = cmd.MarkFlagFilename(name, "json")
	}
}

func (a *app) drive(ctx context.Context, from driveInput) error {
	files, err := a.readConfigs(from)
	if err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if err := a.agreed(ctx, from, files); err != nil {
		return err
	}
	if from.grace <= 0 {
		return misused("--grace must be more than nothing")
	}
	ctx, stop := a.interruptible(ctx)
	defer stop()
	r, err := a.driven(ctx, from, files)
	return a.finish(r, err)
}

// agreed asks whether to go on, unless it has been said, when all is right that
// can be told before anything is done. The provider does not run while the
// question waits for an answer: an interrupt would leave it behind.
func (a *app) agreed(ctx context.Context, from driveInput, files configFiles) error {
	if from.yes {
		return nil
	}
	ctx, stop := signal.NotifyContext(ctx, command.Ends()...)
	d, err := a.start(ctx, from, files)
	stop()
	if err != nil {
		return err
	}
	_ = d.plugin.Close() // which has done all that it was asked for
	return a.confirmed(from)
}

func (a *app) confirmed(from driveInput) error {
	ok, err := a.term.Confirm(fmt.Sprintf("%s will create a real %s, and destroy it again. Go on?",
		words.Printable(from.path, ""), words.Printable(from.typeName, "")))
	switch {
	case errors.Is(err, terminal.ErrNoTerminal):
		return misused("this acts for real, and there is no terminal to ask on: give --yes")
	case err != nil:
		return err
	case !ok:
		return errors.New("not confirmed, and nothing done")
	}
	return nil
}

// driven starts the provider and takes a resource through its life.
func (a *app) driven(ctx context.Context, from driveInput, files configFiles) (*report.Report, error) {
	d, err := a.start(ctx, from, files)
	if err != nil {
		return nil, err
	}
	defer d.plugin.Close()
	if interrupted(ctx) {
		return nil, errInterrupted
	}
	step, done := d.patient(ctx)
	defer done()
	if err := d.configure(step, from.providerConfig, files.provider); err != nil {
		return nil, err
	}
	if interrupted(ctx) {
		return nil, errInterrupted
	}
	return d.report, d.run(ctx)
}

// start starts the provider, and makes all of the input that it can tell to be
// wrong an error.
func (a *app) start(ctx context.Context, from driveInput, files configFiles) (*drive, error) {
	d := &drive{app: a, input: from, secrets: secrets{}, report: &report.Report{Command: "drive"}}
	step, done := d.patient(ctx)
	defer done()
	running, end := context.WithCancelCause(ctx)
	started := context.AfterFunc(step, func() { end(context.Cause(step)) })
	var err error
	if d.plugin, err = launch(running, from.path); err != nil {
		return nil, err
	}
	started()
	if err := d.prepare(step, files); err != nil {
		_ = d.plugin.Close() // the error came first
		return nil, err
	}
	return d, nil
}

func (d *drive) prepare(ctx context.Context, files configFiles) (err error) {
	if d.driver, err = d.plugin.Driver(ctx); err != nil {
		return err
	}
	if d.object, err = d.driver.Resource(d.input.typeName); err != nil {
		return fmt.Errorf("%w%s", err, words.DidYouMean(d.nearTypes()))
	}
	if d.configs, err = files.values(d.object.Schema()); err != nil {
		return err
	}
	for _, config := range []any{d.configs.config, d.configs.initially, d.configs.update} {
		if value, ok := config.(cty.Value); ok {
			d.secrets.add(d.object.Schema().Block(), value)
		}
	}
	return d.checkImportID()
}
