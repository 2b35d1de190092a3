package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/internal/ignore"
	"github.com/objchange/objchange/cmd/internal/report"
)

// choose adds a flag with a fixed set of values. The default is the present value.
func choose[T ~string](cmd *cobra.Command, to *T, name, usage string, of ...T) {
	var names []string
	for _, value := range of {
		names = append(names, string(value))
	}
	list := strings.Join(names, ", ")
	cmd.Flags().Func(name, fmt.Sprintf("%s: %s (default %s)", usage, list, *to), func(text string) error {
		if !slices.Contains(names, text) {
			return fmt.Errorf("must be one of %s", list)
		}
		*to = T(text)
		return nil
	})
	_ = cmd.RegisterFlagCompletionFunc(name, // fails only for a flag that does not exist
		cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// findingFlags adds the flags of commands that report findings.
func (a *app) findingFlags(cmd *cobra.Command) {
	a.failOn = report.FailOnCore
	choose(cmd, &a.format, "format", "the `FORMAT` of the report", report.Formats()...)
	choose(cmd, &a.failOn, "fail-on", "count the findings of this `VALUE` "+
		"(core: what Terraform rejects, and perpetual-diff; all: also what is tolerated or unchecked)", report.FailOns()...)
	flags := cmd.Flags()
	flags.StringVarP(&a.output, "output", "o", "", "write the report to this `FILE`")
	flags.BoolVar(&a.all, "all", false, "list each subject and each finding, also those that the legacy SDK causes")
	flags.BoolVar(&a.failOnSkipped, "fail-on-skipped", false, "also fail if a subject could not be checked")
	flags.StringArrayVar(&a.ignored, "ignore", nil, "ignore findings of this `RULE[:ADDRESS[:PATH]]`. "+
		"* matches any text. .objchange.yaml has the same for all runs in a folder")
	flags.StringArrayVar(&a.baselines, "baseline", nil, "ignore findings that this `FILE` lists, as .objchange.yaml")
	flags.StringVar(&a.writeBaseline, "write-baseline", "", "write a baseline to this `FILE`. Requires --reason")
	flags.StringVar(&a.reason, "reason", "", "write this `TEXT` as the reason into the entries of --write-baseline")
	flags.StringVar(&a.expires, "expires", "", "the last `DAY` of the entries of --write-baseline, such as 2006-01-02")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		return a.readIgnores(cmd.Name()) // before the command does anything
	}
}

func (a *app) options() report.Options {
	return report.Options{
		FailOn: a.failOn, FailOnSkipped: a.failOnSkipped, All: a.all, Terminal: a.term, Version: version(),
	}
}

// finish prints the report in the selected format. It returns err, or errFindings if a finding
// counts. If the report cannot be written, the returned error includes its notes.
func (a *app) finish(r *report.Report, err error) error {
	a.ignores.Apply(r)
	r.Ignores = a.ignores.Uses()
	a.exiting.Lock()
	defer a.exiting.Unlock()
	if to := a.stopped.Load(); to != nil && !a.toStandardOutput() {
		a.endSoon(*to)
	}
	if err == nil && r.Unchecked() {
		err = report.ErrUnchecked
	}
	r.Fail(err)
	if writeErr := errors.Join(a.write(r), a.baseline(r)); writeErr != nil { // the notes may name remaining objects
		err = errors.Join(err, writeErr)
		for _, note := range r.Notes {
			err = errors.Join(err, errors.New(note))
		}
		return err
	}
	if err == nil && r.Wrong(a.options()) && a.writeBaseline == "" {
		return errFindings
	}
	return err
}

// readIgnores reads the entries for ignored findings from flags and files. Watch, replay and explore
// see requests to providers, which have the type of a resource and no address, so an address in a
// flag is an error.
func (a *app) readIgnores(command string) error {
	if err := a.checkBaseline(); err != nil {
		return err
	}
	var entries []ignore.Entry
	for _, text := range a.ignored {
		e, err := ignore.Parse(text)
		if err != nil {
			return misused("--ignore: %w", err)
		}
		if strings.Contains(e.Address, ".") && slices.Contains([]string{"watch", "replay", "explore"}, command) {
			return misused("--ignore %s: %s does not know addresses: use a resource type instead of %s",
				text, command, e.Address)
		}
		entries = append(entries, e)
	}
	read := func(name string) error {
		if err := a.notOutput(name); err != nil {
			return err
		}
		more, err := ignore.Read(name)
		a.ignoreFiles, entries = append(a.ignoreFiles, name), append(entries, more...)
		return err
	}
	for _, name := range a.baselines {
		if err := read(name); err != nil {
			return err
		}
	}
	named := func(found string) bool {
		return slices.ContainsFunc(a.baselines, func(name string) bool { return sameFile(name, found) })
	}
	if _, err := os.Lstat(ignore.FileName); err == nil && !named(ignore.FileName) {
		if err := read(ignore.FileName); err != nil {
			return err
		}
	}
	a.ignores = ignore.NewSet(entries, time.Now())
	return a.keepsBaseline()
}

// keepsBaseline returns an error if --write-baseline would overwrite a file that was not read.
func (a *app) keepsBaseline() error {
	known := func(name string) bool { return sameFile(name, a.writeBaseline) }
	info, err := os.Stat(a.writeBaseline)
	if err != nil || info.Size() == 0 || slices.ContainsFunc(a.ignoreFiles, known) {
		return nil
	}
	return misused("--write-baseline: %[1]s exists: add --baseline %[1]s to keep the entries that still match, "+
		"or remove the file", a.writeBaseline)
}

func (a *app) checkBaseline() error {
	if a.writeBaseline == "" && (a.reason != "" || a.expires != "") {
		return misused("--reason and --expires require --write-baseline")
	}
	if a.writeBaseline != "" && !ignore.IsReason(a.reason) {
		return misused("--write-baseline requires --reason, which says why the findings are ignored")
	}
	if info, err := os.Stat(a.writeBaseline); err == nil && !info.Mode().IsRegular() {
		// A line of YAML on standard output may be a workflow command.
		return misused("--write-baseline: %s is not a regular file", a.writeBaseline)
	}
	if a.writeBaseline != "" && filepath.Clean(a.writeBaseline) == filepath.Clean(a.output) {
		return misused("--output and --write-baseline need different files")
	}
	if err := ignore.Day(a.expires).Check(); err != nil {
		return misused("--expires: %w", err)
	}
	if a.expires != "" && a.expires < time.Now().Format(time.DateOnly) {
		return misused("--expires: %s is in the past, so the entries would have no effect", a.expires)
	}
	return nil
}

func (a *app) toStandardOutput() bool { return a.output == "" || a.output == "-" }

// write writes the report. It must be called only once.
func (a *app) write(r *report.Report) error {
	a.reportWritten = true
	return a.printed(func(w io.Writer) error {
		return r.Write(w, a.format, a.options())
	})
}

// baseline writes the baseline with the findings that count. If the file exists, it keeps the
// entries that are still needed. If an error ended the command early, it keeps all entries that
// have not expired.
func (a *app) baseline(r *report.Report) error {
	if a.writeBaseline == "" {
		return nil
	}
	var kept []ignore.Entry
	for _, name := range a.ignoreFiles {
		if sameFile(name, a.writeBaseline) {
			kept = a.ignores.Kept(name, r.Error != "")
		}
	}
	err := writeFile(a.writeBaseline, func(w io.Writer) error {
		return ignore.WriteBaseline(w, kept, r, a.options(), a.reason, ignore.Day(a.expires))
	})
	if err == nil {
		a.say(fmt.Sprintf("the findings that count are now in %[1]s: --baseline %[1]s ignores them", a.writeBaseline))
	}
	return err
}
