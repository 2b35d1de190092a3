// Command objchange judges recorded runs of Terraform by the rules of
// [github.com/objchange/objchange].
//
//	objchange replay [-schemas FILE] DIR
//
// replays what a provider recorded while TF_LOG_SDK_PROTO_DATA_DIR was set:
// it computes again what Core proposed, and judges what the provider answered.
// DIR is a recording, which is a log.jsonl beside a folder data with the files
// that the log names, or a folder of recordings, which are then replayed in
// order of their names. The schemas are those that `terraform providers schema
// -json` printed: FILE, or else schemas.json in DIR or in its parent.
//
// Each request whose answer can be judged gets one line: the RPC, the resource
// type, the action and the verdict. What is wrong follows, indented, each with
// rule, path and message. A violation that is not enforced breaks the
// documented contract, but Core itself lets it pass.
//
// The action is what prior state and planned state tell: create, update,
// destroy or no-op. A replacement is never told as such, because nothing in the
// recording says that requests belong to one resource instance, or which
// changes require its replacement. It shows as what Core asks for: an update
// is planned, then a create from nothing; at apply come a destroy and a create,
// in either order.
//
// A recording does not tell either that a provider uses the legacy SDK, whose
// violations of some rules Core only logs. Here they count as enforced.
//
// The exit status is 0 when all is well, 1 when a proposal differs from Core's
// or a violation is enforced, and 2 when the input cannot be read. Requests
// that cannot be judged, because two of them wrote to one data file, say, are
// reported as skipped, and those that the provider refused as failed; neither
// changes the exit status, so look at the summary.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// The exit statuses.
const (
	exitOK         = 0
	exitWrong      = 1 // an enforced violation, or a proposal that differs
	exitUnreadable = 2 // input that cannot be read, or a wrong command line
)

const usage = `Usage: objchange COMMAND

Commands:
  replay    judge a recorded run of Terraform

Run objchange COMMAND -h for a command's own usage.
`

const replayUsage = `Usage: objchange replay [-schemas FILE] DIR

Judges the run of Terraform that is recorded in DIR (log.jsonl and data/), or
each of those recorded in the folders in DIR.

  -schemas FILE    the output of "terraform providers schema -json"
                   (default: schemas.json in DIR or in its parent)

Exit status: 0 all that could be judged is well; 1 an enforced violation, or a
proposal that differs from Core's; 2 the input cannot be read. What was skipped
does not count: see the summary.

To record a run:

  TF_LOG_SDK_PROTO_DATA_DIR=DIR/data TF_LOG=JSON TF_LOG_PATH=DIR/log.jsonl \
    terraform apply -parallelism=1
  terraform providers schema -json > DIR/schemas.json
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole command, but for the process: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		return misused(stderr, errors.New("no command"), usage)
	}
	switch args[0] {
	case "replay":
		return runReplay(args[1:], stdout, stderr)
	case "-h", "-help", "--help", "help":
		fmt.Fprint(stdout, usage)
		return exitOK
	}
	return misused(stderr, fmt.Errorf("unknown command %q", args[0]), usage)
}

func runReplay(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("replay", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	schemasFile := flags.String("schemas", "", "")

	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, replayUsage)
		return exitOK
	case err != nil:
		return misused(stderr, err, replayUsage)
	case flags.NArg() != 1:
		return misused(stderr, fmt.Errorf("want one folder after the flags, got %d", flags.NArg()), replayUsage)
	}

	sum, err := replay(flags.Arg(0), *schemasFile, stdout)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "objchange:", err)
		return exitUnreadable
	case sum.wrong > 0:
		return exitWrong
	}
	return exitOK
}

// misused says what is wrong with the command line, and what would be right.
func misused(stderr io.Writer, err error, usage string) int {
	fmt.Fprintf(stderr, "objchange: %v\n\n%s", err, usage)
	return exitUnreadable
}
