// Package survey explores released providers, and writes one JSON line for each. It builds each
// provider from the module proxy. See docs/survey.md.
package survey

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Run runs the command with the arguments. See docs/survey.md.
func Run(ctx context.Context, args []string, in io.Reader, out, log io.Writer) error {
	flags := flag.NewFlagSet("survey", flag.ContinueOnError)
	flags.SetOutput(log)
	s := surveyor{out: out, log: log}
	flags.StringVar(&s.output, "o", "", "append the lines to `FILE`, and skip modules that it has")
	flags.IntVar(&s.jobs, "jobs", 1, "survey `N` providers at the same time")
	flags.DurationVar(&s.limit, "limit", 10*time.Minute, "`HOW LONG` building a provider may take, and exploring it")
	flags.BoolVar(&s.details, "details", false, "add the whole result to each line, with names of types and attributes")
	flags.IntVar(&s.how.Requests, "requests", 500, "send `N` requests for each type at most, and more to reproduce findings")
	flags.Uint64Var(&s.how.Seed, "seed", 1, "choose other random configurations with another `N`")
	flags.Func("terraform", "confirm findings with this `EXECUTABLE` of Terraform or OpenTofu", func(name string) (err error) {
		s.how.Terraform, err = exec.LookPath(name)
		return err
	})
	flags.Func("type", "explore the types that match this `GLOB` only", func(glob string) error {
		s.how.Types = append(s.how.Types, glob)
		return nil
	})
	summarize := flags.Bool("table", false, "print a table of the lines in the files")
	worker := flags.Bool("explore", false, "explore one provider, as the task on standard input says; survey runs itself so")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *worker && flags.NArg() == 0:
		return work(ctx, in, out)
	case *summarize && flags.NArg() > 0:
		return printTable(out, flags.Args())
	case *worker || *summarize || flags.NArg() != 1:
		return errors.New("pass one list of modules, or -table and files")
	case s.how.Requests <= 0 || s.limit <= 0 || s.jobs <= 0:
		return errors.New("-requests, -limit and -jobs must be more than 0")
	}
	list, err := openList(flags.Arg(0), in)
	if err != nil {
		return err
	}
	return s.survey(ctx, list)
}

// openList reads the list of modules. File names of hints in the list are relative to its folder.
func openList(name string, in io.Reader) ([]entry, error) {
	if name == "-" {
		return readList("standard input", ".", in)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readList(name, filepath.Dir(name), file)
}
