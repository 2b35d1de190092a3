// Package check has what the checking servers of package tfcheck share with packages driver, encoded
// and explore.
package check

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// Share makes a checking server share a catalog and pass the exchanges to a function. X and F are
// the types Exchange and Finding of package tfcheck.
func Share[X, F any](server any, schemas *catalog.Catalog, version string, seen func(X, []F, error)) {
	server.(interface {
		Share(schemas *catalog.Catalog, version string, seen func(X, []F, error))
	}).Share(schemas, version, seen)
}

// Unwrap returns the server inside a checking server of package tfcheck, of either protocol, with the
// Program and the filter of the checking server. It returns any other server unchanged.
func Unwrap[S any](server S) (inner S, program string, filter Filter) {
	for {
		outer, is := any(server).(interface {
			Unwrap() (inner S, program string, filter Filter)
		})
		if !is {
			return server, program, filter
		}
		inner, p, f := outer.Unwrap()
		server, program, filter = inner, cmp.Or(program, p), append(filter, f...)
	}
}

// Factory returns the factory with the name. If there is no such factory, it ends the test.
func Factory[S any](t testing.TB, factories map[string]func() (S, error), name string) func() (S, error) {
	t.Helper()
	factory, exists := factories[name]
	if !exists {
		t.Fatalf("no factory has the name %q; the names are %q", name, slices.Sorted(maps.Keys(factories)))
	}
	return factory
}

// Create returns the server that the factory creates. A nil factory is an error.
func Create[S any](factory func() (S, error)) (server S, err error) {
	if factory == nil {
		return server, errors.New("the provider factory is nil")
	}
	return factory()
}
