//go:build !unix

package watch

import (
	"os"
	"strconv"
)

// alive reports whether there is a process of that number.
func alive(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return true
	}
	p, err := os.FindProcess(n) // fails where there is none
	if err == nil {
		_ = p.Release()
	}
	return err == nil
}
