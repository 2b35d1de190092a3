// Package files opens what commands read: regular files, and what the process was
// given open, none of it without a limit.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
)

// given are the names of files that the process was given open: stdin, and the pipe
// that a shell makes of <(command).
var given = regexp.MustCompile(`^/(dev/stdin|dev/fd/\d+|proc/(self|\d+)/fd/\d+)$`)

// Open opens a file that a command line names: a regular one, or one that the process
// was given open. Anything else could be without an end, or never begin.
func Open(name string) (*os.File, error) {
	if given.MatchString(name) {
		return os.Open(name)
	}
	return Regular(name)
}

// Regular opens a regular file.
func Regular(name string) (*os.File, error) {
	info, err := os.Stat(name) // to open a pipe waits for who writes
	return opened(name, info, err, os.Open)
}

// In opens a regular file in a folder. A link that leads out of it is an error.
func In(folder, name string) (*os.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	return opened(name, info, err, root.Open)
}

func opened(name string, info fs.FileInfo, err error, open func(string) (*os.File, error)) (*os.File, error) {
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("is " + kind(info.Mode()) + ", and no file")
	}
	path := new(fs.PathError)
	switch {
	case errors.As(err, &path): // which names the system's function
		return nil, &fs.PathError{Op: "open", Path: name, Err: path.Err}
	case err != nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return open(name)
}

// kind says what something is that is no regular file.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// Limit returns a reader of what is no larger than so many bytes. Where there is
// more, reading fails; of a file, whose size is known, at once.
func Limit(in io.Reader, limit int64) io.Reader {
	l := &limited{in, limit, TooLarge("it", limit)}
	if file, ok := in.(fs.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > limit {
			l.left = -1
		}
	}
	return l
}

// TooLarge says that something is larger than it may be.
func TooLarge(what string, limit int64) error {
	return fmt.Errorf("%s is larger than %d MB", what, limit>>20)
}

type limited struct {
	in       io.Reader
	left     int64 // less than nothing if there was more
	tooLarge error
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, l.tooLarge
	}
	n, err := l.in.Read(p[:min(int64(len(p)), l.left+1)])
	if l.left -= int64(n); l.left < 0 {
		return n - 1, l.tooLarge
	}
	return n, err
}
