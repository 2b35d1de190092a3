package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/internal/print"
)

// run runs the cases against the adapter. It returns nil instead of a report for --export.
func (o *options) run(ctx context.Context, out io.Writer) (*Report, error) {
	all, err := o.chosen()
	if err != nil {
		return nil, err
	}
	if o.export {
		return nil, export(out, all, o.codec)
	}
	if _, err := exec.LookPath(o.command[0]); err != nil {
		return nil, fmt.Errorf("the adapter cannot be started: %w", err)
	}
	report, err := o.score(ctx, all)
	switch {
	case err != nil:
	case report.Total.cases() == 0:
		err = errors.New("no cases are selected")
	case report.Total.supported() == 0:
		err = errors.New("no case is supported, so there is nothing to score")
	}
	return report, err
}

// chosen returns the selected cases.
func (o *options) chosen() (caseSeq, error) {
	var globs []string
	for _, glob := range o.globs {
		globs = append(globs, strings.ReplaceAll(regexp.QuoteMeta(glob), `\*`, ".*"))
	}
	ids := regexp.MustCompile("(?s)^(" + strings.Join(globs, "|") + ")$")
	keep := func(id string, op conformance.Op) bool {
		return (len(globs) == 0 || ids.MatchString(id)) && (len(o.ops) == 0 || slices.Contains(o.ops, string(op)))
	}
	if o.cases == "" {
		return conformance.Select(keep), nil
	}
	file, err := os.Open(o.cases) // open until the program ends
	return read(o.cases, file, keep), err
}

// score runs all cases against the adapter. If the adapter cannot be started, a case cannot be read or
// written, or the context ends, it returns an error and the report so far.
func (o *options) score(ctx context.Context, cases caseSeq) (*Report, error) {
	report := &Report{Total: Score{}, Operations: map[conformance.Op]Score{}, limit: o.limit}
	a := &adapter{o: o}
	defer a.stop()
	for c, err := range cases {
		if err != nil {
			return report, err
		}
		if o.giveUp > 0 && report.faults >= o.giveUp {
			report.Notes = append(report.Notes,
				"no more cases were sent after "+print.Plural(report.faults, "case")+" without an answer: see --give-up")
			break
		}
		result, err := a.ask(ctx, c)
		if err != nil {
			return report, err
		}
		report.add(result)
	}
	if report.Total.answered() == 0 && report.faults > 0 {
		report.Shown = report.Shown[:min(1, len(report.Shown))] // they fail in the same way, and no case is the cause
		report.Notes = append(report.Notes, "the adapter gave no outcome: it must flush its output after each line, "+
			"and the values are MessagePack without --values json")
	}
	return report, nil
}
