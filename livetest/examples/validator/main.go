//go:build ignore

// This program validates a plan, and the state after it. It exits with 1 if a finding must stop an
// apply or an object was not checked, and with 2 if the documents cannot be read.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfplan"
)

func main() {
	if len(os.Args) < 3 || len(os.Args) > 4 {
		fail("usage: validator SCHEMAS PLAN [STATE]")
	}
	schemas := must(configschema.ParseProviderSchemas(must(os.ReadFile(os.Args[1]))))
	plan, state := must(os.Open(os.Args[2])), io.Reader(nil)
	if len(os.Args) == 4 {
		state = must(os.Open(os.Args[3]))
	}
	report := must(tfplan.Check(schemas, plan, state))

	stop := false
	for _, resource := range report.Resources {
		fmt.Println(&resource, resource.Status, resource.Reason)
		stop = stop || resource.Status == tfplan.Skipped && !resource.Idle
		for _, finding := range resource.Findings {
			stops := finding.Severity == objchange.Rejected
			fmt.Printf("  %v (stops: %t)\n", &finding, stops)
			stop = stop || stops
		}
	}
	fmt.Printf("notes: %q\n", report.Notes)
	if stop {
		os.Exit(1)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		fail(err)
	}
	return value
}

func fail(reason any) {
	fmt.Fprintln(os.Stderr, reason)
	os.Exit(2)
}
