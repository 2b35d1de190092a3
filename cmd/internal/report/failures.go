package report

import (
	"fmt"

	"github.com/objchange/objchange/cmd/internal/words"
)

// Failures collects the errors for parts of the input. It counts all errors and keeps the texts of
// the first 1000.
type Failures struct {
	First error
	N     int
	Texts []string
}

const maxFailures = 1000

// Add adds an error.
func (f *Failures) Add(err error) {
	if f.N++; f.N == 1 {
		f.First = err
	}
	if f.N <= maxFailures {
		f.Texts = append(f.Texts, err.Error())
	}
}

// Err returns the first error with the number of the others, or nil if there are no errors.
func (f Failures) Err() error {
	if f.N > 1 {
		return fmt.Errorf("%w (and %s)", f.First, words.Plural(f.N-1, "more error"))
	}
	return f.First
}

// Fail sets the errors of the report, if there are any.
func (r *Report) Fail(f Failures) {
	if f.N > 0 {
		r.Error, r.Errors = f.Err().Error(), f.Texts
	}
}
