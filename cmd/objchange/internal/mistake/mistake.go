// Package mistake turns panics into errors.
package mistake

import (
	"errors"
	"io"
	"runtime/debug"
)

// Err is the error that Safely makes of a panic.
var Err = errors.New("a mistake of objchange itself: please report it, with what is said above")

// Safely calls do. It returns Err if do panics, so that the caller can clean up. It prints
// where the panic happened, and no values, which may be secret.
func Safely(errOut io.Writer, do func() error) (err error) {
	defer func() {
		if recover() != nil {
			_, _ = errOut.Write(debug.Stack())
			err = Err
		}
	}()
	return do()
}
