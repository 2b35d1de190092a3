package main_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestCommandLinksNoOtherProgram: the command has no part of the playground, the rules' pages
// and the conformance runner in it.
func TestCommandLinksNoOtherProgram(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	for _, without := range []string{
		"github.com/tetratelabs/wazero", "github.com/yuin/goldmark", "github.com/chromedp/chromedp",
		"github.com/objchange/objchange/conformance", "github.com/objchange/objchange/cmd/objchange/playground",
	} {
		if i := slices.IndexFunc(linked, func(path string) bool { return path == without || strings.HasPrefix(path, without+"/") }); i >= 0 {
			t.Errorf("the command links %s", linked[i])
		}
	}
}
