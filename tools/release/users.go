package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/objchange/objchange/tools/internal/workspace"
)

// use installs the release as users do, with only the published modules and an initially empty
// module cache.
func (r *release) use() error {
	for _, m := range r.modules {
		parts := strings.Split(m.Dir, "/")
		if !m.Released || slices.Contains(parts, "internal") { // users cannot import it
			continue
		}
		use := r.useLibrary
		if parts[0] == "cmd" {
			use = r.useCommands
		}
		if err := use(m); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) userEnv() []string {
	// The go.sum of the tree was verified against the checksum database when the tree was tidied.
	return append(r.env("user/mod"), "GOSUMDB=off", "GOBIN="+filepath.Join(r.dir, "user", "bin"))
}

// useLibrary adds the library to a new module, and builds its packages there.
func (r *release) useLibrary(m workspace.Module) error {
	fmt.Fprintln(r.log, "go get", m.Path)
	dir := filepath.Join(r.dir, "user", "of", m.Dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"mod", "init", "example.com/user"},
		{"get", m.Path + "@" + r.version},
		{"build", "-mod=mod", m.Path + "/..."}, // -mod=mod adds what packages other than the root import
	} {
		if _, err := workspace.Run(dir, r.userEnv(), "go", args...); err != nil {
			return err
		}
	}
	return nil
}

// useCommands installs the commands of the module, and checks that they report their version.
func (r *release) useCommands(m workspace.Module) error {
	fmt.Fprintln(r.log, "go install", m.Path)
	if _, err := workspace.Run(r.dir, r.userEnv(), "go", "install", m.Path+"/...@"+r.version); err != nil {
		return err
	}
	commands, err := filepath.Glob(filepath.Join(r.dir, "user", "bin", "*"))
	if err != nil {
		return err
	}
	if len(commands) == 0 {
		return fmt.Errorf("%s has no command", m.Path)
	}
	for _, command := range commands {
		info, err := buildinfo.ReadFile(command)
		if err != nil {
			return err
		}
		if info.Main.Version != r.version {
			return fmt.Errorf("%s has version %s, want %s", filepath.Base(command), info.Main.Version, r.version)
		}
	}
	return nil
}
