package wire

import (
	"strings"
)

// placed is an error with the place in the structure where it is.
type placed struct {
	place string
	err   error
}

func (p *placed) Error() string { return p.place + ": " + p.err.Error() }

func (p *placed) Unwrap() error { return p.err }

// at puts the place, a field or an index in brackets, before that of the error.
func at(place string, err error) error {
	inner, ok := err.(*placed)
	switch {
	case !ok:
		return &placed{place, err}
	case strings.HasPrefix(inner.place, "["):
		return &placed{place + inner.place, inner.err}
	}
	return &placed{place + "." + inner.place, inner.err}
}
