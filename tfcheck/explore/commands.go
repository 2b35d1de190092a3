package explore

import (
	"cmp"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// A Step is a command that takes part in reproducing a finding.
type Step struct {
	Command string `json:"command"`       // such as "terraform plan"; no argument has a space
	HCL     string `json:"hcl,omitempty"` // the configuration from then on; "" if it is as before
}

// steps returns the commands that reproduce the scenario, with exact as in hcl. Plan also
// validates and configures. What is not to be read is only validated. What is known at apply
// needs apply.
func (s scenario) steps(n naming) (all []Step, exact bool) {
	if s.does != plans {
		all, exact = s.lifeSteps(n)
	} else {
		text, same := s.hcl(n)
		command := "terraform plan"
		switch {
		case s.then != cty.NilVal:
			command = "terraform apply"
		case (s.kind == Data || s.kind == Ephemeral) && !s.reads:
			command = "terraform validate"
		}
		all, exact = append(s.provides(s.config, text, nil), Step{command, text}), same
	}
	last := ""
	for i, st := range all {
		if st.HCL == last {
			all[i].HCL = ""
		}
		last = cmp.Or(st.HCL, last)
	}
	return all, exact
}

// provides returns the commands that create the resources which provide values of the
// configuration, unless earlier commands did. Explore knows these values when it plans.
func (s scenario) provides(config cty.Value, text string, before []Step) (all []Step) {
	for _, n := range s.needs {
		command := "terraform apply -target=" + n.of.typeName + "." + otherName
		done := slices.ContainsFunc(slices.Concat(before, all), func(st Step) bool { return st.Command == command })
		if n.of.applied && !done && config != cty.NilVal && n.in(config) {
			all = append(all, Step{command, text})
		}
	}
	return all
}

// importID is the line with the ID of the object that is imported.
const importID = `  id = "ID" # of the object in the state before`

// importBlock imports the object.
func importBlock(address string) string {
	return "\nimport {\n  to = " + address + "\n" + importID + "\n}\n"
}

// lifeSteps returns the commands of a lifecycle. Terraform imports by identity only what a
// configuration says, which is not exact.
func (s scenario) lifeSteps(n naming) (all []Step, exact bool) {
	address, exact := s.typeName+"."+exampleName, true
	life := s.life()
	for i, st := range life {
		config := s
		config.config, config.then = st.config, st.then
		text, same := config.hcl(n)
		exact = exact && same && st.does != identifies
		all = append(all, s.provides(st.config, text, all)...)
		switch st.does {
		case applies:
			all = append(all, Step{"terraform apply", text})
		case replaces:
			all = append(all, Step{"terraform apply -replace=" + address, text})
		case destroys:
			all = append(all, Step{"terraform destroy", ""})
		default: // the command import takes what a block rejects
			command := "terraform plan"
			if i < len(life)-1 {
				command = "terraform apply"
			}
			all = append(all, Step{"terraform state rm " + address, ""}, Step{command, text + importBlock(address)})
		}
	}
	if s.settles {
		all = append(all, Step{"terraform plan", ""})
	}
	return all, exact
}
