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
	"os/signal"
	"slices"
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
	command       []string // the adapter and its arguments
	codec         conformance.Codec
	timeout       time.Duration // for each answer
	giveUp        int           // send no more cases after that many faults; 0 means no limit
	ops, globs    []string
	values, cases string
	format        string
	limit         int
	export        bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command and returns its exit status.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	o, err := parse(args, errOut)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	var report *Report
	if err == nil {
		report, err = o.run(ctx, out)
	}
	if err != nil && ctx.Err() != nil {
		err = errors.New("the run was interrupted")
	}
	if report != nil {
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
	case report != nil && report.Total.wrong() > 0:
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
		"run the cases in this `FILE` instead of the recorded cases")
	flags.StringVar(&o.values, "values", "msgpack", "the encoding of values, a `FORMAT`: msgpack or json")
	flags.DurationVar(&o.timeout, "timeout", 10*time.Second, "wait at most this `DURATION` for an answer")
	flags.IntVar(&o.giveUp, "give-up", 10, "stop after `N` cases without an answer. 0 means never")
	flags.IntVar(&o.limit, "limit", 5, "print at most `N` wrong cases, the smallest first")
	flags.StringVar(&o.format, "format", "text", "the `FORMAT` of the report: text or json")
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
