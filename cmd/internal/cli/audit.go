package cli

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/internal/audit"
	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/print"
)

func newAuditCommand(a *app) *cobra.Command {
	var schemas []string
	var requireState bool
	cmd := &cobra.Command{
		Use:   "audit [flags] {PLAN.json [STATE.json] | PLAN...} --schemas FILE",
		Short: "Check plans, and the states after apply",
		Long: `Check that a plan conforms to the schemas and is consistent. If you also pass the state
after apply, check that the state agrees with the plan. To write the files, run:

  terraform plan -out plan.bin && terraform show -json plan.bin > plan.json
  terraform apply plan.bin && terraform show -json > state.json
  terraform providers schema -json > schemas.json

A PLAN is a file, or a folder with files such as plan.json or web.plan.json. For folders
and several plans, audit uses the state next to each plan, as state.json for plan.json.

` + exitStatus + `
Details: ` + documentation + "pipelines.md",
		Example: `  cd testdata/recordings/time && objchange audit --schemas schemas.json 4-replace
  objchange audit --schemas testdata/recordings/time/schemas.json testdata/recordings/time`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.audit(args, schemas, requireState)
		},
	}
	cmd.Flags().StringArrayVar(&schemas, "schemas", nil, "a `FILE` of \"terraform providers schema -json\"")
	cmd.Flags().BoolVar(&requireState, "require-state", false, "fail if the state of a plan is missing")
	a.findingFlags(cmd)
	return cmd
}

func (a *app) audit(names []string, schemaNames []string, requireState bool) error {
	stdin := 0
	for _, name := range slices.Concat(names, schemaNames) {
		if name == "-" {
			stdin++
		}
	}
	switch {
	case len(schemaNames) == 0:
		return misused("no schemas: run this command in the folder of the configuration, and pass the file with " +
			"--schemas:\n  terraform providers schema -json > schemas.json")
	case stdin > 1:
		return misused("only one of the files can be stdin")
	}
	schemas, err := a.readSchemas(schemaNames)
	if err != nil {
		return err
	}
	pairs, passed, err := audit.Find(names)
	if err != nil {
		return err
	}
	all := &report.Report{Command: "audit"}
	var unusable []error
	for _, pair := range pairs {
		r, err := audit.Run(pair, schemas, a.open)
		switch {
		case err == nil && requireState && pair.State == "":
			err = fmt.Errorf("%s: the state after apply is missing, and --require-state is set", pair.Plan)
		case r == nil && len(pairs) == 1:
			return err
		case r == nil:
			r = &report.Report{Subjects: []report.Subject{{
				Group: pair.Plan, Address: pair.Plan, Status: report.Skipped, Reason: err.Error(),
				Place: report.Place{File: pair.Plan},
			}}}
		}
		if err != nil {
			unusable = append(unusable, err)
		}
		all.Subjects = append(all.Subjects, r.Subjects...)
		for _, note := range r.Notes {
			if len(pairs) > 1 {
				note = pair.Plan + ": " + note
			}
			all.Notes = append(all.Notes, note)
		}
	}
	if len(passed) > 0 {
		all.Notes = append(all.Notes, "skipped "+print.Plural(len(passed), "file")+" with JSON, which have no name of a "+
			"plan and are not the state of a plan: "+words.Short(strings.Join(passed, ", "), maxErrorLine))
	}
	return a.finish(all, errors.Join(unusable...))
}

// readSchemas reads files with the schemas of providers, and joins them. It is an error if two files
// have different schemas of a provider.
func (a *app) readSchemas(names []string) (*configschema.ProviderSchemas, error) {
	all := &configschema.ProviderSchemas{Providers: map[string]*configschema.ProviderSchema{}}
	from := map[string]string{} // the file of each provider
	for _, name := range names {
		schemas, err := document.ReadSchemas(name, a.open)
		if err != nil {
			return nil, err
		}
		for provider, schema := range schemas.Providers {
			if other := all.Providers[provider]; other != nil && !reflect.DeepEqual(other, schema) {
				return nil, fmt.Errorf("%s and %s have different schemas of the provider %s",
					from[provider], name, provider)
			}
			all.Providers[provider], from[provider] = schema, name
		}
	}
	return all, nil
}
