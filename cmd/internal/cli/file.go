package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
)

// printed calls write with the destination of the report.
func (a *app) printed(write func(io.Writer) error) error {
	if a.toStandardOutput() {
		return write(a.out)
	}
	return a.ending.toFile(a.output, func(w io.Writer) error { return write(&output{to: w}) })
}

// notOutput returns an error if the report would replace the file. The report then goes to standard
// output.
func (a *app) notOutput(name string) error {
	if a.toStandardOutput() || !sameFile(name, a.output) {
		return nil
	}
	output := a.output
	a.output = ""
	return misused("--output: %s is also an input", output)
}

func sameFile(x, y string) bool {
	one, err := os.Stat(x)
	other, otherErr := os.Stat(y)
	return err == nil && otherErr == nil && os.SameFile(one, other)
}

// toFile replaces a file, or keeps the old content if write fails. It keeps the mode of the file
// and a link to it. It writes directly to a file that is not regular, such as /dev/stderr.
func (e *ending) toFile(name string, write func(io.Writer) error) error {
	mode := os.FileMode(0o666)
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		file, err := e.create(name)
		if err != nil {
			return err
		}
		return errors.Join(write(file), file.Close())
	} else if err == nil {
		mode = info.Mode().Perm()
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	}
	file, err := beside(name, mode)
	if err != nil {
		return err
	}
	if err = errors.Join(write(file), file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// beside creates the temporary file that will replace another file.
func beside(name string, mode os.FileMode) (*os.File, error) {
	file, err := os.OpenFile(fmt.Sprintf("%s.%d.tmp", name, os.Getpid()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = &fs.PathError{Op: "write", Path: name, Err: failed.Err} // the user knows this name
	}
	return file, err
}

// checkOutput returns an error if the report could not be written. It is called before the work
// begins.
func (a *app) checkOutput() error {
	if a.toStandardOutput() {
		return nil
	}
	info, err := os.Stat(a.output)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s: is a folder, but the report must be a file", a.output)
	case err == nil && !info.Mode().IsRegular():
		return nil
	}
	file, err := beside(a.output, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// errMistake is the error for a panic in safely.
var errMistake = errors.New("a bug in objchange: please report it with the output above")

// safely calls do. If do panics, it returns errMistake, so the caller can clean up, and prints the
// stack without values, which may be secret.
func (a *app) safely(do func() error) (err error) {
	defer func() {
		if recover() != nil {
			_, _ = a.errOut.Write(debug.Stack())
			err = errMistake
		}
	}()
	return do()
}
