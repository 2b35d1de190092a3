//go:build unix

package ignore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/ignore"
)

// TestFound: what has the name of the file is read from its folder, or is an error.
func TestFound(t *testing.T) {
	known := write(t, "ignore: [{rule: plan-count, reason: x}]\n")
	for name, test := range map[string]struct {
		make func(name string) error
		want string
	}{
		"file":    {func(name string) error { return os.WriteFile(name, nil, 0o600) }, ""},
		"folder":  {func(name string) error { return os.Mkdir(name, 0o700) }, "is a folder, and no file"},
		"nowhere": {func(name string) error { return os.Symlink("nowhere", name) }, "no such file"},
		"out":     {func(name string) error { return os.Symlink(known, name) }, "escapes"},
		"beside": {func(name string) error {
			return errors.Join(os.WriteFile(filepath.Join(filepath.Dir(name), "beside.yaml"), nil, 0o600), os.Symlink("beside.yaml", name))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			deep := filepath.Join(dir, "deep", "er")
			file := filepath.Join(dir, ignore.FileName)
			if err := errors.Join(os.MkdirAll(deep, 0o700), test.make(file)); err != nil {
				t.Fatal(err)
			}
			if found := ignore.Find(deep); found != file {
				t.Fatalf("found %q", found)
			}
			if _, err := ignore.ReadFound(file); (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Error(err)
			}
		})
	}
}
