package cli

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
)

// documents returns the documents of a file in the order of read. If the file cannot be opened, it
// returns the error.
func (a *app) documents(file string, read func(string, io.Reader) iter.Seq2[*document.Document, error]) iter.Seq2[*document.Document, error] {
	return func(yield func(*document.Document, error) bool) {
		in, err := a.open(file)
		if a.ending.ended() != nil {
			return
		}
		if err != nil {
			yield(nil, err)
			return
		}
		defer in.Close()
		for d, err := range read(file, in) {
			if err != nil && a.ending.ended() != nil {
				return
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// completeJSON completes the names of JSON files.
func completeJSON(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"json", "jsonl"}, cobra.ShellCompDirectiveFilterFileExt
}

// reported returns an error for inputs that cannot be used and are in the report, or nil.
func reported(f report.Failures) error {
	if len(f) == 0 {
		return nil
	}
	return inReport{f.Err(), f}
}

// An inReport is an error that the report contains.
type inReport struct {
	error
	all report.Failures
}

func (e inReport) Unwrap() error { return e.error }

// maxErrors is the maximum number of errors that are printed below a report in text.
const maxErrors = 10

// list returns the first errors, for printing below a report in text.
func (e inReport) list() error {
	listed := e.all[:min(len(e.all), maxErrors)]
	if errors.Is(e.error, e.all[0]) {
		e.error = nil // otherwise it is something else, such as a signal
	}
	err := errors.Join(append([]error{e.error}, listed...)...)
	if more := len(e.all) - maxErrors; more > 0 {
		err = errors.Join(err, fmt.Errorf("and %s", words.Plural(more, "more error")))
	}
	return err
}
