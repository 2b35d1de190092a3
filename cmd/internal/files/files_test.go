//go:build unix

package files_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/objchange/objchange/cmd/internal/files"
)

// folder returns a folder with a file of each kind.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600),
		os.Mkdir(filepath.Join(dir, "sub"), 0o700),
		os.Symlink("file", filepath.Join(dir, "link")),
		os.Symlink("../elsewhere", filepath.Join(dir, "out")),
		os.Symlink("/dev/zero", filepath.Join(dir, "zero")),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return dir
}

// TestRefused checks that files that are not regular are refused without reading them.
func TestRefused(t *testing.T) {
	dir := folder(t)
	for _, test := range []struct{ name, want string }{ // "" stands for success
		{"file", ""},
		{"link", ""},
		{"sub", "is a folder, not a file"},
		{"pipe", "is not a regular file"},
		{"socket", "is not a regular file"},
		{"zero", "is not a regular file"},
		{"out", "no such file"},
		{"missing", "no such file"},
		{"../" + filepath.Base(dir) + "/file", ""},
	} {
		file, err := files.Open(filepath.Join(dir, test.name))
		failed := err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.name)
		switch {
		case test.want == "" && err != nil, test.want != "" && failed:
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		case test.want == "":
			if text, err := io.ReadAll(file); err != nil || string(text) != "text" {
				t.Errorf("%s: %q, %v", test.name, text, err)
			}
		}
		file.Close()
	}
	if _, err := files.Open(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestGiven checks that an inherited file of any kind can be opened by its number.
func TestGiven(t *testing.T) {
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

func TestLimit(t *testing.T) {
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
