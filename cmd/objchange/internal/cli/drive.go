package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/command"
	"github.com/objchange/objchange/cmd/objchange/internal/drive"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// A driveInput is what the command line says of what to drive.
type driveInput struct {
	drive.Input
	yes bool
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
			from.Provider = args[0]
			return a.drive(cmd.Context(), from)
		},
	}
	from.flags(cmd)
	a.findingFlags(cmd)
	a.allFlag(cmd)
	return cmd
}

// flags adds the flags that say what to drive.
func (from *driveInput) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&from.Type, "type", "", "the resource `TYPE`")
	flags.StringVar(&from.Config, "config", "", "the `FILE` with the configuration to create with")
	flags.StringVar(&from.Initially, "initially", "", "the `FILE` with the configuration to plan the creation with")
	flags.StringVar(&from.Update, "update", "", "the `FILE` with the configuration to update to")
	flags.StringVar(&from.ProviderConfig, "provider-config", "", "the `FILE` with the provider's own configuration")
	flags.StringVar(&from.Import, "import", "", "import the object by this `ID`, in which {name} stands for its attribute")
	flags.DurationVar(&from.Grace, "grace", 5*time.Minute, "`HOW LONG` a step may take after an interrupt, and then the destroy")
	flags.BoolVar(&from.yes, "yes", false, "do not ask")
	_ = cmd.MarkFlagRequired("type") // which fails for a flag that is not there
	_ = cmd.MarkFlagRequired("config")
	for _, name := range []string{"config", "initially", "update", "provider-config"} {
		_ = cmd.MarkFlagFilename(name, "json")
	}
}

func (a *app) drive(ctx context.Context, from driveInput) error {
	names := []string{from.Config, from.Initially, from.Update, from.ProviderConfig}
	if i := slices.Index(names, "-"); i >= 0 && slices.Contains(names[i+1:], "-") {
		return misused("stdin can be one of the files only")
	}
	if from.Grace <= 0 {
		return misused("--grace must be more than nothing")
	}
	if err := from.Read(a.open); err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if err := a.agreed(ctx, from); err != nil {
		return err
	}
	interrupts, stop := drive.Catch(ctx, a.errOut)
	defer stop()
	out := drive.Output{Term: a.term, ErrOut: a.errOut}
	if a.format == report.Text {
		out.Changes = a.out
	}
	return a.finish(from.Run(interrupts, out))
}

// agreed asks whether to go on, unless the command line says so. Before, it checks all
// that can be checked. The provider does not run while the question waits for an answer:
// an interrupt would leave it behind.
func (a *app) agreed(ctx context.Context, from driveInput) error {
	if from.yes {
		return nil
	}
	ctx, stop := signal.NotifyContext(ctx, command.Ends()...)
	err := from.Check(ctx)
	stop()
	if err != nil {
		return err
	}
	ok, err := a.term.Confirm(fmt.Sprintf("%s will create a real %s, and destroy it again. Go on?",
		words.Printable(from.Provider, ""), words.Printable(from.Type, "")))
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
