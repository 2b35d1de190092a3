package cli

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/objchange/objchange/cmd/internal/files"
)

// open opens a file that the command line names, or stdin for "-". If the report would replace the
// file, open returns an error.
func (a *app) open(name string) (io.ReadCloser, error) {
	if err := a.notOutput(name); err != nil {
		return nil, err
	}
	if name == "-" {
		return io.NopCloser(a.in), nil
	}
	return files.Open(name)
}

// printed calls write with the destination of the report.
func (a *app) printed(write func(io.Writer) error) error {
	if a.toStandardOutput() {
		return write(a.out)
	}
	return writeFile(a.output, func(w io.Writer) error { return write(&output{to: w}) })
}

// writeFile replaces the content of a file, or keeps it if write fails.
func writeFile(name string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	return os.WriteFile(name, text.Bytes(), 0o666)
}

// notOutput returns an error if the report would replace the file. The report then goes to standard
// output.
func (a *app) notOutput(name string) error {
	if name == "-" {
		name = "/dev/stdin" // a file, if it is redirected
	}
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

// checkOutput returns an error if the report could not be written. It is called before the work
// begins.
func (a *app) checkOutput() error {
	if a.toStandardOutput() {
		return nil
	}
	info, err := os.Stat(a.output)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil // opening a pipe would wait for a reader
	}
	file, openErr := os.OpenFile(a.output, os.O_WRONLY|os.O_CREATE, 0o600)
	if openErr != nil {
		return openErr
	}
	if errors.Is(err, fs.ErrNotExist) {
		return errors.Join(file.Close(), os.Remove(a.output))
	}
	return file.Close()
}
