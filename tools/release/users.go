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

// users contains the programs that use the libraries, each in the folder of its library.
const users = "tools/release/testdata/users"

// use installs and runs the release as users do, with only the published modules and an initially
// empty module cache.
func (r *release) use() error {
	for _, m := range r.modules {
		if !m.Released || slices.Contains(strings.Split(m.Dir, "/"), "internal") { // users cannot import it
			continue
		}
		program, err := os.ReadFile(filepath.Join(r.tree(), users, m.Dir, "main.go"))
		switch {
		case err == nil:
			err = r.useLibrary(m, program)
		case os.IsNotExist(err):
			err = r.useCommands(m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *release) userEnv() []string {
	// The go.sum of the tree was verified against the checksum database when the tree was tidied.
	return append(r.env("user/mod", "proxy"), "GOSUMDB=off", "GOBIN="+filepath.Join(r.dir, "user", "bin"))
}

// useLibrary adds the library to a new module, and runs a program with it.
func (r *release) useLibrary(m workspace.Module, program []byte) error {
	fmt.Fprintln(r.log, "go get", m.Path)
	dir := filepath.Join(r.dir, "user", "of", m.Dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), program, 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"mod", "init", "example.com/user"},
		{"get", m.Path + "@" + r.version},
		{"run", "-mod=mod", "."}, // -mod=mod also adds the imports of the program itself
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
	installed := false
	for _, command := range commands {
		info, err := buildinfo.ReadFile(command)
		if err != nil {
			return err
		}
		if info.Main.Version != r.version {
			return fmt.Errorf("%s has version %s, want %s", filepath.Base(command), info.Main.Version, r.version)
		}
		installed = installed || info.Main.Path == m.Path
	}
	if !installed {
		return fmt.Errorf("%s has no command, and %s has has no program that uses it", m.Path, users)
	}
	return nil
}
