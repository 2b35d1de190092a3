package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/internal/command"
	"github.com/objchange/objchange/cmd/internal/drive"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/cmd/internal/words"
)

// A driveInput is the command line of drive.
type driveInput struct {
	drive.Input
	yes bool
}

func newDriveCommand(a *app) *cobra.Command {
	var from driveInput
	cmd := &cobra.Command{
		Use:   "drive [flags] PROVIDER --type TYPE --config FILE",
		Short: "Create, update and destroy a resource with a provider, without Terraform",
		Long: `Start the executable PROVIDER and take one resource through its lifecycle: create,
refresh, update (with --update), import (with --import) and destroy. Check each response.
The text format also shows the changes of each step.

Drive creates a real object, which may cost money until it is destroyed. It asks for
confirmation first. It destroys the object at the end, even if a step failed, and after an
interrupt. A second interrupt ends the provider at once.

` + exitStatus + `
If the provider returns an error, the exit status is also 2.
Details, and the format of FILE: ` + documentation + `drive.md`,
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
	return cmd
}

// flags adds the flags of drive.
func (from *driveInput) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&from.Type, "type", "", "the `TYPE` of the resource")
	flags.StringVar(&from.Config, "config", "", "create the object with the configuration in this JSON `FILE`")
	flags.StringVar(&from.Initially, "initially", "", "plan with the configuration in this `FILE` first, in which {\"$unknown\": true} is an unknown value")
	flags.StringVar(&from.Update, "update", "", "update the object with the configuration in this JSON `FILE`")
	flags.StringVar(&from.ProviderConfig, "provider-config", "", "configure the provider with this JSON `FILE`")
	flags.StringVar(&from.Import, "import", "", "import the object with this `ID`. {name} in it is replaced by the attribute \"name\" of the object")
	flags.DurationVar(&from.Grace, "grace", 5*time.Minute, "after an interrupt, limit the current step and the destroy to this `DURATION` each")
	flags.BoolVar(&from.yes, "yes", false, "do not ask for confirmation. Required without a terminal")
	_ = cmd.MarkFlagRequired("type") // fails only for a flag that does not exist
	_ = cmd.MarkFlagRequired("config")
	for _, name := range []string{"config", "initially", "update", "provider-config"} {
		_ = cmd.MarkFlagFilename(name, "json")
	}
}

func (a *app) drive(ctx context.Context, from driveInput) error {
	names := []string{from.Config, from.Initially, from.Update, from.ProviderConfig}
	if i := slices.Index(names, "-"); i >= 0 && slices.Contains(names[i+1:], "-") {
		return misused("only one of the files can be stdin")
	}
	if from.Grace <= 0 {
		return misused("--grace must be more than 0")
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

// agreed asks the user whether to continue, unless --yes is set. It checks the input first. The
// provider does not run during the question, because an interrupt would leave it behind.
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
		return misused("drive creates a real object, and there is no terminal for the confirmation: pass --yes")
	case err != nil:
		return err
	case !ok:
		return errors.New("not confirmed, so nothing was done")
	}
	return nil
}
