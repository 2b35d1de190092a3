// Package playground writes the playground into a folder, as any server of static files
// serves it: pages, and objchange as WebAssembly.
package playground

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is what the page loads.
const module = "github.com/objchange/objchange/cmd/objchange/playground/wasm"

// Build writes the site into the folder. It needs Go and the sources of the module.
func Build(dir string) error {
	files, err := makePages()
	if err != nil {
		return err
	}
	if err := addLoaders(files); err != nil {
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

// addLoaders adds what loads the module: Go's part is of the release that builds it.
func addLoaders(files pages) error {
	root, err := run("go", "env", "GOROOT")
	if err != nil {
		return err
	}
	sources, err := run("go", "list", "-f", "{{.Dir}}", module)
	if err != nil {
		return err
	}
	for name, from := range map[string]string{
		"wasm_exec.js":  filepath.Join(root, "lib", "wasm", "wasm_exec.js"),
		"objchange.mjs": filepath.Join(sources, "objchange.mjs"),
	} {
		if files[name], err = os.ReadFile(from); err != nil {
			return err
		}
	}
	return nil
}

// run runs a program for the system that the page is, and returns what it prints.
func run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
