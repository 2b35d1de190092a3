package exchanges

import (
	"context"
	"errors"
)

// Schemas answer what a provider has answered that was asked for its schemas, and
// nothing else.
type Schemas map[string]Answer

// SchemasOf returns the schemas of a provider.
func SchemasOf(p Provider) Schemas {
	s := Schemas{}
	for _, a := range p.Schemas {
		s[a.Method] = a
	}
	return s
}

// Ask answers as was recorded: it is a tfcheck.Asker.
func (s Schemas) Ask(_ context.Context, method string) ([]byte, error) {
	a, ok := s[method]
	switch {
	case !ok:
		return nil, errors.New("the recording does not have the answer")
	case a.Status != nil:
		return nil, a.Status
	}
	return a.Response, nil
}
