package report

import "fmt"

// Failures are errors of parts of the input, of which all are counted and the first
// ones are kept.
type Failures struct {
	First error
	N     int
	Texts []string
}

const maxFailures = 1000

// Add adds one.
func (f *Failures) Add(err error) {
	if f.N++; f.N == 1 {
		f.First = err
	}
	if f.N <= maxFailures {
		f.Texts = append(f.Texts, err.Error())
	}
}

// Err returns the first of the errors, and how many more there are.
func (f Failures) Err() error {
	if f.N > 1 {
		return fmt.Errorf("%w (and %d more that cannot be used)", f.First, f.N-1)
	}
	return f.First
}

// Fail says in the report what cannot be used, if anything.
func (r *Report) Fail(f Failures) {
	if f.N > 0 {
		r.Error, r.Errors = f.Err().Error(), f.Texts
	}
}
