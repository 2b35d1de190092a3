package explore

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/objchange/objchange/tfcheck"
)

// among returns the first error that is that of the finding, or nil.
func (c *candidate) among(errors []diagnostic, n naming) *diagnostic {
	if i := slices.IndexFunc(errors, func(d diagnostic) bool { return c.expects(d, n) }); i >= 0 {
		return &errors[i]
	}
	return nil
}

// expects reports whether Terraform's error is that of the finding: with its summary, about its
// type, and not about another attribute. Errors about imports do not name the type, and the
// configuration has no other import.
func (c *candidate) expects(d diagnostic, n naming) bool {
	if c.Rule == tfcheck.RuleCrash {
		return d.crash()
	}
	hasSummary := func(summary string) bool { return strings.HasPrefix(d.Summary, summary) }
	about := strings.Join([]string{d.Address, d.Summary, d.Detail}, "\n")
	return slices.ContainsFunc(c.summaries, hasSummary) &&
		(c.scenario.kind == Configuration || c.Rule == tfcheck.RuleImportCount || strings.Contains(about, c.scenario.reference(n))) &&
		c.isAt(d.names())
}

// isAt reports whether an error about the attribute may be that of the finding. Some errors name
// no attribute.
func (c *candidate) isAt(names []string) bool {
	want := namesOf(c.Places[0].Path)
	return len(names) == 0 || len(names) >= len(want) && slices.Equal(names[:len(want)], want)
}

// How Terraform's errors begin after a crash. Which one it is depends on whether Terraform notices
// first that the connection is closed, or that the process has ended. Terraform also prints the
// trace to stderr, but not always.
var (
	crash         = regexp.MustCompile(`^(Plugin did not respond: The plugin encountered an error, and failed to respond to the \S+ call\.|Request cancelled: The \S+ request was cancelled\.)`)
	functionFails = regexp.MustCompile(`^Error in function call: Call to function "[^"]*" failed: `)
)

// crash reports whether the error says that the provider crashed. An error that the provider
// returns has an address, except in imports and functions. So has a crash in an apply with
// protocol 5, where only the words tell them apart.
func (d diagnostic) crash() bool {
	text := d.Summary + ": " + d.Detail
	return (d.Address == "" || strings.Contains(text, " plugin.(*GRPCProvider).ApplyResourceChange ")) && crash.MatchString(strings.TrimPrefix(text, functionFails.FindString(text)))
}

// How Terraform's errors name attributes: after the address, as a path alone, or as Go prints one.
var (
	attributePath = regexp.MustCompile(`(?:\.` + exampleName + `|[ :])((?:\.[\pL_][\pL\pN_-]*(?:\[[^\]]*\])*)+)`)
	pathStep      = regexp.MustCompile(`cty\.GetAttrStep{Name:"([^"]*)"}`)
)

// names returns the names in the path of the attribute that the error is about, or nil.
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
	if path = steps.ReplaceAllString(path, ""); path == "" {
		return nil
	}
	return strings.Split(strings.TrimPrefix(path, "."), ".")
}

// example returns the address of the resource in the configuration.
func (s scenario) example() string {
	address := s.typeName + "." + exampleName
	if s.kind != Resource {
		address = string(s.kind) + "." + address
	}
	return address
}

// reference returns how Terraform refers to what the scenario is about.
func (s scenario) reference(n naming) string {
	if s.kind == Function {
		return fmt.Sprintf("provider::%s::%s", n.local(s.typeName), s.typeName)
	}
	return s.example()
}
