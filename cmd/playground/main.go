//go:build ignore

// Run this program with the name of this file. The build constraint excludes it from "go install
// ./...".
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/objchange/objchange/cmd/playground"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/playground/main.go DIR")
		os.Exit(2)
	}
	if err := build(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// module is the package of the WebAssembly module.
const module = "github.com/objchange/objchange/cmd/playground/wasm"

// build writes the site into the folder. It needs Go and the sources of the module.
func build(dir string) error {
	files, err := playground.Files()
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
func addLoader(files map[string][]byte) error {
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
