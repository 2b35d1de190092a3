//go:build ignore

// An adapter for the package objchange, and an example for implementations in Go. To build it,
// pass the name of this file to go build. The build constraint excludes it from go install ./...
package main

import (
	"fmt"
	"os"

	"github.com/objchange/objchange/conformance"
)

func main() {
	if err := conformance.Serve(os.Stdin, os.Stdout, conformance.MessagePack{}, conformance.Answer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
