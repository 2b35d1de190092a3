// Package files opens input files: regular files, and files that the process inherited open. It
// limits their size.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
)

// given matches the names of inherited files: stdin, and the pipe that a shell makes for
// <(command).
var given = regexp.MustCompile(`^/(dev/stdin|dev/fd/\d+|proc/(self|\d+)/fd/\d+)$`)

// Open opens a file that a command line names. It must be a regular file or an inherited one. Other
// files could be endless, or block.
func Open(name string) (*os.File, error) {
	if given.MatchString(name) {
		return os.Open(name)
	}
	return Regular(name)
}

// Regular opens a regular file.
func Regular(name string) (*os.File, error) {
	info, err := os.Stat(name) // opening a pipe would wait for a writer
	switch {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is a folder, not a file")}
	case err == nil && !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is not a regular file")}
	}
	return os.Open(name)
}

// Limit returns a reader that fails if the input is larger than the limit in bytes. It returns a regular
// file of at most this size itself, which can be read in place. If a file is larger, the first read fails.
func Limit(in io.Reader, limit int64) io.Reader {
	l := &limitedReader{in, limit, TooLarge("it", limit)}
	if file, ok := in.(fs.File); ok {
		info, err := file.Stat()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case info.Size() <= limit:
			return in
		default:
			l.left = -1
		}
	}
	return l
}

// TooLarge returns the error for an input that exceeds the limit.
func TooLarge(what string, limit int64) error {
	return fmt.Errorf("%s is larger than %d MB", what, limit>>20)
}

type limitedReader struct {
	in       io.Reader
	left     int64 // negative if the limit is exceeded
	tooLarge error
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, l.tooLarge
	}
	n, err := l.in.Read(p[:min(int64(len(p)), l.left+1)])
	l.left -= int64(n)
	if l.left < 0 {
		return n - 1, l.tooLarge
	}
	return n, err
}
