package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// findingFlags adds the flags of the commands that find something.
func (a *app) findingFlags(cmd *cobra.Command) {
	cmd.Flags().Var(&a.format, "format", "how to print what is found: text, json, sarif or junit")
	cmd.Flags().BoolVar(&a.strict, "strict", false, "count what Core does not enforce, too")
	_ = cmd.RegisterFlagCompletionFunc("format", // which fails for a flag that is not there
		cobra.FixedCompletions(report.Formats(), cobra.ShellCompDirectiveNoFileComp))
}

// finish prints the report in the format that was asked for. It returns the
// error that ended the command early, if there is one, and errFindings if
// something counts. Without a report only the error is told, which Run writes where
// programs read. If the report cannot be written, what must be told is an error.
func (a *app) finish(r *report.Report, err error) error {
	if r == nil {
		return err
	}
	if err != nil {
		r.Error = err.Error()
	}
	if writeErr := a.safely(func() error { return a.write(r) }); writeErr != nil {
		return errors.Join(err, writeErr, a.mustTell)
	}
	if err == nil && r.Wrong(a.strict) {
		return errFindings
	}
	return err
}

// write writes the report, once.
func (a *app) write(r *report.Report) error {
	a.told = true
	return r.Write(a.out, a.format, report.Options{Strict: a.strict, Terminal: a.term, Version: version()})
}
