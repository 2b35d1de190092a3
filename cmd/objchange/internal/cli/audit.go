package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/audit"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
)

func newAuditCommand(a *app) *cobra.Command {
	var schemas string
	cmd := &cobra.Command{
		Use:   "audit [flags] PLAN.json [STATE.json] --schemas FILE",
		Short: "Judge a plan, and the state after it was applied",
		Long: `Audit judges a plan, and with the state after it, whether apply kept every
promise that the plan made.

To get the documents:

  terraform plan -out plan.bin && terraform show -json plan.bin > plan.json
  terraform apply plan.bin && terraform show -json > state.json
  terraform providers schema -json > schemas.json

Of each change in the plan: the values before and after conform to the schema and
are known where they must be, the actions and the paths that require replacement
agree with them, write-only attributes are null, and planned values and prior
state say the same. Of its configuration: computed-only attributes are not set,
and write-only ones are no constants, which every plan would show.

With the state, each resource instance and each deposed object is what was
planned: what was to be created is there, what was to be deleted is gone, and all
that was known is as it was. A data source that apply reads must only be known and
conform to the schema. What is in the plan or the state alone is told as well, and
what has no schema is skipped; if that is all there is, the input cannot be used.

A plan does not tell that a provider uses the legacy SDK, of which Core only logs
some of what is found after apply. Here it counts.`,
		Example: `  cd testdata/recordings/time && objchange audit --schemas schemas.json 4-replace/plan.json 4-replace/state.json
  objchange audit - --schemas testdata/recordings/time/schemas.json < testdata/recordings/time/1-create/plan.json`,
		Args:              wantArgs(cobra.RangeArgs(1, 2), "one PLAN and at most one STATE"),
		ValidArgsFunction: completeJSON,
		RunE:              func(_ *cobra.Command, args []string) error { return a.audit(args, schemas) },
	}
	cmd.Flags().StringVar(&schemas, "schemas", "", "the `FILE` that \"terraform providers schema -json\" printed")
	_ = cmd.MarkFlagFilename("schemas", "json") // which fails for a flag that is not there
	a.findingFlags(cmd)
	return cmd
}

func (a *app) audit(documents []string, schemasName string) error {
	stdin := 0
	for _, name := range append(slices.Clone(documents), schemasName) {
		if name == "-" {
			stdin++
		}
	}
	switch {
	case schemasName == "":
		return misused("no schemas: write them where the configuration is, and name the file with --schemas:\n  %s",
			"terraform providers schema -json > schemas.json")
	case stdin > 1:
		return misused("stdin can be one of the files only")
	}
	schemas, err := a.readSchemas(schemasName)
	if err != nil {
		return err
	}
	var inputs []audit.Input
	for _, name := range documents {
		file, err := a.open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		inputs = append(inputs, audit.Input{Name: name, Reader: file})
	}
	var state *audit.Input
	if len(inputs) > 1 {
		state = &inputs[1]
	}
	return a.finish(audit.Run(inputs[0], state, schemas))
}

// readSchemas reads the schemas of providers.
func (a *app) readSchemas(name string) (*objchange.ProviderSchemas, error) {
	file, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return document.ReadSchemas(name, file)
}
