// Package playground writes the playground into a folder for any server of static files. It
// consists of pages, and of objchange as WebAssembly.
package playground

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is the package of the WebAssembly module.
const module = "github.com/objchange/objchange/cmd/playground/wasm"

// Build writes the site into the folder. It needs Go and the sources of the module.
func Build(dir string) error {
	files, err := makePages()
	if err != nil {
		return err
	}
	if err := addLoader(files); err != nil {
		return err
	}
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	_, err = run("go", "build", "-trimpath", "-ldflags=-s", "-o", filepath.Join(dir, "objchange.wasm"), module)
	return err
}

// addLoader adds the script that loads the module. It is part of the Go release that builds the
// module.
func addLoader(files pages) error {
	root, err := run("go", "env", "GOROOT")
	if err != nil {
		return err
	}
	files["wasm_exec.js"], err = os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	return err
}

// run runs a program with the settings for WebAssembly, and returns its output.
func run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
