package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/watch"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// replayDocuments prints the requests of the recordings as documents. Messages on standard error say
// which requests have none, or lack a part.
func (a *app) replayDocuments(found []exchanges.Recording, path string) error {
	requests, printed := 0, 0
	var packer document.Packer
	err := a.printed(func(out io.Writer) error {
		r, err := watch.Replay(found, a.open, func(s report.Subject, results []encoded.Result) {
			requests++
			documents, notes := documentsOf(&packer, s, results)
			for _, text := range documents {
				_, _ = out.Write(text) // the output keeps the error
			}
			printed += len(documents)
			for _, note := range notes {
				a.say(fmt.Sprintf("%s:%d: %s", words.FileName(s.File), s.Line, note))
			}
		})
		for _, note := range r.Notes {
			a.say(note)
		}
		return err
	})
	if err == nil && printed == 0 {
		err = fmt.Errorf("%s: no document can be made from %s", path, print.Plural(requests, "request"))
	}
	return err
}

// documentsOf returns a document for each object of a request, as lines of JSON. The notes say why a
// request has no document, or which part its document lacks.
func documentsOf(
	packer *document.Packer, s report.Subject, results []encoded.Result,
) (documents [][]byte, notes []string) {
	name := fmt.Sprintf("%s %s #%d", s.RPC, cmp.Or(s.Type, "-"), s.Number)
	reason := s.Reason
	if s.RPC == "ImportResourceState" && len(results) > 0 {
		reason = cmp.Or(reason, "the provider imported no object")
		results = results[1:] // the first is the import as a whole, not an object
	}
	if len(results) == 0 {
		return nil, []string{name + ": no document: " + reason}
	}
	for i, result := range results {
		one := name
		if len(results) > 1 {
			one += fmt.Sprintf(", object %d", i+1)
		}
		text, note, err := packer.Document(one, result.Exchange)
		switch {
		case errors.Is(err, document.ErrNotDecoded) && len(s.Findings) > 0:
			note = "no document: " + err.Error() + ": " + s.Findings[0].Message
		case err != nil:
			note = "no document: " + err.Error()
		default:
			documents = append(documents, text)
		}
		if note != "" {
			notes = append(notes, one+": "+note)
		}
	}
	return documents, notes
}
