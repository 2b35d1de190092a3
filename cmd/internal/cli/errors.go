package cli

import (
	"errors"
	"fmt"
	"strings"

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
