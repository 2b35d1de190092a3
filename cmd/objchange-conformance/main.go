// Command objchange-conformance runs the conformance cases against an implementation of
// Terraform's resource change lifecycle, in any language, and scores its answers.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/objchange/objchange/conformance"
)

const usage = `Usage: objchange-conformance [flags] -- ADAPTER [ARG...]
       objchange-conformance [flags] --export

Run an implementation of Terraform's resource change lifecycle on 47 228 test cases, and
compare its answers with the recorded results of Terraform.

ADAPTER is a program that reads one case at a time from its standard input, as a line of
JSON, and writes the answer to its standard output. It answers "unsupported" to cases that
the implementation does not support. A case fails if the adapter crashes, writes anything
else or exceeds --timeout. The adapter is then started again. Format and examples:
https://github.com/objchange/objchange/blob/main/conformance/README.md

The score is the share of correct answers among the supported cases. The coverage is the
share of supported cases among all cases.

Exit status: 0 if all answers are correct, 1 if an answer is wrong, and 2 if no case is
supported, the adapter cannot be started, the input cannot be used, or the run was
interrupted.

Flags:
`

// options are the flags and arguments of the command line.
type options struct {
	command                     []string // the adapter and its arguments
	codec                       conformance.Codec
	timeout                     time.Duration // for each answer
	giveUp                      int           // send no more cases after that many faults; 0 means no limit
	ops, globs                  []string
	values, cases, want, format string
	limit                       int
	export, failOnSkipped       bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs the command and returns its exit status.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	o, err := parse(args, errOut)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	var report *Report
	if err == nil {
		report, err = o.run(ctx, in, out)
	}
	if err != nil && ctx.Err() != nil {
		err = errors.New("the run was interrupted")
	}
	if report != nil {
		if err != nil {
			report.Error = err.Error()
		}
		write := report.Text
		if o.format == "json" {
			write = report.JSON
		}
		err = errors.Join(err, write(out))
	}
	switch {
	case err != nil:
		fmt.Fprintln(errOut, "objchange-conformance:", err)
		return 2
	case report != nil && (report.Total.Wrong() > 0 || o.failOnSkipped && report.Total.Left() > 0):
		return 1
	}
	return 0
}

func parse(args []string, errOut io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("objchange-conformance", flag.ContinueOnError)
	flags.SetOutput(errOut)
	flags.Usage = func() {
		fmt.Fprint(errOut, usage)
		flags.PrintDefaults()
	}
	several := func(to *[]string) func(string) error {
		return func(value string) error { *to = append(*to, value); return nil }
	}
	flags.Func("op", "run only cases of this operation `OP`. Can be repeated", several(&o.ops))
	flags.Func("case", "run only cases whose id matches this `GLOB`, where * matches any text. Can be repeated",
		several(&o.globs))
	flags.StringVar(&o.cases, "cases", "",
		"run the cases in this `FILE` instead of the recorded cases. - means standard input")
	flags.StringVar(&o.values, "values", "msgpack", "the encoding of values, a `FORMAT`: msgpack or json")
	flags.StringVar(&o.want, "want", "",
		"compare with the recorded results of the program `NAME`, such as opentofu, instead of terraform")
	flags.DurationVar(&o.timeout, "timeout", 10*time.Second, "wait at most this `DURATION` for an answer")
	flags.IntVar(&o.giveUp, "give-up", 10, "stop after `N` cases without an answer. 0 means never")
	flags.IntVar(&o.limit, "limit", 5, "print at most `N` wrong cases, the smallest first")
	flags.StringVar(&o.format, "format", "text", "the `FORMAT` of the report: text or json")
	flags.BoolVar(&o.failOnSkipped, "fail-on-skipped", false,
		"also exit with status 1 if a case is unsupported or was not run")
	flags.BoolVar(&o.export, "export", false, "print the cases and the correct answers, and run no adapter")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.command, o.codec = flags.Args(), messagePack{}
	if o.values == "json" {
		o.codec = jsonCodec{}
	}
	return o, o.check()
}

// check returns an error if the options are invalid.
func (o *options) check() error {
	for _, op := range o.ops {
		if !slices.Contains(conformance.Ops(), conformance.Op(op)) {
			return fmt.Errorf("--op: unknown operation %q: use one of %v", op, conformance.Ops())
		}
	}
	switch {
	case (len(o.command) > 0) == o.export:
		return errors.New("pass either ADAPTER or --export: see --help")
	case o.values != "msgpack" && o.values != "json":
		return errors.New("--values: must be msgpack or json")
	case o.format != "text" && o.format != "json":
		return errors.New("--format: must be text or json")
	case min(o.limit, o.giveUp) < 0 || o.timeout <= 0:
		return errors.New("numbers must not be negative, and --timeout must be more than 0")
	}
	return nil
}

// run runs the cases against the adapter. It returns nil instead of a report for --export.
func (o *options) run(ctx context.Context, in io.Reader, out io.Writer) (*Report, error) {
	all, err := o.chosen(in)
	if err != nil {
		return nil, err
	}
	if o.export {
		return nil, export(out, all, o.codec)
	}
	if _, err := exec.LookPath(o.command[0]); err != nil {
		return nil, fmt.Errorf("the adapter cannot be started: %w", err)
	}
	left := 0
	if o.want != "" {
		all = withOutcome(all, o.want, &left)
	}
	report, err := o.score(ctx, all)
	if left > 0 {
		note := fmt.Sprintf("%d cases omitted, because they have no outcome of %s", left, o.want)
		report.Notes = append(report.Notes, note)
	}
	total := report.Total
	noValue := total.Answered() == total.Verdicts[conformance.VerdictUnsupported]
	if noValue && total.Wrong() > 0 && o.values == "msgpack" {
		const note = "there was no answer with a value: the values were MessagePack; use --values json for JSON"
		report.Notes = append(report.Notes, note)
	}
	switch {
	case err != nil:
	case total.Cases == 0:
		err = errors.New("no cases are selected")
	case total.Left() == total.Cases:
		err = errors.New("no case is supported, so there is nothing to score")
	}
	return report, err
}

// chosen returns the selected cases.
func (o *options) chosen(in io.Reader) (caseSeq, error) {
	var globs []string
	for _, glob := range o.globs {
		globs = append(globs, strings.ReplaceAll(regexp.QuoteMeta(glob), `\*`, ".*"))
	}
	ids := regexp.MustCompile("(?s)^(" + strings.Join(globs, "|") + ")$")
	keep := func(id string, op conformance.Op) bool {
		return (len(globs) == 0 || ids.MatchString(id)) && (len(o.ops) == 0 || slices.Contains(o.ops, string(op)))
	}
	switch {
	case o.cases == "":
		return conformance.Select(keep), nil
	case o.cases != "-":
		file, err := os.Open(o.cases) // open until the program ends
		if err != nil {
			return nil, err
		}
		in = file
	}
	return read(o.cases, in, keep), nil
}
