package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/tools/internal/fixture"
)

const archive = "testdata/workspace.txtar"

// doRelease runs the command, and returns its output and the text of its error.
func doRelease(root string, args ...string) (printed, failed string) {
	var out, log bytes.Buffer
	if err := run(append([]string{"-date=2026-01-31"}, args...), root, &out, &log); err != nil {
		failed = err.Error()
	}
	return out.String(), failed
}

func TestReleaseTagsEachModule(t *testing.T) {
	root := fixture.Repository(t, archive)
	const tags = "v0.1.0\nsub/v0.1.0\ncmd/thing/v0.1.0\n"
	if printed, failed := doRelease(root, "v0.1.0"); printed != tags || failed != "" {
		t.Fatalf("got %q, %s; want %q", printed, failed, tags)
	}
	changed := fixture.Git(t, root, "status", "--porcelain", "--untracked-files=all")
	want := " M CHANGELOG.md\n?? cmd/thing/go.sum\n?? livetest/go.sum\n?? sub/go.sum"
	if changed != want {
		t.Errorf("changed:\n%s\nwant:\n%s", changed, want)
	}
	if log := fixture.Read(t, root, "CHANGELOG.md"); !strings.Contains(log, "## [0.1.0] - 2026-01-31\n\n### Added\n") {
		t.Errorf("the changelog is:\n%s", log)
	}
	sums := fixture.Read(t, root, "cmd/thing/go.sum")
	for _, line := range []string{"thing v0.1.0 h1:", "thing v0.1.0/go.mod h1:", "thing/sub v0.1.0 h1:", "thing/sub v0.1.0/go.mod h1:"} {
		if !strings.Contains(sums, "github.com/example/"+line) {
			t.Errorf("no %q in go.sum:\n%s", line, sums)
		}
	}

	// The first run has prepared the release, so the second run changes nothing.
	fixture.Commit(t, root)
	if printed, failed := doRelease(root, "v0.1.0"); printed != tags || failed != "" {
		t.Errorf("again: got %q, %s; want %q", printed, failed, tags)
	}
	if changed := fixture.Git(t, root, "status", "--porcelain"); changed != "" {
		t.Errorf("again, it changed:\n%s", changed)
	}

	for tag := range strings.Lines(tags) {
		fixture.Git(t, root, "tag", strings.TrimSpace(tag))
	}
	if _, failed := doRelease(root, "v0.1.0"); failed != "v0.1.0 must be greater than v0.1.0, the last release" {
		t.Errorf("a tagged version: %s", failed)
	}
	if _, failed := doRelease(root, "v0.0.9"); failed != "v0.0.9 must be greater than v0.1.0, the last release" {
		t.Errorf("an older version: %s", failed)
	}
	secondRelease(t, root)
}

// secondRelease checks the release of a root that has changed. The modules must require the new
// version of siblings and contain only its hashes.
func secondRelease(t *testing.T, root string) {
	if _, failed := doRelease(root, "v0.2.0"); !strings.Contains(failed, "nothing to release") {
		t.Errorf("without news: %s", failed)
	}
	fixture.Write(t, root, "new.go", "package thing\n\n// New is new.\nconst New = 2\n")
	fixture.Write(t, root, "CHANGELOG.md", strings.Replace(fixture.Read(t, root, "CHANGELOG.md"), "## [Unreleased]\n", "## [Unreleased]\n- New.\n", 1))
	fixture.Commit(t, root)
	if _, failed := doRelease(root, "v0.2.0"); failed != "" {
		t.Fatal(failed)
	}
	for _, name := range []string{"go.work", "sub/go.mod", "sub/go.sum", "cmd/thing/go.mod", "cmd/thing/go.sum", "livetest/go.mod"} {
		if text := fixture.Read(t, root, name); strings.Contains(text, "v0.1.0") || !strings.Contains(text, "github.com/example/thing v0.2.0") {
			t.Errorf("%s has not the new version only:\n%s", name, text)
		}
	}
}

func TestRehearse(t *testing.T) {
	root := fixture.Repository(t, archive)
	fixture.Write(t, root, "new.go", "package thing\n\n// New is not committed.\nconst New = 2\n")
	before := fixture.Git(t, root, "status", "--porcelain")
	dir := filepath.Join(t.TempDir(), "it's here")
	if printed, failed := doRelease(root, "-rehearse", dir, "v0.0.0-rehearsal"); printed != "" || failed != "" {
		t.Fatalf("printed %q, failed: %s", printed, failed)
	}
	if after := fixture.Git(t, root, "status", "--porcelain"); after != before {
		t.Errorf("it changed the repository:\n%s", after)
	}
	for _, name := range []string{
		"tree/new.go",
		"proxy/github.com/example/thing/@v/v0.0.0-rehearsal.zip",
		"proxy/github.com/example/thing/sub/@v/list",
		"user/mod/github.com/example/thing@v0.0.0-rehearsal/new.go",
		"user/mod/github.com/example/thing/sub@v0.0.0-rehearsal/LICENSE", // the root's
	} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if env := fixture.Read(t, dir, "env"); !strings.Contains(env, `it'\''s here`) {
		t.Errorf("the environment is not quoted for a shell:\n%s", env)
	}
	if _, failed := doRelease(root, "-rehearse", dir, "v0.0.0-rehearsal"); failed == "" {
		t.Error("rehearsed into a folder that was there")
	}
}

// TestIncorrectReleaseIsRefused checks that a release that would be published incorrectly is rejected without
// changes.
func TestIncorrectReleaseIsRefused(t *testing.T) {
	tests := map[string]struct {
		edits map[string]string // new texts of files; "" deletes a file
		want  string            // part of the error
	}{
		"a replaced sibling": {
			map[string]string{"sub/go.mod": "module github.com/example/thing/sub\n\ngo 1.25\n\nrequire github.com/example/thing v0.1.0\n\nreplace github.com/example/thing => ..\n"},
			"sub/go.mod: replaces github.com/example/thing,",
		},
		"a replaced other": {
			map[string]string{"go.work": "go 1.25\n\nuse .\n\nreplace example.com/other v1.0.0 => ./other\n"},
			"go.work: replaces example.com/other,",
		},
		"a requirement that is not needed": {
			map[string]string{"livetest/go.mod": "module github.com/example/thing/livetest // not released\n\ngo 1.25\n\nrequire (\n\tgithub.com/example/thing v0.1.0\n\tgithub.com/example/thing/sub v0.1.0\n)\n"},
			"livetest/go.mod is not tidy; release -tidy would change:\n-",
		},
		"a sibling that is not released": {
			map[string]string{"sub/go.mod": "module github.com/example/thing/sub\n\ngo 1.25\n\nrequire github.com/example/thing/livetest v0.1.0\n"},
			"github.com/example/thing/livetest@v0.1.0",
		},
		"a circle": {
			map[string]string{"go.mod": "module github.com/example/thing\n\ngo 1.25\n\nrequire github.com/example/thing/sub v0.1.0\n"},
			"go.work: modules that require each other in a circle",
		},
		"a library that does not compile": {
			map[string]string{"sub/sub.go": "package sub\n\nimport \"github.com/example/thing\"\n\nconst Name int = thing.Name\n"},
			"cannot use thing.Name",
		},
		"a module of commands without a command": {
			map[string]string{"cmd/thing/main.go": "package thing\n\nimport _ \"github.com/example/thing/sub\"\n"},
			"github.com/example/thing/cmd/thing has no command",
		},
		"a test that needs the workspace": {
			map[string]string{"sub/sub_test.go": "package sub\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestWork(t *testing.T) {\n\tif os.Getenv(\"GOWORK\") == \"off\" {\n\t\tt.Fatal(\"alone\")\n\t}\n}\n"},
			"alone",
		},
		"no changelog": {
			map[string]string{"CHANGELOG.md": ""},
			"CHANGELOG.md",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := fixture.Repository(t, archive)
			for name, text := range test.edits {
				fixture.Write(t, root, name, text)
			}
			fixture.Commit(t, root)
			printed, failed := doRelease(root, "v0.1.0")
			if !strings.Contains(failed, test.want) || printed != "" {
				t.Errorf("printed %q, failed: %s\nwant: %s", printed, failed, test.want)
			}
			if changed := fixture.Git(t, root, "status", "--porcelain"); changed != "" {
				t.Errorf("it changed:\n%s", changed)
			}
		})
	}
}

func TestUncommittedChangesAreRefused(t *testing.T) {
	root := fixture.Repository(t, archive)
	fixture.Write(t, root, "new.go", "package thing\n")
	if _, failed := doRelease(root, "v0.1.0"); failed != "there are uncommitted changes:\n?? new.go" {
		t.Error(failed)
	}
}

// TestReleaseHasCommittedLineEnds checks that a release has the committed files, even if git has
// converted the line ends of the working tree.
func TestReleaseHasCommittedLineEnds(t *testing.T) {
	root := fixture.Repository(t, archive)
	fixture.Git(t, root, "config", "core.autocrlf", "true")
	fixture.Write(t, root, "LICENSE", "")
	fixture.Git(t, root, "checkout", "--", "LICENSE")
	if text := fixture.Read(t, root, "LICENSE"); !strings.HasSuffix(text, "\r\n") {
		t.Fatalf("git wrote %q", text)
	}
	_, failed := doRelease(root, "v0.1.0")
	if changed := fixture.Git(t, root, "status", "--porcelain"); failed != "" || strings.Contains(changed, "LICENSE") {
		t.Errorf("%s changed:\n%s", failed, changed)
	}
}

func TestReleaseRefusesOtherArguments(t *testing.T) {
	root := fixture.Repository(t, archive)
	for _, test := range []struct{ args, want string }{
		{"", "pass one version, or only -tidy"},
		{"v0.1.0 v0.2.0", "pass one version, or only -tidy"},
		{"-tidy v0.1.0", "pass one version, or only -tidy"},
		{"0.1.0", `"0.1.0" is not a version such as v1.2.3`},
		{"v0.1", `"v0.1" is not a version such as v1.2.3`},
		{"v0.1.0+build", `"v0.1.0+build" is not a version such as v1.2.3`},
	} {
		if _, failed := doRelease(root, strings.Fields(test.args)...); failed != test.want {
			t.Errorf("release %s: %s, want %s", test.args, failed, test.want)
		}
	}
}

func TestTidyRemovesHashesOfSiblings(t *testing.T) {
	root := fixture.Repository(t, archive)
	before := fixture.Read(t, root, "cmd/thing/go.mod")
	fixture.Write(t, root, "sub/go.sum", "github.com/example/thing v0.1.0 h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n")
	fixture.Commit(t, root)
	fixture.Write(t, root, "cmd/thing/go.mod", strings.ReplaceAll(before, " // indirect", ""))
	fixture.Write(t, root, "cmd/thing/go.sum", "example.com/other v1.0.0 h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n")
	if printed, failed := doRelease(root, "-tidy"); printed != "" || failed != "" {
		t.Fatalf("printed %q, failed: %s", printed, failed)
	}
	if after := fixture.Read(t, root, "cmd/thing/go.mod"); after != before {
		t.Errorf("cmd/thing/go.mod is:\n%s", after)
	}
	// Hashes of siblings go. Other hashes are added and removed as needed.
	if changed := fixture.Git(t, root, "status", "--porcelain"); changed != " M sub/go.sum\n?? cmd/thing/go.sum" {
		t.Errorf("changed:\n%s", changed)
	}
	if sums := fixture.Read(t, root, "cmd/thing/go.sum"); sums != "" {
		t.Errorf("cmd/thing/go.sum is:\n%s", sums)
	}
}
