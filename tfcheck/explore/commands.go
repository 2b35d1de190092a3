package explore

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// A Step is one of the commands that reproduce a finding.
type Step struct {
	Command string `json:"command"`       // such as "terraform plan"; no argument contains a space
	HCL     string `json:"hcl,omitempty"` // the configuration from this step on; "" if it does not change
}

// A command is a step that may be expected to fail.
type command struct {
	Step
	fails bool // whether the provider returns an error
}

// steps returns the commands in the form that reports show.
func (s scenario) steps(n naming) (all []Step, exact bool) {
	commands, exact := s.commands(n)
	for _, c := range commands {
		all = append(all, c.Step)
	}
	return all, exact
}

// commands returns the commands that reproduce the scenario. The result exact means the same as in
// hcl. A plan also validates and configures. A data source that must not be read is only validated.
// A value that is unknown until apply requires an apply.
func (s scenario) commands(n naming) (all []command, exact bool) {
	if s.does != plans {
		all, exact = s.lifecycleCommands(n)
	} else {
		text, same := s.hcl(n)
		line := "terraform plan"
		switch {
		case s.then != cty.NilVal:
			line = "terraform apply"
		case (s.kind == Data || s.kind == Ephemeral) && !s.reads:
			line = "terraform validate"
		}
		all, exact = append(s.provides(s.config, text, nil), command{Step: Step{line, text}}), same
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

// provides returns the commands that create the resources that provide values of the configuration,
// except resources that earlier commands created. The commands are needed because these values are
// known when explore plans.
func (s scenario) provides(config cty.Value, text string, before []command) (all []command) {
	for _, n := range s.needs {
		line := "terraform apply -target=" + n.of.typeName + "." + otherName
		done := slices.ContainsFunc(slices.Concat(before, all), func(c command) bool { return c.Command == line })
		if n.of.applied && !done && config != cty.NilVal && n.in(config) {
			all = append(all, command{Step: Step{line, text}})
		}
	}
	return all
}

// importID is the line of an import block with the ID of the imported object.
const importID = `  id = "ID" # of the object in the state before`

// importBlock returns a block that imports the object.
func importBlock(address string) string {
	return "\nimport {\n  to = " + address + "\n" + importID + "\n}\n"
}

// lifecycleCommands returns the commands of a lifecycle. An import by identity is not exact,
// because Terraform takes the identity only from a configuration.
func (s scenario) lifecycleCommands(n naming) (all []command, exact bool) {
	exact = true
	life, late := s.lifecycleSteps(), 0
	for i, st := range life {
		config := s
		config.config, config.then, config.turn = st.config, st.then, late
		text, same := config.hcl(n)
		exact = exact && same && st.does != identifies
		if strings.Contains(text, lateOutput) {
			late++
		}
		all = append(all, s.provides(st.config, text, all)...)
		taken := s.stepCommands(st, text, i == len(life)-1)
		taken[len(taken)-1].fails = st.fails
		all = append(all, taken...)
	}
	if s.settles {
		all = append(all, command{Step: Step{"terraform plan", ""}})
	}
	return all, exact
}

// stepCommands returns the commands for one step of a lifecycle with the configuration.
func (s scenario) stepCommands(st step, text string, last bool) []command {
	address := s.typeName + "." + exampleName
	one := func(line, text string) command { return command{Step: Step{line, text}} }
	switch st.does {
	case applies:
		return []command{one("terraform apply", text)}
	case replaces:
		return []command{one("terraform apply -replace="+address, text)}
	case destroys:
		return []command{one("terraform destroy", "")}
	}
	line := "terraform apply" // the command "terraform import" accepts imports that a block rejects
	if last {
		line = "terraform plan"
	}
	return []command{one("terraform state rm "+address, ""), one(line, text+importBlock(address))}
}
