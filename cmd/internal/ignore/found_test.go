//go:build unix

package ignore_test

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/ignore"
)

// TestFindStopsAtRoots checks that a file applies to its folder and the folders below, within the
// repository or the home folder. Elsewhere it applies only to its own folder.
func TestFindStopsAtRoots(t *testing.T) {
	for name, test := range map[string]struct {
		git, home, file, from string // folders; a git with a slash at the end is a file, as in a worktree
		found                 bool
	}{
		"worktree":             {"a/", "", "a", "a/b", true},
		"root is no home":      {"", "/", "a", "a/b", false},
		"here":                 {"", "", "a/b", "a/b", true},
		"root of a repository": {"a", "", "a", "a/b/c", true},
		"above a repository":   {"a/b", "", "a", "a/b/c", false},
		"inner repository":     {"a/b/c", "", "a/b", "a/b/c", false},
		"in a repository":      {"a", "", "a/b", "a/b/c", true},
		"home":                 {"", "a", "a", "a/b/c", true},
		"home in a repository": {"a", "a/b", "a", "a/b/c", false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			err := os.MkdirAll(filepath.Join(dir, test.from), 0o700)
			switch git := filepath.Join(dir, test.git, ".git"); {
			case strings.HasSuffix(test.git, "/"):
				err = errors.Join(err, os.WriteFile(git, []byte("gitdir: elsewhere\n"), 0o600))
			case test.git != "":
				err = errors.Join(err, os.MkdirAll(git, 0o700))
			}
			home := filepath.Join(dir, test.home)
			if test.home == "" || test.home == "/" {
				home = cmp.Or(test.home, "/nowhere")
			}
			t.Setenv("HOME", home)
			file := filepath.Join(dir, test.file, ignore.FileName)
			if err := errors.Join(err, os.WriteFile(file, nil, 0o600)); err != nil {
				t.Fatal(err)
			}
			if found := ignore.Find(filepath.Join(dir, test.from)); found != file && test.found || found != "" && !test.found {
				t.Errorf("found %q", found)
			}
		})
	}
}

// TestReadFound checks that the file must be in its folder, and that other users must not be able
// to write it.
func TestReadFound(t *testing.T) {
	known := write(t, "ignore: [{rule: plan-count, reason: x}]\n")
	file := func(mode fs.FileMode) func(string) error {
		return func(name string) error { return errors.Join(os.WriteFile(name, nil, 0o600), os.Chmod(name, mode)) }
	}
	link := func(to string) func(string) error { return func(name string) error { return os.Symlink(to, name) } }
	for name, test := range map[string]struct {
		make func(name string) error
		want string
	}{
		"ours":     {file(0o644), ""},
		"read":     {file(0o444), ""},
		"anyone's": {file(0o602), "other users may write the file (-rw-----w-) and hide findings: run chmod go-w, or pass it with --baseline if you trust it"},
		"folder":   {func(name string) error { return os.Mkdir(name, 0o700) }, "is a folder, not a file"},
		"nowhere":  {link("nowhere"), "no such file"},
		"out":      {link(known), "escapes"},
		"beside": {func(name string) error {
			return errors.Join(os.WriteFile(filepath.Join(filepath.Dir(name), "beside.yaml"), nil, 0o600), os.Symlink("beside.yaml", name))
		}, ""},
	} {
		file := filepath.Join(t.TempDir(), ignore.FileName)
		if err := test.make(file); err != nil {
			t.Fatal(err)
		}
		if _, err := ignore.ReadFound(file); (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

// TestFoundOfOthers checks that files and links of other users are errors, except files of root.
// The group may write if it belongs to the user alone.
func TestFoundOfOthers(t *testing.T) {
	for _, ownGroup := range []bool{true, false} {
		if ignore.TrustMode("x", 0o664, ownGroup) == nil != ownGroup || ignore.TrustMode("x", 0o666, ownGroup) == nil {
			t.Errorf("own group: %t", ownGroup)
		}
	}
	for owner, want := range map[uint32]bool{1000: true, 0: true, 1001: false} {
		if err := ignore.TrustOwner("x", owner, 1000); (err == nil) != want {
			t.Errorf("owner %d: %v", owner, err)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can change the owner of a file")
	}
	dir := t.TempDir()
	file, other := filepath.Join(dir, ignore.FileName), filepath.Join(dir, "other.yaml")
	const want = ": the file belongs to another user (1001), who could hide findings: change its owner, or pass it with --baseline if you trust it"
	check := func(make ...error) {
		t.Helper()
		if err := errors.Join(make...); err != nil {
			t.Fatal(err)
		}
		if _, err := ignore.ReadFound(file); err == nil || err.Error() != file+want {
			t.Errorf("%v, want %s", err, file+want)
		}
	}
	check(os.WriteFile(file, nil, 0o644), os.Chown(file, 1001, 1001))
	check(os.Rename(file, other), os.Symlink("other.yaml", file))
	check(os.Chown(other, 0, 0), os.Lchown(file, 1001, 1001))
}
