package confirm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// firstMatch returns the first error that matches the finding, or nil.
func (f Finding) firstMatch(errors []diagnostic, n repro.Naming) *diagnostic {
	if i := slices.IndexFunc(errors, func(d diagnostic) bool { return f.matches(d, n) }); i >= 0 {
		return &errors[i]
	}
	return nil
}

// matches reports whether Terraform's error matches the finding: it has a summary of the finding,
// mentions the type, and does not mention another attribute. Errors about imports need not mention
// the type, because the configuration contains no other import.
func (f Finding) matches(d diagnostic, n repro.Naming) bool {
	if f.Rule == tfcheck.RuleCrash {
		return d.reportsCrash()
	}
	hasSummary := func(summary string) bool { return strings.HasPrefix(d.Summary, summary) }
	about := strings.Join([]string{d.Address, d.Summary, d.Detail}, "\n")
	return slices.ContainsFunc(f.Summaries, hasSummary) &&
		(f.Scenario.Kind == scenario.Configuration || f.Rule == tfcheck.RuleImportCount || strings.Contains(about, reference(f.Scenario, n))) &&
		f.isAt(d.names())
}

// isAt reports whether an error about the attribute with the names can match the finding. It
// returns true for an error that names no attribute.
func (f Finding) isAt(names []string) bool {
	want := namesOf(f.Path)
	return len(names) == 0 || len(names) >= len(want) && slices.Equal(names[:len(want)], want)
}

// The beginnings of Terraform's errors after a crash. The error depends on whether Terraform first
// notices that the connection is closed or that the process has ended. Terraform also prints the
// trace to stderr, but not always.
var (
	crash         = regexp.MustCompile(`^(Plugin did not respond: The plugin encountered an error, and failed to respond to the \S+ call\.|Request cancelled: The \S+ request was cancelled\.)`)
	functionFails = regexp.MustCompile(`^Error in function call: Call to function "[^"]*" failed: `)
)

// reportsCrash reports whether the error reports a crash of the provider. An error that the
// provider returns has an address, except in imports and functions. With protocol 5, a crash in an
// apply has an address, too. Only its text differs from an error of the provider.
func (d diagnostic) reportsCrash() bool {
	text := d.Summary + ": " + d.Detail
	return (d.Address == "" || strings.Contains(text, " plugin.(*GRPCProvider).ApplyResourceChange ")) && crash.MatchString(strings.TrimPrefix(text, functionFails.FindString(text)))
}

// The forms of attributes in Terraform's errors: after the address, as a path alone, or as a path
// in Go syntax.
var (
	attributePath = regexp.MustCompile(`(?:\.` + repro.ExampleName + `|[ :])((?:\.[\pL_][\pL\pN_-]*(?:\[[^\]]*\])*)+)`)
	pathStep      = regexp.MustCompile(`cty\.GetAttrStep{Name:"([^"]*)"}`)
)

// names returns the names in the path of the attribute that the error mentions, or nil.
func (d diagnostic) names() (names []string) {
	for _, step := range pathStep.FindAllStringSubmatch(d.Detail, -1) {
		names = append(names, step[1])
	}
	if path := attributePath.FindStringSubmatch(d.Detail); names == nil && path != nil {
		names = namesOf(path[1])
	}
	return names
}

// namesOf returns the names in a path, without indexes.
func namesOf(path string) []string {
	if path = strings.ReplaceAll(scenario.Normal(path), "[…]", ""); path == "" {
		return nil
	}
	return strings.Split(strings.TrimPrefix(path, "."), ".")
}

// addressOf returns the address of the scenario's resource in the configuration.
func addressOf(s scenario.Scenario) string {
	address := s.TypeName + "." + repro.ExampleName
	if s.Kind != scenario.Resource {
		address = string(s.Kind) + "." + address
	}
	return address
}

// reference returns Terraform's name for the resource or function of the scenario.
func reference(s scenario.Scenario, n repro.Naming) string {
	if s.Kind == scenario.Function {
		return fmt.Sprintf("provider::%s::%s", n.Local(s.TypeName), s.TypeName)
	}
	return addressOf(s)
}
