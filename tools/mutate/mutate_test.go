package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestMutantIsKilledIfATestFails checks that a mutant is killed exactly if a test fails with it.
func TestMutantIsKilledIfATestFails(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/less\n\ngo 1.21\n",
		"less.go": `package less

func Less(a, b int) bool {
	if a == b {
		return false
	}
	return a < b
}
`,
		"a_test.go": `package less

import "testing"

func TestLess(t *testing.T) {
	if Less(2, 1) || !Less(1, 2) {
		t.Fail()
	}
}
`,
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	o := options{
		root: root, limit: time.Minute, match: regexp.MustCompile(""),
		packages: []string{"."}, runs: [][]string{{"."}},
	}
	if err := o.run(&out); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"killed    less.go:4: == -> != in a == b",
		"killed    less.go:4: always if a == b",
		"survived  less.go:4: never if a == b",
		"survived  less.go:5: not false",
		"survived  less.go:5: without return false",
		"killed    less.go:7: < -> >= in a < b",
		"survived  less.go:7: < -> <= in a < b",
		"3 of 7 mutants killed (42.9 %)",
	} {
		if !strings.Contains(out.String(), line+"\n") {
			t.Errorf("missing %q in\n%s", line, &out)
		}
	}
}
