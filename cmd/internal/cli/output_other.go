//go:build !unix

package cli

import "io"

// closed returns false, because on these systems writing to a closed stream fails.
func closed(io.Writer) bool { return false }
