package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/command"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/harness"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/conformance"
)

// A conformanceInput is what the command line says of what to ask, and whom.
type conformanceInput struct {
	adapter harness.Adapter
	ops     []string
	globs   []string
	values  string
	limit   int

	cases, answers, want string // files; want may be the name of a recorded outcome
	generate             int
	seed                 uint64
	failing              string // a file
	list                 bool
	export               string
}

func newConformanceCommand(a *app) *cobra.Command {
	var input conformanceInput
	cmd := &cobra.Command{
		Use:   "conformance [flags] {-- ADAPTER [ARG...] | --answers FILE | --list | --export FILE}",
		Short: "Hold another implementation to what Terraform Core answers",
		Long: `Conformance asks an implementation, in any language, what Terraform Core was asked:
38 146 cases, whose answers are recorded, and some more that follow from them. It
scores the answers, by operation and by rule, and shows the smallest cases that it gets
wrong, with all that is in them: cases are there to be shown, so none should be made of
somebody's secrets.

ADAPTER is a program that reads cases on its standard input, a line of JSON each, and
writes an answer to each on its standard output, before it gets the next one; the
format is in conformance/FORMAT.md, and examples are in conformance/adapters. Values
are MessagePack, as providers have them, or JSON with --values json. What it does not
do, it answers with unsupported, which does not count.

An adapter that crashes, does not answer in time, or writes anything else than an
answer to what it is asked fails that case. It is ended then, with all that it has
started, and started again; after ten such cases (--give-up) it is not asked further,
as the report says. What it writes to standard error is shown where it fails. It runs as
often as there are processors (--jobs); the report does not depend on that. An
interrupt ends the run, and what is known by then is reported.

The verdict of a case is one of

  same         right
  value        another value
  verdict      accepted what is to be rejected, or the other way round, or no value
               where there is one
  naming       rejected, as is right, but with another rule or path
  malformed    no answer: not JSON, not to this case, more than one, or a value that
               does not fit the schema
  crashed      it ended instead
  silent       it did not answer in time
  unsupported  it does not do that
  not asked

The score is the part that is right of what was asked and is not unsupported, and the
coverage is how much that is of all cases.

Without ADAPTER, there are files: --export writes the cases with what is right, in
either form of values, compressed if the name ends in .gz; --answers judges answers
that somebody wrote. --cases has other cases than those of Terraform; one without an
outcome is held to what this program answers. --want holds all to another recorded
outcome than the right one, such as opentofu, or to a file with the answers of another
implementation (its name has a dot or a slash), so that two can be compared; cases
without one are left out.

--generate makes new cases, some fourteen of each of as many random resources, which
--seed decides; the same seed makes the same ones. --shrink makes of each case that is
shown the smallest schema and values on which the adapter fails by the same verdict,
held to what this program answers; of one that is silent it does not, as each try would
take as long.
--write-failing keeps the cases that are shown, for --cases.

The exit status is 0 if all that is answered is right, also if the adapter does not do
all, unless --fail-on-skipped is given; 1 if not; and 2 if it does nothing at all or
cannot be started, the input cannot be used, or the run was interrupted.`,
		Example: `  objchange conformance --values json -- python3 conformance/adapters/python/adapter.py
  objchange conformance --values json --op proposed --limit 1 -- ./adapter
  objchange conformance --format badge -o conformance.svg -- ./adapter
  objchange conformance --export cases.jsonl.gz --values json
  objchange conformance --answers ours.jsonl --want theirs.jsonl
  objchange conformance --generate 1000 --seed 7 --shrink --limit 1 -- ./adapter`,
		DisableFlagsInUseLine: true,
		PreRunE: func(cmd *cobra.Command, args []string) error {
			if err := input.check(cmd, args); err != nil {
				return err
			}
			return a.checkOutput()
		},
		RunE: func(_ *cobra.Command, args []string) error {
			input.adapter.Command = args
			return a.conformance(input)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&input.ops, "op", nil, "ask only this `OP`; repeat it for more")
	flags.StringArrayVar(&input.globs, "case", nil, "ask only cases whose id is this `GLOB`, with * for any text; repeat it for more")
	flags.IntVar(&input.limit, "limit", 5, "show `N` of the cases that are wrong")
	flags.IntVar(&input.adapter.Jobs, "jobs", 0, "run `N` adapters at once (default: as many as there are processors)")
	flags.DurationVar(&input.adapter.Timeout, "timeout", 10*time.Second, "how long each answer may take")
	flags.IntVar(&input.adapter.GiveUp, "give-up", 10, "ask no further after `N` cases without an answer; 0 is never")
	flags.StringVar(&input.values, "values", "msgpack", "how values are written: `FORM` is msgpack or json")
	flags.StringVar(&input.cases, "cases", "", "the cases of this `FILE` instead of those of Terraform, or - for stdin")
	flags.IntVar(&input.generate, "generate", 0, "cases of `N` random resources instead of those of Terraform")
	flags.Uint64Var(&input.seed, "seed", 1, "which random resources --generate makes")
	flags.BoolVar(&input.adapter.Shrink, "shrink", false, "make the cases that are shown as small as they can be")
	flags.StringVar(&input.failing, "write-failing", "", "write the cases that are shown to this `FILE`, for --cases")
	flags.StringVar(&input.answers, "answers", "", "judge the answers in this `FILE`, or - for stdin, instead of asking")
	flags.StringVar(&input.want, "want", "", "hold to the recorded outcome of this `NAME`, or to the answers in this FILE, as ./answers")
	flags.BoolVar(&input.list, "list", false, "print the cases, as id and op, or as lines of JSON with --format json")
	flags.StringVar(&input.export, "export", "", "write the cases to this `FILE`, or - for stdout")
	flags.SetInterspersed(false) // those of ADAPTER are its own
	a.formatFlags(cmd, report.ScoresFormat{Format: &a.format}, report.ScoresFormats())
	ops := make([]cobra.Completion, 0, len(conformance.Ops()))
	for _, op := range conformance.Ops() {
		ops = append(ops, string(op))
	}
	fixed := func(flag string, values ...cobra.Completion) {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // which fails for a flag that is not there
	}
	fixed("op", ops...)
	fixed("values", "msgpack", "json")
	return cmd
}

// check fails for a command line that does not say what to do.
func (input conformanceInput) check(cmd *cobra.Command, args []string) error {
	ways := 0
	for _, way := range []bool{len(args) > 0, input.answers != "", input.list, input.export != ""} {
		if way {
			ways++
		}
	}
	reads := 0
	for _, name := range []string{input.cases, input.answers, input.want} {
		if name == "-" {
			reads++
		}
	}
	switch {
	case len(args) > 0 && cmd.ArgsLenAtDash() != 0:
		return misused("want -- before ADAPTER")
	case ways != 1:
		return misused("want one of ADAPTER, --answers, --list and --export")
	case input.values != "msgpack" && input.values != "json":
		return misused("--values: want msgpack or json")
	case input.want != "" && (input.list || input.export != ""):
		return misused("--want is for what is judged")
	case input.cases != "" && input.generate != 0:
		return misused("want one of --cases and --generate")
	case input.generate == 0 && cmd.Flags().Changed("seed"):
		return misused("--seed is for --generate")
	case input.generate < 0:
		return misused("--generate must not be below zero")
	case input.adapter.Shrink && (len(args) == 0 || input.want != ""):
		return misused("--shrink needs an ADAPTER, and nothing that others answered with --want")
	case input.failing != "" && (len(args) == 0 || input.failing == "-"):
		return misused("--write-failing needs an ADAPTER, and a file")
	case reads > 1:
		return misused("stdin is one file only")
	case input.limit < 0 || input.adapter.GiveUp < 0 || input.adapter.Jobs < 0 || input.adapter.Timeout <= 0:
		return misused("--limit, --give-up and --jobs must not be below zero, and --timeout must be above")
	}
	for _, op := range input.ops {
		if !slices.Contains(conformance.Ops(), conformance.Op(op)) {
			return misused("--op: there is no %q: want one of %s", op, joinOps())
		}
	}
	return nil
}

func joinOps() string {
	var names []string
	for _, op := range conformance.Ops() {
		names = append(names, string(op))
	}
	return strings.Join(names, ", ")
}

// codec is how values are written.
func (input conformanceInput) codec() conformance.Codec {
	if input.values == "json" {
		return document.Codec{}
	}
	return harness.Packed{}
}

func (a *app) conformance(input conformanceInput) error {
	a.told = a.told || a.format == report.Badge // which errors leave as it is
	cases, done, err := a.chosen(input)
	if err != nil {
		return err
	}
	defer done()
	switch {
	case input.list:
		return a.listCases(cases)
	case input.export != "":
		return a.exportCases(input.export, cases, input.codec())
	}
	left := 0
	if cases, err = a.held(input.want, cases, &left); err != nil {
		return err
	}
	r, err := a.judge(input, cases)
	if r == nil {
		return err
	}
	total := r.Scores.Total
	if total.Answered() == 0 && total.Crashed+total.Malformed > 0 && input.values == "msgpack" {
		r.Notes = append(r.Notes, "nothing was answered: values were MessagePack, and are JSON with --values json")
	}
	if _, some := total.Score(); err == nil && !some && total.Unsupported > 0 {
		err = errors.New("all is unsupported, so that there is nothing to score")
	}
	switch {
	case err != nil && a.format == report.Badge:
		return err
	case err == nil && len(r.Subjects) == 0 && left > 0:
		return fmt.Errorf("no case has an outcome of %s", input.want)
	case err == nil && len(r.Subjects) == 0:
		return errors.New("there are no such cases: see --list")
	case left > 0:
		r.Notes = append(r.Notes, fmt.Sprintf("%s left out, without an outcome of %s", words.Plural(left, "case"), input.want))
	}
	return a.conclude(r, err)
}

// judge judges what a file has, or what the adapter answers.
func (a *app) judge(input conformanceInput, cases harness.Cases) (*report.Report, error) {
	if input.answers != "" {
		in, err := a.open(input.answers)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		answers, err := harness.ReadAnswers(input.answers, in)
		if err != nil {
			return nil, err
		}
		return answers.Judge(cases, input.limit)
	}
	if _, err := exec.LookPath(input.adapter.Command[0]); err != nil {
		return nil, fmt.Errorf("the adapter cannot be started: %w", err)
	}
	signals := command.Endings()
	defer signal.Stop(signals)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	go func() {
		select {
		case s := <-signals:
			cancel(fmt.Errorf("the run was ended: %s", s))
		case <-ctx.Done():
		}
	}()
	input.adapter.Codec = input.codec()
	input.adapter.Jobs = cmp.Or(input.adapter.Jobs, runtime.NumCPU())
	var failing []*conformance.Case
	input.adapter.Keep = func(c *conformance.Case) { failing = append(failing, c) }
	r, err := input.adapter.Run(ctx, cases, input.limit)
	if err == nil && input.failing != "" {
		err = a.writeCases(input.failing, harness.Listed(failing), input.codec())
	}
	return r, err
}
