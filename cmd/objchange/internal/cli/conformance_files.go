package cli

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/harness"
	"github.com/objchange/objchange/cmd/objchange/internal/ignore"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/conformance"
)

// chosen returns the cases that are meant, and what to call when they are read.
func (a *app) chosen(input conformanceInput) (cases harness.Cases, done func(), err error) {
	choice := harness.Choice{}
	for _, op := range input.ops {
		choice.Ops = append(choice.Ops, conformance.Op(op))
	}
	for _, glob := range input.globs {
		choice.Match = append(choice.Match, ignore.Matcher(glob))
	}
	if input.generate > 0 {
		return choice.Of(harness.Generated(input.seed, input.generate)), func() {}, nil
	}
	if input.cases == "" {
		return choice.Corpus(), func() {}, nil
	}
	in, err := a.open(input.cases)
	if err != nil {
		return nil, nil, err
	}
	return choice.Of(harness.Read(input.cases, in)), func() { _ = in.Close() }, nil
}

// held returns the cases as they are held to another outcome, if one is wanted: to that in
// a file, whose name has a dot or a slash, or else to the recorded one. Those without are
// left out, and counted.
func (a *app) held(want string, cases harness.Cases, left *int) (harness.Cases, error) {
	if want == "" {
		return cases, nil
	}
	if want != "-" && !strings.ContainsAny(want, `./\`) { // which no name has
		return harness.Held(cases, harness.Recorded(want), left), nil
	}
	in, err := a.open(want)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	answers, err := harness.ReadAnswers(want, in)
	if err != nil {
		return nil, err
	}
	return harness.Held(cases, answers.Wanted, left), nil
}

// listCases prints the names of the cases.
func (a *app) listCases(cases harness.Cases) error {
	if a.format != report.Text && a.format != report.JSON {
		return misused("--list prints text or json, and no %s", a.format)
	}
	a.told = true // programs read no report
	return a.printed(func(w io.Writer) error {
		none := true
		for c, err := range cases {
			if err != nil {
				return err
			}
			none = false
			line := []byte(words.Printable(words.Valid(c.ID), "") + "\t" + string(c.Op) + "\n")
			if a.format == report.JSON {
				line, err = words.JSON(map[string]string{"id": c.ID, "op": string(c.Op), "schema": c.Schema.Name, "file": c.File}, "")
			}
			if err == nil {
				_, err = w.Write(line)
			}
			if err != nil {
				return err
			}
		}
		if none {
			return errors.New("there are no such cases")
		}
		return nil
	})
}

// exportCases writes the cases to a file, or to standard output.
func (a *app) exportCases(name string, cases harness.Cases, codec conformance.Codec) error {
	if a.format != report.Text || a.output != "" {
		return misused("--export writes cases only: there is no --format and no --output")
	}
	return a.writeCases(name, cases, codec)
}

// writeCases writes the cases to a file, or to standard output.
func (a *app) writeCases(name string, cases harness.Cases, codec conformance.Codec) error {
	if name == "-" {
		return harness.Export(a.out, cases, codec)
	}
	return toFile(name, func(w io.Writer) error {
		if !strings.HasSuffix(name, ".gz") {
			return harness.Export(w, cases, codec)
		}
		packed := gzip.NewWriter(w)
		if err := harness.Export(packed, cases, codec); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return packed.Close()
	})
}
