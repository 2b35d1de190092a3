//go:build unix

package cli

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// closed reports whether a standard stream was closed when the program started. In this case, Go
// opens /dev/null for reading and writing instead.
func closed(stream io.Writer) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	null, nullErr := os.Stat(os.DevNull)
	if err != nil || nullErr != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(file.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
