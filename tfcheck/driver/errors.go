package driver

import (
	"errors"

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

// A Diagnostic is a message of the provider to the user.
type Diagnostic = catalog.Diagnostic

// A RefusedError says that the provider returned error diagnostics.
type RefusedError = catalog.RefusedError
