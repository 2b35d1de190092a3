// Package mistake turns panics into errors.
package mistake

import (
	"errors"
	"io"
	"runtime/debug"
)

// Err is the error for a panic in Safely.
var Err = errors.New("a bug in objchange: please report it with the output above")

// Safely calls do. It returns Err if do panics, so the caller can clean up. It prints the stack
// trace of the panic without values, which may be secret.
func Safely(errOut io.Writer, do func() error) (err error) {
	defer func() {
		if recover() != nil {
			_, _ = errOut.Write(debug.Stack())
			err = Err
		}
	}()
	return do()
}
