//go:build ignore

// Run this program with the name of this file. The build constraint excludes it from "go install
// ./...".
package main

import (
	"fmt"
	"os"

	"github.com/objchange/objchange/cmd/playground"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/playground/main.go DIR")
		os.Exit(2)
	}
	if err := playground.Build(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
