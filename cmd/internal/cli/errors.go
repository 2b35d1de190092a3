package cli

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/print"
)

// errFindings is the error of a command with findings that count. The report has the findings.
var errFindings = errors.New("findings")

// A statusError is the exit status of another program, which has printed its own message.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// statusOf returns the exit status of a program in the same way as a shell. If a signal ended the
// program, it is 128 plus the number of the signal.
func statusOf(exit *exec.ExitError) statusError {
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return statusError(128 + int(status.Signal()))
	}
	return statusError(exit.ExitCode())
}

// A usageError is an error in the command line that cobra cannot detect.
type usageError struct{ error }

func misused(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// maxErrorLine is the maximum length of a line of an error, and maxErrors is the maximum number of
// errors that are printed.
const (
	maxErrorLine = 500
	maxErrors    = 10
)

// errorText returns the text of an error for a terminal: each problem once, with long lines shortened.
func errorText(err error) string {
	var texts, lines []string
	for _, problem := range words.Problems(err) {
		if text := problem.Error(); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if more := len(texts) - maxErrors; more > 1 {
		texts = append(texts[:maxErrors], "and "+print.Plural(more, "more error"))
	}
	for _, text := range texts {
		for line := range strings.SplitSeq(words.Printable(text, "\n\t"), "\n") {
			lines = append(lines, words.Short(line, maxErrorLine))
		}
	}
	return strings.Join(lines, "\n")
}
