package main_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestCommandLinksNoOtherProgram checks that the command does not link parts of the playground or the
// conformance runner.
func TestCommandLinksNoOtherProgram(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	for _, without := range []string{
		"github.com/chromedp/chromedp",
		"github.com/objchange/objchange/conformance", "github.com/objchange/objchange/cmd/playground",
	} {
		if i := slices.IndexFunc(linked, func(path string) bool { return path == without || strings.HasPrefix(path, without+"/") }); i >= 0 {
			t.Errorf("the command is linked with %s", linked[i])
		}
	}
}

// TestOnlyProgramsForUsersAreInstalled checks that "go install ./..." in any module of the
// workspace installs only programs for users. Programs that are run by the name of their file must
// compile.
func TestOnlyProgramsForUsersAreInstalled(t *testing.T) {
	const module = "github.com/objchange/objchange/"
	want := []string{module + "cmd/objchange", module + "cmd/objchange-conformance"}
	out, err := exec.Command("go", "list", "-f", `{{if and .GoFiles (eq .Name "main")}}{{.ImportPath}}{{end}}`, "work").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := slices.DeleteFunc(strings.Fields(string(out)), func(path string) bool {
		return strings.HasPrefix(path, module+"livetest/") // livetest is not released
	})
	if !slices.Equal(got, want) {
		t.Errorf("go install installs %v, want %v", got, want)
	}
	for _, file := range []string{"../playground/main.go", "../../conformance/adapters/go/main.go"} {
		if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", file, err, out)
		}
	}
}
