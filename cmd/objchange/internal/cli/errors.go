package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
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

// maxErrorLine is how long a line of an error may be.
const maxErrorLine = 500

// told returns an error as a terminal may have it: each problem once, and in it no
// line that is endless.
func told(err error) string {
	var lines []string
	said := map[string]bool{}
	for _, problem := range words.Problems(err) {
		text := problem.Error()
		if said[text] {
			continue
		}
		said[text] = true
		for line := range strings.SplitSeq(words.Printable(text, "\n\t"), "\n") {
			lines = append(lines, words.Short(line, maxErrorLine))
		}
	}
	return strings.Join(lines, "\n")
}
