//go:build unix

package watch

import (
	"strconv"
	"syscall"
)

// alive reports whether there is a process of that number.
func alive(pid string) bool {
	n, err := strconv.Atoi(pid)
	return err != nil || syscall.Kill(n, 0) == nil
}
