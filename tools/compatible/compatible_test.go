package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/objchange/objchange/tools/internal/fixture"
)

const archive = "testdata/workspace.txtar"

func check(root string) (printed, failed string) {
	var out bytes.Buffer
	if err := run(root, &out); err != nil {
		failed = err.Error()
	}
	return out.String(), failed
}

func TestNoReleaseIsNoError(t *testing.T) {
	root := fixture.Repository(t, archive)
	fixture.Git(t, root, "tag", "sub/v0.1.0")
	if printed, failed := check(root); printed != "there is no release yet\n" || failed != "" {
		t.Errorf("printed %q, failed: %s", printed, failed)
	}
}

func TestChangesSinceLastRelease(t *testing.T) {
	const (
		removed = "  INCOMPATIBLE: Old: removed\n"
		untold  = `CHANGELOG.md: incompatible changes must be listed below "## [Unreleased]", as "### Changed" or "### Removed"`
	)
	same := "github.com/example/thing since v0.1.0: 0 changes\ngithub.com/example/thing/sub since v0.1.0: 0 changes\n"
	tests := map[string]struct {
		edits   map[string]string // new texts of files; "" deletes a file
		printed string
		failed  string
	}{
		"nothing changed": {nil, same, ""},
		"a name is added": {
			map[string]string{"new.go": "package thing\n\nfunc New() {}\n"},
			strings.Replace(same, "0 changes\n", "1 changes\n  compatible: New: added\n", 1), "",
		},
		"a name is gone": {
			map[string]string{"sub/sub.go": "package sub\n"},
			strings.TrimSuffix(same, "0 changes\n") + "1 changes\n" + removed, untold,
		},
		"a name is gone, and the changelog tells": {
			map[string]string{"sub/sub.go": "package sub\n", "CHANGELOG.md": "## [Unreleased]\n### Removed\n- sub.Old\n## [0.1.0]\n"},
			strings.TrimSuffix(same, "0 changes\n") + "1 changes\n" + removed, "",
		},
		"a name is gone, and the changelog told of another": {
			map[string]string{"sub/sub.go": "package sub\n", "CHANGELOG.md": "## [Unreleased]\n## [0.1.0]\n### Removed\n- Older\n"},
			strings.TrimSuffix(same, "0 changes\n") + "1 changes\n" + removed, untold,
		},
		"a type is another": {
			map[string]string{"thing.go": "package thing\n\nfunc Old() int64 { return 1 }\n"},
			"github.com/example/thing since v0.1.0: 1 changes\n" +
				"  INCOMPATIBLE: Old: changed from func() int to func() int64\n" +
				"github.com/example/thing/sub since v0.1.0: 1 changes\n" +
				"  INCOMPATIBLE: Old: changed from func() int to func() int64\n", untold,
		},
		"a module is gone": {
			map[string]string{"sub/sub.go": "", "sub/go.mod": "", "go.work": "go 1.25\n\nuse .\n"},
			strings.TrimSuffix(same, "0 changes\n") + "1 changes\n  INCOMPATIBLE: package github.com/example/thing/sub: removed\n", untold,
		},
		"what is internal is gone": {map[string]string{"internal/hidden/hidden.go": ""}, same, ""},
		"it does not compile": {
			map[string]string{"sub/sub.go": "package sub\n\nvar Old = thing.Old\n"},
			"github.com/example/thing since v0.1.0: 0 changes\n", "sub.go:3:11: undefined: thing",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := fixture.Repository(t, archive)
			fixture.Git(t, root, "tag", "v0.1.0")
			for name, text := range test.edits {
				fixture.Write(t, root, name, text)
			}
			printed, failed := check(root)
			if printed != test.printed {
				t.Errorf("printed:\n%swant:\n%s", printed, test.printed)
			}
			if !strings.HasSuffix(failed, test.failed) || (failed == "") != (test.failed == "") {
				t.Errorf("failed: %s\nwant: %s", failed, test.failed)
			}
		})
	}
}

// TestIncompatibleChangesAreRefusedFromVersion1 checks that a changelog does not allow them.
func TestIncompatibleChangesAreRefusedFromVersion1(t *testing.T) {
	root := fixture.Repository(t, archive)
	fixture.Git(t, root, "tag", "v0.9.0")
	fixture.Git(t, root, "tag", "v1.10.0")
	fixture.Git(t, root, "tag", "v1.9.0")
	fixture.Write(t, root, "CHANGELOG.md", "## [Unreleased]\n### Removed\n- sub.Old\n")
	fixture.Write(t, root, "sub/sub.go", "package sub\n")
	if _, failed := check(root); failed != "v1.10.0 promised no incompatible changes before the next major version" {
		t.Error(failed)
	}
}
