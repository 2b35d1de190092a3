//go:build ignore

// Validator SCHEMAS PLAN [STATE] exits with 1 if a finding must stop an apply, or an object is not checked.
package main

import (
	"fmt"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfplan"
	"io"
	"os"
)

func main() {
	files := [3]io.Reader{os.Stdin, os.Stdin}
	for i, name := range os.Args[1:min(len(os.Args), 4)] {
		files[i] = must(os.Open(name))
	}
	schemas := must(configschema.ParseProviderSchemas(must(io.ReadAll(files[0]))))
	report := must(tfplan.Check(schemas, files[1], files[2]))
	wrong := map[bool]int{} // the number of problems (true), and of other entries (false)
	for _, resource := range report.Resources {
		fmt.Println(&resource, resource.Status, resource.Reason)
		wrong[resource.Status == tfplan.Skipped && !resource.Idle]++
		for _, finding := range resource.Findings {
			fmt.Printf("  %v (stops: %t)\n", &finding, finding.Stops())
			wrong[finding.Stops()]++
		}
	}
	fmt.Printf("notes: %q\n", report.Notes)
	os.Exit(min(wrong[true], 1))
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return value
}
