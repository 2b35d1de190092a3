package tfcheck

import (
	"errors"

	"github.com/zclconf/go-cty/cty"
)

// A ValueError is one problem of a value, or of what one is to be made of.
// ValueOf joins all there are, as errors.Join does; what crosses the protocol is
// broken with the first.
type ValueError struct {
	// Path is the place in the value. Unlike Place, it has the names and keys that
	// are not to be shown; a set element is at its index in the data, or is itself.
	Path   cty.Path
	Place  string // the place as it may be shown, .rule[0].port; "the value" for the root
	Hidden bool   // names or keys at the place are not to be shown
	Reason string // shows nothing that is hidden
}

// Error writes place and reason.
func (e *ValueError) Error() string { return e.Place + ": " + e.Reason }

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
	What string // "configuration", "initial configuration", "provider configuration" or "identity"
	Err  error  // what is wrong, joined: mostly *ValueError or *objchange.Violation
}

// Error begins by saying so.
func (e *ConfigError) Error() string { return "the " + e.What + " is not valid: " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *ConfigError) Unwrap() error { return e.Err }
