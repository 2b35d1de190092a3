//go:build unix

package files_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/objchange/objchange/cmd/internal/files"
)

// TestIrregularFilesAreRefused checks that files that are not regular are refused without reading them.
func TestIrregularFilesAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	err := errors.Join(
		os.WriteFile("file", []byte("text"), 0o600), os.Mkdir("sub", 0o700), os.Symlink("file", "link"), os.Symlink("../elsewhere", "out"),
		os.Symlink("/dev/zero", "zero"), syscall.Mkfifo("pipe", 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{ // "" stands for success
		"file": "", "link": "", "./sub/../file": "", "sub": "is a folder, not a file", "pipe": "is not a regular file", "zero": "is not a regular file",
		"out": "no such file", "missing": "no such file",
	} {
		file, err := files.Open(name)
		if want != "" {
			if err == nil || !strings.HasPrefix(err.Error(), "open "+name+": "+want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
			continue
		}
		if text, readErr := io.ReadAll(file); errors.Join(err, readErr, file.Close()) != nil || string(text) != "text" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// TestInheritedFileIsOpenedByNumber checks that an inherited file of any kind can be opened by its number.
func TestInheritedFileIsOpenedByNumber(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if _, err := write.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	write.Close()
	name := "/dev/fd/" + strconv.Itoa(int(read.Fd()))
	file, err := files.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if text, err := io.ReadAll(file); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := files.Regular(name); err == nil {
		t.Error("the file is a regular file")
	}
}

func TestReadingStopsAtTheLimit(t *testing.T) {
	const limit = 3 << 20
	large := filepath.Join(t.TempDir(), "large")
	if err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, 1<<40)); err != nil {
		t.Fatal(err)
	}
	file, err := files.Open(large)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, test := range map[string]struct {
		in       io.Reader
		read     int
		tooLarge bool
	}{
		"nothing":      {&bytes.Buffer{}, 0, false},
		"the limit":    {bytes.NewReader(make([]byte, limit)), limit, false},
		"one more":     {bytes.NewReader(make([]byte, limit+1)), limit, true},
		"a large file": {file, 0, true},
	} {
		text, err := io.ReadAll(files.Limit(test.in, limit))
		if len(text) != test.read || (err != nil) != test.tooLarge {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
		if err != nil && err.Error() != "it is larger than 3 MB" {
			t.Error(err)
		}
	}
}
