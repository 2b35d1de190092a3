package explore

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// A Step is a command that takes part in reproducing a finding.
type Step struct {
	Command string `json:"command"`       // such as "terraform plan"; no argument has a space
	HCL     string `json:"hcl,omitempty"` // the configuration from then on; "" if it is as before
}

// A command is a step that may have to fail.
type command struct {
	Step
	fails bool // the provider returns an error
}

// steps returns the commands as reports show them.
func (s scenario) steps(n naming) (all []Step, exact bool) {
	commands, exact := s.commands(n)
	for _, c := range commands {
		all = append(all, c.Step)
	}
	return all, exact
}

// commands returns the commands that reproduce the scenario, with exact as in hcl. Plan validates
// and configures, too. A data source that must not be read is only validated. A value that is
// unknown until apply needs apply.
func (s scenario) commands(n naming) (all []command, exact bool) {
	if s.does != plans {
		all, exact = s.lifeCommands(n)
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

// provides returns the commands that create the resources which provide values of the
// configuration, unless earlier commands did. Explore knows these values when it plans.
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

// importID is the line with the ID of the object that is imported.
const importID = `  id = "ID" # of the object in the state before`

// importBlock imports the object.
func importBlock(address string) string {
	return "\nimport {\n  to = " + address + "\n" + importID + "\n}\n"
}

// lifeCommands returns the commands of a lifecycle. Terraform imports by identity only what a
// configuration says, which is not exact.
func (s scenario) lifeCommands(n naming) (all []command, exact bool) {
	exact = true
	life, late := s.life(), 0
	for i, st := range life {
		config := s
		config.config, config.then, config.turn = st.config, st.then, late
		text, same := config.hcl(n)
		exact = exact && same && st.does != identifies
		if strings.Contains(text, lateOutput) {
			late++
		}
		all = append(all, s.provides(st.config, text, all)...)
		taken := s.taking(st, text, i == len(life)-1)
		taken[len(taken)-1].fails = st.fails
		all = append(all, taken...)
	}
	if s.settles {
		all = append(all, command{Step: Step{"terraform plan", ""}})
	}
	return all, exact
}

// taking returns the commands that take a step of a lifecycle with the configuration.
func (s scenario) taking(st step, text string, last bool) []command {
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
	line := "terraform apply" // the command import takes what a block rejects
	if last {
		line = "terraform plan"
	}
	return []command{one("terraform state rm "+address, ""), one(line, text+importBlock(address))}
}
