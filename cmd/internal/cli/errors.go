package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
)

// errFindings is the error of a command with findings that count. The report has the findings.
var errFindings = errors.New("findings")

// A statusError is the exit status of another program, which has printed its own message.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// A usageError is an error in the command line that cobra cannot detect.
type usageError struct{ error }

// misused returns a usageError.
func misused(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// maxErrorLine is the maximum length of a line of an error.
const maxErrorLine = 500

// errorText returns the text of an error for a terminal: each problem once, with long lines shortened.
func errorText(err error) string {
	var lines []string
	listed := map[string]bool{}
	for _, problem := range words.Problems(err) {
		text := problem.Error()
		if listed[text] {
			continue
		}
		listed[text] = true
		for line := range strings.SplitSeq(words.Printable(text, "\n\t"), "\n") {
			lines = append(lines, words.Short(line, maxErrorLine))
		}
	}
	return strings.Join(lines, "\n")
}

// reported returns an error for inputs that cannot be used and are in the report, or nil.
func reported(f report.Failures) error {
	if len(f) == 0 {
		return nil
	}
	return inReport{f.Err(), f}
}

// An inReport is an error that the report contains.
type inReport struct {
	error
	all report.Failures
}

func (e inReport) Unwrap() error { return e.error }

// maxErrors is the maximum number of errors that are printed below a report in text.
const maxErrors = 10

// list returns the first errors, for printing below a report in text.
func (e inReport) list() error {
	listed := e.all[:min(len(e.all), maxErrors)]
	if errors.Is(e.error, e.all[0]) {
		e.error = nil // otherwise it is something else, such as a signal
	}
	err := errors.Join(append([]error{e.error}, listed...)...)
	if more := len(e.all) - maxErrors; more > 0 {
		err = errors.Join(err, fmt.Errorf("and %s", words.Plural(more, "more error")))
	}
	return err
}
