package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

func newMergeCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "merge [flags] REPORT.json...",
		Short: "Make one report of several",
		Long: `Merge reads reports that were written with --format json, as by audit --shard on
several machines, and prints the one report that all would have been: in any format,
with one summary, in the order of the files. Of shards, all must be there, each
once. What was ignored stays so, and an entry of which no part had any use is told.
With --strict or --fail-on-skipped in one of the reports, all are counted so.

The exit status is that of the whole: 2 if something could not be used in a part.`,
		Example: `  objchange merge part-*.json
  objchange merge --format sarif -o report.sarif part-*.json`,
		Args:              wantArgs(cobra.MinimumNArgs(1), "at least one REPORT"),
		ValidArgsFunction: completeJSON,
		RunE:              func(_ *cobra.Command, names []string) error { return a.merge(names) },
	}
	a.reportFlags(cmd)
	return cmd
}

func (a *app) merge(names []string) error {
	var parts []*report.Report
	for _, name := range names {
		r, o, err := a.readReport(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		a.strict, a.failOnSkipped = a.strict || o.Strict, a.failOnSkipped || o.FailOnSkipped
		parts = append(parts, r)
	}
	all, err := report.Merge(parts)
	if err != nil {
		return err
	}
	var unusable report.Failures
	for _, text := range all.Errors {
		unusable.Add(errors.New(text))
	}
	return a.conclude(all, reported(unusable))
}

// maxReport is how large a report may be.
const maxReport = 512 << 20

func (a *app) readReport(name string) (*report.Report, report.Options, error) {
	in, err := a.open(name)
	if err != nil {
		return nil, report.Options{}, err
	}
	defer in.Close()
	return report.Read(files.Limit(document.PlainText(in), maxReport))
}
