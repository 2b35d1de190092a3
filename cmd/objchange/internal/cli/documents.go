package cli

import (
	"iter"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
)

// documents returns the documents of a file, and for each that cannot be used
// why, as for a file that cannot be opened.
func (a *app) documents(docs *document.Reader, file string) iter.Seq2[*document.Document, error] {
	return func(yield func(*document.Document, error) bool) {
		in, err := a.open(file)
		if err != nil {
			yield(nil, err)
			return
		}
		defer in.Close()
		for d, err := range docs.Read(file, in) {
			if !yield(d, err) {
				return
			}
		}
	}
}

// eachDocument calls do for the documents of a file that can be used. It
// returns the first error, when all are done.
func (a *app) eachDocument(file string, do func(*document.Document) error) error {
	var docs document.Reader
	var failed []error
	for d, err := range a.documents(&docs, file) {
		if err == nil {
			err = do(d)
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	return firstOf(failed)
}

// completeJSON completes the names of JSON files.
func completeJSON(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"json", "jsonl"}, cobra.ShellCompDirectiveFilterFileExt
}
