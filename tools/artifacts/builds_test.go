package artifacts

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/tools/internal/fixture"
	"github.com/objchange/objchange/tools/internal/workspace"
)

// TestBuildsAreReproducible checks that a build in another folder has the same bytes, and that the binary is
// not too large. Both builds share the build cache, because compiling the standard library again
// takes a minute and only tests the compiler.
func TestBuildsAreReproducible(t *testing.T) {
	r, c := rehearsal(t), readYAML[goreleaser](t, ".goreleaser.yaml")
	build := func(dir string) (name string, content []byte) {
		b := c.Builds[0]
		name = filepath.Join(t.TempDir(), b.Binary+".exe")
		args := append(append([]string{"build"}, b.Flags...), "-ldflags="+strings.Join(b.Ldflags, " "), "-o", name, b.Main)
		// Use the flags of the configuration, not those of the machine.
		goCommand(t, filepath.Join(dir, b.Dir), append(c.Env, "GOFLAGS="), args...)
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return name, content
	}
	name, one := build(r.clone(t, "one"))
	_, other := build(r.clone(t, "an", "other"))
	if !bytes.Equal(one, other) {
		t.Errorf("two builds differ, of %d and %d bytes", len(one), len(other))
	}
	if most := 28_000_000; runtime.GOOS+"/"+runtime.GOARCH == "linux/amd64" && len(one) > most {
		t.Errorf("the command has %d bytes, want at most %d", len(one), most)
	}
	for _, place := range []string{r.tree, filepath.Dir(name), os.Getenv("GOMODCACHE")} {
		if bytes.Contains(one, []byte(place)) {
			t.Errorf("the command has the folder %s in it", place)
		}
	}
	output, err := workspace.Run(".", nil, name, "--version")
	if want := c.Builds[0].Binary + " " + r.version; err != nil || strings.TrimSpace(output) != want {
		t.Errorf("it says %q, %v; want %q", output, err, want)
	}
}

// TestFilesOfArchivesExist checks that the files in the archives, and the additional files of the release,
// exist after the hooks have run.
func TestFilesOfArchivesExist(t *testing.T) {
	r, c := rehearsal(t), readYAML[goreleaser](t, ".goreleaser.yaml")
	dir := r.clone(t)
	for _, hook := range c.Before.Hooks {
		if printed, status := shell(t, dir, c.Env, "sh", hook); status != 0 {
			t.Fatalf("%s: exit status %d\n%s", hook, status, printed)
		}
	}
	var held []string
	for _, file := range c.Archives[0].Files {
		found, err := filepath.Glob(filepath.Join(dir, file.Src))
		if err != nil || len(found) == 0 {
			t.Errorf("%s names no file: %v", file.Src, err)
		}
		if file.Dst != "" && !strings.Contains(file.Src, "*") {
			t.Errorf("%s is one file, which goreleaser names %s", file.Src, file.Dst)
		}
		for _, name := range found {
			name, _ = filepath.Rel(dir, name)
			held = append(held, filepath.ToSlash(name))
			if fixture.Read(t, dir, name) == "" {
				t.Errorf("%s is empty", name)
			}
		}
	}
	for _, want := range []string{
		"LICENSE", "build/completions/objchange.bash", "build/completions/_objchange",
		"build/completions/objchange.fish", "build/completions/objchange.ps1",
	} {
		if !slices.Contains(held, want) {
			t.Errorf("no %s among %q", want, held)
		}
	}
	if status := fixture.Git(t, dir, "status", "--porcelain"); status != "" {
		t.Errorf("the hooks leave what is not ignored, which goreleaser refuses:\n%s", status)
	}
}

// TestGoreleaserCheck runs goreleaser check if goreleaser is installed. Building goreleaser takes
// minutes.
func TestGoreleaserCheck(t *testing.T) {
	r := rehearsal(t)
	if _, err := exec.LookPath("goreleaser"); err != nil {
		t.Skip("goreleaser is not installed")
	}
	dir := r.clone(t)
	fixture.Git(t, dir, "remote", "set-url", "origin", "https://github.com/objchange/objchange")
	if _, err := workspace.Run(dir, nil, "goreleaser", "check"); err != nil {
		t.Error(err)
	}
}

// TestImageHasACommandForEachPlatform checks that a command is built for each platform of the image.
func TestImageHasACommandForEachPlatform(t *testing.T) {
	c := readYAML[goreleaser](t, ".goreleaser.yaml")
	for _, platform := range c.DockersV2[0].Platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		if len(c.Builds) != 1 || !slices.Contains(c.Builds[0].GOOS, goos) || !slices.Contains(c.Builds[0].GOARCH, goarch) {
			t.Errorf("no command is built for %s", platform)
		}
	}
	copied := "COPY $TARGETPLATFORM/" + c.Builds[0].Binary + " "
	if text := fixture.Read(t, root, c.DockersV2[0].Dockerfile); !strings.Contains(text, copied) {
		t.Errorf("the image does not %s", copied)
	}
}
