//go:build ignore

// Run this file by its name. The constraint excludes it from "go install ./...".
//
//	go run ./tools/survey/main.go [flags] LIST    surveys the modules in the list, "-" for standard input
//	go run ./tools/survey/main.go -table FILE...  prints a Markdown table of the lines in the files
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/objchange/objchange/tools/survey"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := survey.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "survey:", err)
		}
		os.Exit(1)
	}
}
