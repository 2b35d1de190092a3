package driver

import (
	"errors"
	"fmt"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// ErrNotConfigured matches, with errors.Is, the errors of a Driver's requests before Configure
// has succeeded. Core sends no such requests, and some providers crash if they receive them.
var ErrNotConfigured = errors.New("not sent: Configure was not called, or failed")

// A ConfigError says that a configuration is invalid. No request with it was sent to the
// provider.
type ConfigError struct {
	What string // "configuration", "initial configuration", "provider configuration", "identity" or "call"
	Err  error  // the joined errors: mostly *ctydata.ValueError or *objchange.Violation
}

// Error returns which configuration is invalid, and why.
func (e *ConfigError) Error() string { return "the " + e.What + " is not valid: " + e.Err.Error() }

// Unwrap returns the error of the configuration.
func (e *ConfigError) Unwrap() error { return e.Err }

// A Diagnostic is a message of the provider to the user. It has Error, Summary, Detail and Path.
type Diagnostic = catalog.Diagnostic

// A RefusedError has the RPC, the TypeName and the Diagnostics of a response with an error.
type RefusedError = catalog.RefusedError

// A BrokenError says that Core stops, because the provider broke a rule that Core enforces or
// that a Report rejects.
type BrokenError struct {
	Finding tfcheck.Finding
	// Reported says that the Report of the driver returned tfcheck.Reported.
	Reported bool
	// Ignored is the reason of tfcheck.Ignore if the finding is ignored. Terraform stops anyway.
	Ignored string
}

// Error returns the finding, and says whether Terraform or a Report rejects it. If the finding
// was already reported, Error only names the RPC and the resource type.
func (e *BrokenError) Error() string {
	text, who := e.Finding.Explain(), "Terraform stops here"
	if e.Finding.Severity != objchange.Rejected {
		who = "the Report of the driver rejects this, but Terraform does not"
		text += "\n  " + who
	}
	if e.Ignored != "" {
		text += fmt.Sprintf("\n  ignored: %s; Terraform rejects it", e.Ignored)
	}
	if e.Reported {
		return fmt.Sprintf("%s: %s (see the reported finding)", catalog.Place(e.Finding.RPC, e.Finding.TypeName), who)
	}
	return text
}

// Unwrap returns the violations, to allow errors.As with a *objchange.Violation.
func (e *BrokenError) Unwrap() []error {
	errs := make([]error, len(e.Finding.Violations))
	for i, v := range e.Finding.Violations {
		errs[i] = v
	}
	return errs
}

// isBroken reports whether the error is a BrokenError about that rule.
func isBroken(err error, rule objchange.Rule) bool {
	var broken *BrokenError
	return errors.As(err, &broken) && broken.Finding.Violations[0].Rule == rule
}
