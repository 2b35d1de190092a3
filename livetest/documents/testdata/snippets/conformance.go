// Package snippet declares what the Go in conformance/README.md uses.
package snippet

import (
	"testing"

	"github.com/objchange/objchange/conformance"
)

var t *testing.T

// The implementation that is asked.
func mine(*conformance.Case) conformance.Outcome { panic("not called") }
