//go:build ignore

// Opa POLICY SCHEMAS PLAN [STATE] prints the reasons why a policy denies a plan. It exits with
// status 1 if the policy denies the plan, and with status 2 if the policy cannot be evaluated.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/open-policy-agent/opa/v1/rego"

	_ "github.com/objchange/objchange/examples/opa"
)

func main() {
	if len(os.Args) < 4 || len(os.Args) > 5 {
		exit("usage: opa POLICY SCHEMAS PLAN [STATE]")
	}
	input := map[string]json.RawMessage{}
	for i, name := range os.Args[2:] {
		text, err := os.ReadFile(name)
		if err != nil {
			exit(err)
		}
		input[[]string{"schemas", "plan", "state"}[i]] = text
	}
	policy := rego.New(rego.Load(os.Args[1:2], nil), rego.Query("data.terraform.deny"), rego.Input(input))
	results, err := policy.Eval(context.Background())
	if err != nil {
		exit(err)
	}
	denied, ok := rego.ResultValue[[]any](results)
	if !ok {
		exit("the policy has no set data.terraform.deny")
	}
	for _, why := range denied {
		fmt.Println("denied:", why)
	}
	if len(denied) > 0 {
		os.Exit(1)
	}
	fmt.Println("allowed")
}

func exit(why any) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(2)
}
