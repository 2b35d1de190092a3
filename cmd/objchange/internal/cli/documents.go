package cli

import (
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// documents returns the documents of a file as read finds them, and for each that
// cannot be used why, as for a file that cannot be opened.
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

// reported returns what cannot be used, if anything, where the report has each of it.
func reported(f report.Failures) error {
	if f.N == 0 {
		return nil
	}
	return inReport{f.Err(), f}
}

// inReport are errors that the report tells of.
type inReport struct {
	error
	all report.Failures
}

func (e inReport) Unwrap() error { return e.error }

// short says that there are some, below a report for people.
func (e inReport) short() string {
	if e.all.N == 1 {
		return "one part of the input cannot be used, as told above"
	}
	return fmt.Sprintf("%d parts of the input cannot be used, as told above", e.all.N)
}
