package cli

import (
	"io"
	"iter"
	"strings"

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
	if f.N == 0 {
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

// list returns the first errors, one per line, for printing below a report in text.
func (e inReport) list() string {
	lines := e.all.Texts[:min(len(e.all.Texts), maxErrors)]
	if text := e.Error(); len(lines) == 0 || !strings.HasPrefix(text, lines[0]) { // such as a signal
		lines = append([]string{text}, lines...)
	}
	if more := e.all.N - maxErrors; more > 0 {
		lines = append(lines, "and "+words.Plural(more, "more error"))
	}
	return strings.Join(lines, "\n")
}
