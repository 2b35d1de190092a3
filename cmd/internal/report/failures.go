package report

import (
	"fmt"

	"github.com/objchange/objchange/cmd/internal/words"
)

// Failures are the errors for parts of the input.
type Failures []error

// Add adds an error.
func (f *Failures) Add(err error) { *f = append(*f, err) }

// Err returns the first error with the number of the others, or nil if there are no errors.
func (f Failures) Err() error {
	switch len(f) {
	case 0:
		return nil
	case 1:
		return f[0]
	}
	return fmt.Errorf("%w (and %s)", f[0], words.Plural(len(f)-1, "more error"))
}

// Fail sets the errors of the report, if there are any.
func (r *Report) Fail(f Failures) {
	if len(f) == 0 {
		return
	}
	r.Error = f.Err().Error()
	for _, err := range f {
		r.Errors = append(r.Errors, err.Error())
	}
}
