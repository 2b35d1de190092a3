//go:build ignore

// Run this file by its name. The constraint excludes it from "go install ./...".
//
//	go run ./tools/adopt/main.go [flags] [NAME...]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/objchange/objchange/tools/adopt"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := adopt.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "adopt:", err)
		os.Exit(1)
	}
}
