package cli

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// A documentPrinter prints the documents of recordings.
type documentPrinter struct {
	input           replayInput
	out, errOut     io.Writer
	requests        int // that there are rules for
	chosen, printed int
}

// replayDocuments prints the requests of the recordings as documents.
func (a *app) replayDocuments(found []exchanges.Recording, input replayInput) error {
	var wrong report.Failures
	p := documentPrinter{input: input, errOut: a.errOut}
	failed := a.printed(func(out io.Writer) error {
		p.out = out
		for _, rec := range found {
			file, err := a.open(rec.File)
			if err != nil {
				wrong.Add(err)
				continue
			}
			err = p.print(rec, file, &wrong)
			if err := errors.Join(err, file.Close()); err != nil {
				return err
			}
		}
		return nil
	})
	switch err := wrong.Err(); {
	case failed != nil || err != nil:
		return errors.Join(failed, err)
	case p.requests == 0:
		return fmt.Errorf("%s: the recording has no request that there are rules for", input.path)
	case p.chosen == 0:
		return fmt.Errorf("%s: none is chosen of %s that there are rules for", input.path, words.Plural(p.requests, "request"))
	case p.printed == 0:
		return fmt.Errorf("%s: no document can be made of %s", input.path, words.Plural(p.chosen, "request"))
	}
	return nil
}

// print prints the documents of a recording. It adds what cannot be read to wrong, and
// returns the error of printing.
func (p *documentPrinter) print(rec exchanges.Recording, file io.Reader, wrong *report.Failures) error {
	in, err := exchanges.NewPartReader(file)
	if err != nil {
		wrong.Add(fmt.Errorf("%s:%w", rec.Shown(), err))
		return nil
	}
	for x, err := range exchanges.Documents(in, math.MaxInt) {
		if err != nil {
			wrong.Add(fmt.Errorf("%s:%w", rec.Shown(), err))
			continue
		}
		if p.requests++; !p.input.wants(x.RPC, x.Type) {
			continue
		}
		if err := p.document(rec, x); err != nil {
			return err
		}
	}
	return nil
}

// document prints one document, and what it lacks.
func (p *documentPrinter) document(rec exchanges.Recording, x exchanges.Exchange) error {
	p.chosen++
	why := "no document: "
	if x.Document != nil {
		why = ""
		p.printed++
		if _, err := fmt.Fprintf(p.out, "%s\n", x.Document); err != nil {
			return err
		}
	}
	if x.Note == "" {
		return nil
	}
	note := fmt.Sprintf("objchange: %s:%d: %s: %s%s", rec.Shown(), x.Line, x.Name, why, x.Note)
	_, err := fmt.Fprintln(p.errOut, words.Printable(note, ""))
	return err
}
