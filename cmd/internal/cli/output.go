package cli

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
)

// An output is the destination of a command's output. It prevents lines that GitHub Actions takes
// for workflow commands: lines that begin with :: after white space, and lines that contain ##[. It
// writes the last character of these as an escape of Go and JSON, so JSON still has the same value.
// Each write must have whole lines.
type output struct {
	to     io.Writer
	failed error // the first error, which cobra discards
}

// workflowCommand matches the beginning of a workflow command. White space may be any character that
// is not printable ASCII.
var workflowCommand = regexp.MustCompile(`(?:^|[\r\n])[^!-~]*::|##\[`)

func (o *output) Write(text []byte) (int, error) {
	safe := workflowCommand.ReplaceAllFunc(text, func(command []byte) []byte {
		last := len(command) - 1
		return fmt.Appendf(command[:last:last], `\u%04x`, command[last])
	})
	_, err := o.to.Write(safe)
	o.failed = cmp.Or(o.failed, err)
	if err != nil {
		return 0, err
	}
	return len(text), nil
}
