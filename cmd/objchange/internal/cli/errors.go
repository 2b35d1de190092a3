package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// errFindings ends a command that found something. The report has said what.
var errFindings = errors.New("findings")

// A statusError is the exit status of another program, which has said why.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// A usageError is a wrong command line that only the command itself can tell.
type usageError struct{ error }

// misused returns a usageError.
func misused(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

var errMistake = errors.New("a mistake of objchange itself: please report it, with what is said above")

// safely calls do, and makes an error of a panic, so that what must be done after
// it is done. Where it was is told, and not with which values: they may be secret.
func (a *app) safely(do func() error) (err error) {
	defer func() {
		if recover() != nil {
			_, _ = a.errOut.Write(debug.Stack())
			err = errMistake
		}
	}()
	return do()
}
