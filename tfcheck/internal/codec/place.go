package codec

import (
	"strings"
)

// placed is an error with a path in the structure.
type placed struct {
	place string
	err   error
}

func (p *placed) Error() string { return p.place + ": " + p.err.Error() }

func (p *placed) Unwrap() error { return p.err }

// at adds a step, a field name or an index in brackets, in front of the path of the error.
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
