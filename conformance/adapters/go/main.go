//go:build ignore

// An adapter for the package objchange itself, and an example for implementations in Go.
// Build it by the name of this file: the constraint above keeps it out of "go install ./...".
package main

import (
	"fmt"
	"os"

	"github.com/objchange/objchange/conformance"
)

func main() {
	if err := conformance.Serve(os.Stdin, os.Stdout, conformance.MessagePack{}, conformance.Ask); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
