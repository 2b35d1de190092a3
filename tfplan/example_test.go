package tfplan_test

import (
	"fmt"
	"os"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfplan"
)

// The state differs from the plan.
func ExampleCheck() {

	text, err := os.ReadFile(recorded + "schemas.json")
	if err != nil {
		panic(err)
	}
	schemas, err := configschema.ParseProviderSchemas(text)
	if err != nil {
		panic(err)
	}
	plan, err := os.Open(recorded + "4-replace/plan.json")
	if err != nil {
		panic(err)
	}
	defer plan.Close()
	state, err := os.Open(recorded + "2-noop/state.json")
	if err != nil {
		panic(err)
	}
	defer state.Close()

	report, err := tfplan.Check(schemas, plan, state)
	if err != nil {
		panic(err)
	}
	for resource, finding := range report.Findings() {
		if resource.Address == "time_static.start" {
			fmt.Println(resource.Address, resource.Action, finding, finding.Severity, finding.Pointer)
		}
	}
	// Output:
	// time_static.start replace .triggers["label"]: planned "second", but got "first" [inconsistent-value] rejected /values/root_module/resources/3/values/triggers/label
}
