package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/terminal"
)

// newApp returns an app without a terminal, and its output.
func newApp(in string) (*app, *bytes.Buffer) {
	var out bytes.Buffer
	reader := strings.NewReader(in)
	to := &output{to: &out}
	return &app{in: reader, out: to, errOut: to, term: terminal.New(&out, &out), format: report.Text}, &out
}

// TestReplacingAFileKeepsModeAndLink checks that replacing a file keeps its mode and a link to it.
func TestReplacingAFileKeepsModeAndLink(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.WriteFile("real", []byte("old"), 0o600), os.Symlink("real", "link")); err != nil {
		t.Fatal(err)
	}
	text := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	if err := writeFile("link", text); err != nil {
		t.Fatal(err)
	}
	if err := writeFile("real", func(io.Writer) error { return io.ErrShortWrite }); err == nil {
		t.Error("the error is lost")
	}
	got, err := os.ReadFile("real")
	info, statErr := os.Stat("real")
	left, _ := os.ReadDir(".")
	if err != nil || statErr != nil || string(got) != "new" || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 || len(left) != 2 {
		t.Errorf("%q, %v, %v, %v, %v", got, info, left, err, statErr)
	}
}
