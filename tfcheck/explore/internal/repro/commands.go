package repro

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/zclconf/go-cty/cty"
)

// A Step is one of the commands that reproduce a finding.
type Step struct {
	Command string   `json:"command"`       // such as "terraform plan"
	HCL     string   `json:"hcl,omitempty"` // the configuration from this step on; "" if it does not change
	Args    []string `json:"-"`             // of the command
	Fails   bool     `json:"-"`             // whether the provider returns an error
}

// stepOf returns the step that runs Terraform with the arguments.
func stepOf(hcl string, args ...string) Step {
	return Step{Command: "terraform " + strings.Join(args, " "), HCL: hcl, Args: args}
}

// Commands returns the commands that reproduce the scenario. The result exact means the same as in
// hclOf. An import by identity is not exact, because Terraform takes the identity only from a
// configuration.
func Commands(s scenario.Scenario, n Naming) (all []Step, exact bool) {
	exact = true
	late := 0
	for i, st := range s.Steps {
		text, same, isLate := hclOf(s, st, n, late)
		exact = exact && same && st.Does != scenario.Identifies
		if isLate {
			late++
		}
		all = append(all, stepCommands(s, st, text, i == len(s.Steps)-1)...)
	}
	if s.Settles {
		all = append(all, stepOf("", "plan"))
	}
	last := ""
	for i, c := range all {
		if c.HCL == last {
			all[i].HCL = ""
		}
		last = cmp.Or(c.HCL, last)
	}
	return all, exact
}

// importBlock imports an object. Terraform asks for the variable unless the environment has TF_VAR_id.
const importBlock = `
variable "id" {} # ID of the object in the state before

import {
  to = %s
  id = var.id
}
`

// stepCommands returns the commands for one step with the configuration. A plan also validates and
// configures. A data source that must not be read is only validated. A value that is unknown until
// apply requires an apply. The command "terraform import" accepts imports that a block rejects.
func stepCommands(s scenario.Scenario, st scenario.Step, text string, last bool) (all []Step) {
	address := s.TypeName + "." + ExampleName
	args := []string{"plan"}
	switch {
	case st.Does == scenario.Destroys:
		args, text = []string{"destroy"}, ""
	case st.Does == scenario.Replaces:
		args = []string{"apply", "-replace=" + address}
	case st.Does == scenario.Imports || st.Does == scenario.Identifies:
		all, text = append(all, stepOf("", "state", "rm", address)), text+fmt.Sprintf(importBlock, address)
		if !last {
			args = []string{"apply"}
		}
	case st.Does == scenario.Applies || st.Then != cty.NilVal:
		args = []string{"apply"}
	case (s.Kind == scenario.Data || s.Kind == scenario.Ephemeral) && !s.Reads:
		args = []string{"validate"}
	}
	step := stepOf(text, args...)
	step.Fails = st.Fails
	return append(all, step)
}
