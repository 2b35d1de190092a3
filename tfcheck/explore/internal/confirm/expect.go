package confirm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// firstMatch returns the first error that matches the finding, or nil.
func (f Finding) firstMatch(output commandOutput, n repro.Naming) *diagnostic {
	i := slices.IndexFunc(output.errors, func(d diagnostic) bool { return f.matches(d, output.crashed, n) })
	if i < 0 {
		return nil
	}
	return &output.errors[i]
}

// matches reports whether Terraform's error matches the finding: it has a summary of the finding,
// mentions the type, and does not mention another attribute. Errors about imports need not mention
// the type, because the configuration contains no other import.
func (f Finding) matches(d diagnostic, crashed bool, n repro.Naming) bool {
	if f.Rule == objchange.RuleCrash {
		return d.reportsCrash(crashed)
	}
	hasSummary := func(summary string) bool { return strings.HasPrefix(d.Summary, summary) }
	about := strings.Join([]string{d.Address, d.Summary, d.Detail}, "\n")
	mentions := f.Scenario.Kind == scenario.Configuration || f.Rule == objchange.RuleImportCount ||
		strings.Contains(about, addressOf(f.Scenario, n))
	return mentions && slices.ContainsFunc(f.Summaries, hasSummary) && f.isAt(d.path())
}

// isAt reports whether an error about the attribute at the path can match the finding. It returns
// true for an error that names no attribute.
func (f Finding) isAt(path string) bool {
	names := ""
	for _, s := range f.Path {
		if attr, ok := s.(cty.GetAttrStep); ok {
			names += "." + attr.Name
		}
	}
	return path == "" || strings.HasPrefix(path+".", names+".")
}

// The beginnings of Terraform's errors after a crash. The error depends on whether Terraform first
// notices that the connection is closed or that the process has ended. After a panic, Terraform also
// prints the trace to stderr, and a sentence.
var (
	crash = regexp.MustCompile(`^(Error in function call: Call to function "[^"]*" failed: )?` +
		`(Plugin did not respond: The plugin encountered an error, and failed to respond to the \S+ call\.` +
		`|Request cancelled: The \S+ request was cancelled\.)`)
	crashed = regexp.MustCompile(`The terraform-provider-\S+ plugin crashed!`)
)

// reportsCrash reports whether the error reports a crash of the provider. A provider can return an
// error with the same text, which has an address. With protocol 5, the error of Terraform has an
// address, too. Then the text after the stack trace shows that the process has ended. Without a
// stack trace, only ApplyResourceChange has a text that no provider returns.
func (d diagnostic) reportsCrash(crashed bool) bool {
	text := d.Summary + ": " + d.Detail
	ours := d.Address == "" || crashed || strings.Contains(text, " plugin.(*GRPCProvider).ApplyResourceChange ")
	return ours && crash.MatchString(text)
}

// The forms of attributes in Terraform's errors: after the address, as a path alone, or as a path
// in Go syntax.
var (
	attributePath = regexp.MustCompile(`(?:\.` + repro.ExampleName + `|[ :])((?:\.[\pL_][\pL\pN_-]*(?:\[[^\]]*\])*)+)`)
	index         = regexp.MustCompile(`\[[^\]]*\]`)
	pathStep      = regexp.MustCompile(`cty\.GetAttrStep{Name:"([^"]*)"}`)
)

// path returns the path of the attribute that the error mentions, without indexes, or "".
func (d diagnostic) path() (path string) {
	for _, step := range pathStep.FindAllStringSubmatch(d.Detail, -1) {
		path += "." + step[1]
	}
	if found := attributePath.FindStringSubmatch(d.Detail); path == "" && found != nil {
		path = index.ReplaceAllString(found[1], "")
	}
	return path
}

// addressOf returns Terraform's name for the resource or function of the scenario.
func addressOf(s scenario.Scenario, n repro.Naming) string {
	address := s.TypeName + "." + repro.ExampleName
	switch s.Kind {
	case scenario.Resource:
		return address
	case scenario.Function:
		return fmt.Sprintf("provider::%s::%s", n.Local(s.TypeName), s.TypeName)
	}
	return string(s.Kind) + "." + address
}
