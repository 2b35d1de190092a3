package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/audit"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/configschema"
)

func newAuditCommand(a *app) *cobra.Command {
	var schemas, shard string
	cmd := &cobra.Command{
		Use:   "audit [flags] {PLAN.json [STATE.json] | PLAN...} --schemas FILE",
		Short: "Judge plans, and the states after they were applied",
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

Several plans are judged in one call: each PLAN is a file, a folder with all that is
below it, or a glob, in which ** is any folders. With each goes the state that lies
beside it and has its name, with "state" for "plan": state.json with plan.json. Other
files in folders and globs are passed over. A file that cannot be used does not keep
the others from being judged.

Of many plans, --shard 3/20 judges the third of twenty parts, on any machine; merge
makes one report of theirs, the same that one call would have made:

  objchange audit plans --schemas schemas.json --shard 3/20 --format json -o part-3.json
  objchange merge part-*.json

Plans may be larger than the memory: a resource is read when it is judged, on all
processors.

A plan does not tell that a provider uses the legacy SDK, of which Core only logs
some of what is found after apply. Here it counts.`,
		Example: `  cd testdata/recordings/time && objchange audit --schemas schemas.json 4-replace/plan.json 4-replace/state.json
  objchange audit --schemas testdata/recordings/time/schemas.json 'testdata/recordings/**/*.json'
  objchange audit - --schemas testdata/recordings/time/schemas.json < testdata/recordings/time/1-create/plan.json`,
		Args:              wantArgs(cobra.MinimumNArgs(1), "at least one PLAN"),
		ValidArgsFunction: completeJSON,
		RunE:              func(_ *cobra.Command, args []string) error { return a.audit(args, schemas, shard) },
	}
	cmd.Flags().StringVar(&schemas, "schemas", "", "the `FILE` that \"terraform providers schema -json\" printed")
	cmd.Flags().StringVar(&shard, "shard", "", "judge the `K/N`-th part of the plans, as 3/20")
	_ = cmd.MarkFlagFilename("schemas", "json") // which fails for a flag that is not there
	a.findingFlags(cmd)
	return cmd
}

func (a *app) audit(names []string, schemasName, shardText string) error {
	stdin := 0
	for _, name := range append(slices.Clone(names), schemasName) {
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
	var shard audit.Shard
	if shardText != "" {
		var err error
		if shard, err = audit.ParseShard(shardText); err != nil {
			return misused("--shard: %w", err)
		}
	}
	schemas, err := a.readSchemas(schemasName)
	if err != nil {
		return err
	}
	pairs, passed, err := audit.Find(names)
	if err != nil {
		return err
	}
	if len(names) == 1 && len(pairs) == 1 && pairs[0].Plan == names[0] && shardText == "" {
		return a.finish(a.auditPair(pairs[0], schemas))
	}
	return a.auditAll(shard.Of(pairs), schemas, passed, shardText)
}

// auditAll judges several plans, all of them whatever comes.
func (a *app) auditAll(pairs []audit.Pair, schemas *configschema.ProviderSchemas, passed int, shard string) error {
	all := &report.Report{Command: "audit", Shard: shard}
	var unusable report.Failures
	for _, pair := range pairs {
		r, err := a.auditPair(pair, schemas)
		if err != nil {
			unusable.Add(err)
		}
		if r == nil {
			all.Subjects = append(all.Subjects, document.Unused(pair.Plan, err))
			continue
		}
		all.Subjects = append(all.Subjects, r.Subjects...)
		for _, note := range r.Notes {
			all.Notes = append(all.Notes, pair.Plan+": "+note)
		}
	}
	if passed > 0 {
		all.Notes = append(all.Notes, "passed over "+words.Plural(passed, "file")+" with JSON that is neither a plan nor a state")
	}
	slices.Sort(all.Notes) // as merge has them
	return a.finish(all, reported(unusable))
}

func (a *app) auditPair(pair audit.Pair, schemas *configschema.ProviderSchemas) (*report.Report, error) {
	if pair.Err != nil {
		return nil, pair.Err
	}
	plan, err := a.open(pair.Plan)
	if err != nil {
		return nil, err
	}
	defer plan.Close()
	in := audit.Input{Name: pair.Plan, Reader: plan}
	if pair.State == "" {
		return audit.Run(in, nil, schemas)
	}
	state, err := a.open(pair.State)
	if err != nil {
		return nil, err
	}
	defer state.Close()
	return audit.Run(in, &audit.Input{Name: pair.State, Reader: state}, schemas)
}

// readSchemas reads the schemas of providers.
func (a *app) readSchemas(name string) (*configschema.ProviderSchemas, error) {
	file, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return document.ReadSchemas(name, file)
}
