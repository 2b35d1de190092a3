package driver

import (
	"errors"

	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// ErrNotProvider is what errors of Launch match, by errors.Is, for what does not
// answer as a provider does.
var ErrNotProvider = errors.New("is not a Terraform provider")

// ErrNotConfigured is what errors of a Driver's requests match, by errors.Is, as
// long as Configure has not succeeded. Core asks nothing of such a provider, and
// some crash.
var ErrNotConfigured = errors.New("not sent: Configure was not called, or failed")

// A notProviderError says of an executable that it is none, and why.
type notProviderError struct {
	text  string
	cause error
}

func (e *notProviderError) Error() string        { return e.text }
func (e *notProviderError) Is(target error) bool { return target == ErrNotProvider }
func (e *notProviderError) Unwrap() error        { return e.cause }

// A ConfigError says that a configuration is not valid, before anything is asked
// of the provider.
type ConfigError struct {
	What string // "configuration", "initial configuration", "provider configuration", "identity" or "call"
	Err  error  // what is wrong, joined: mostly *ctydata.ValueError or *objchange.Violation
}

// Error begins by saying so.
func (e *ConfigError) Error() string { return "the " + e.What + " is not valid: " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *ConfigError) Unwrap() error { return e.Err }

// A Diagnostic is a message of the provider to the user.
type Diagnostic = catalog.Diagnostic

// A RefusedError says that the provider answered with error diagnostics.
type RefusedError = catalog.RefusedError
