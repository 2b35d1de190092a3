package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/objchange/objchange/tools/internal/workspace"
)

// users are the programs that use the libraries, each in the folder of its library.
const users = "tools/release/testdata/users"

// use does what users of the release do, with nothing but what is published, into a
// module cache that is empty at first.
func (r *release) use() error {
	for _, m := range r.modules {
		if !m.Released {
			continue
		}
		program, err := os.ReadFile(filepath.Join(r.tree(), users, m.Dir, "main.go"))
		switch {
		case err == nil:
			err = r.useLibrary(m, program)
		case os.IsNotExist(err):
			err = r.useCommand(m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *release) userEnv() []string {
	// What the checksum database knows of other modules is in the go.sum of the tree,
	// by which they were verified when it was tidied.
	return append(r.env("user/mod", "proxy"), "GOSUMDB=off", "GOBIN="+filepath.Join(r.dir, "user", "bin"))
}

// useLibrary gets the library into a module of its own, and runs a program with it.
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
		{"run", "-mod=mod", "."}, // what the program imports itself is required, too
	} {
		if _, err := workspace.Run(dir, r.userEnv(), "go", args...); err != nil {
			return err
		}
	}
	return nil
}

// useCommand installs the command, and asks it for its version.
func (r *release) useCommand(m workspace.Module) error {
	fmt.Fprintln(r.log, "go install", m.Path)
	if _, err := workspace.Run(r.dir, r.userEnv(), "go", "install", m.Path+"@"+r.version); err != nil {
		return err
	}
	name := path.Base(m.Path)
	said, err := workspace.Run(r.dir, nil, filepath.Join(r.dir, "user", "bin", name), "version")
	if err != nil {
		return err
	}
	if want := name + " " + r.version; strings.TrimSpace(said) != want {
		return fmt.Errorf("%s version says %q, want %q", name, strings.TrimSpace(said), want)
	}
	return nil
}
