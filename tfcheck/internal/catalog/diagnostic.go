package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfconv"
)

// A Diagnostic is what a provider tells the user, of either protocol.
type Diagnostic struct {
	Error           bool // else a warning
	Summary, Detail string
	// Path is the place in the configuration, if it names one. Keys and set
	// elements in it may be sensitive.
	Path cty.Path

	text string // the path to be shown
}

// String writes the diagnostic as a sentence or two, with the provider's words.
// What is below something sensitive is hidden in its path.
func (d Diagnostic) String() string {
	var b strings.Builder
	if d.text != "" {
		b.WriteString(d.text + ": ")
	}
	b.WriteString(d.Summary)
	if d.Detail != "" {
		b.WriteString(": " + d.Detail)
	}
	return b.String()
}

// A RefusedError says that the provider answered with error diagnostics.
type RefusedError struct {
	RPC      string
	TypeName string // "" for RPCs about the provider itself
	// Diagnostics are all that came, at least one of them an error.
	Diagnostics []Diagnostic
}

// Error names the RPC and writes the errors, without the warnings.
func (e *RefusedError) Error() string {
	var texts []string
	for _, d := range e.Diagnostics {
		if d.Error {
			texts = append(texts, d.String())
		}
	}
	return Place(e.RPC, e.TypeName) + ": " + strings.Join(texts, "; ")
}

// Refusal returns an error if one of the diagnostics is one, and none otherwise.
func Refusal(rpc, typeName string, diags []Diagnostic) error {
	if !slices.ContainsFunc(diags, func(d Diagnostic) bool { return d.Error }) {
		return nil
	}
	return &RefusedError{rpc, typeName, diags}
}

// Place names an RPC about a type, or about the provider itself if there is none.
func Place(rpc, typeName string) string {
	if typeName == "" {
		return rpc
	}
	return fmt.Sprintf("%s of %s", rpc, typeName)
}

// Failed reports whether one of the diagnostics is an error.
func Failed(diags []*tfprotov6.Diagnostic) bool {
	for _, d := range diags {
		if d != nil && d.Severity == tfprotov6.DiagnosticSeverityError {
			return true
		}
	}
	return false
}

// Diagnostics returns what came. The schema is that of the configuration that
// they are about, if there is one.
func Diagnostics(diags []*tfprotov6.Diagnostic, schema *objchange.Schema) (neutral []Diagnostic) {
	for _, d := range diags {
		if d == nil {
			continue
		}
		// What the path of a diagnostic cannot be, its text says all the same.
		path, _ := tfconv.PathToCty(d.Attribute)
		neutral = append(neutral, Diagnostic{
			Error: d.Severity == tfprotov6.DiagnosticSeverityError, Summary: d.Summary, Detail: d.Detail,
			Path: path, text: schema.PathString(path),
		})
	}
	return neutral
}
