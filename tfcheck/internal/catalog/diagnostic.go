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

// A Diagnostic is a message of the provider to the user, of either protocol.
type Diagnostic struct {
	Error           bool // otherwise a warning
	Summary, Detail string
	// Path is the path in the configuration, if the diagnostic has one. Keys and set elements in
	// it may be sensitive.
	Path cty.Path

	text string // the path for display
}

// String returns the path, the summary and the detail. The path does not show parts below a
// sensitive value.
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

// A RefusedError says that the provider returned error diagnostics.
type RefusedError struct {
	RPC      string
	TypeName string // "" for RPCs about the provider itself
	// Diagnostics contains all diagnostics of the response, at least one of them an error.
	Diagnostics []Diagnostic
}

// Error returns the name of the RPC and the errors, without the warnings.
func (e *RefusedError) Error() string {
	var texts []string
	for _, d := range e.Diagnostics {
		if d.Error {
			texts = append(texts, d.String())
		}
	}
	return Place(e.RPC, e.TypeName) + ": " + strings.Join(texts, "; ")
}

// Refusal returns a *RefusedError if one of the diagnostics is an error, and nil otherwise.
func Refusal(rpc, typeName string, diags []Diagnostic) error {
	if !slices.ContainsFunc(diags, func(d Diagnostic) bool { return d.Error }) {
		return nil
	}
	return &RefusedError{rpc, typeName, diags}
}

// Place returns a description of an RPC for a type, or for the provider itself if typeName is "".
func Place(rpc, typeName string) string {
	if typeName == "" {
		return rpc
	}
	return fmt.Sprintf("%s of %s", rpc, typeName)
}

// Failed reports whether one of the diagnostics is an error.
func Failed(diags []*tfprotov6.Diagnostic) bool {
	return slices.ContainsFunc(diags, func(d *tfprotov6.Diagnostic) bool {
		return d != nil && d.Severity == tfprotov6.DiagnosticSeverityError
	})
}

// Diagnostics converts the diagnostics. The schema is the schema of the configuration that they
// refer to, or nil.
func Diagnostics(diags []*tfprotov6.Diagnostic, schema *objchange.Schema) (neutral []Diagnostic) {
	for _, d := range diags {
		if d == nil {
			continue
		}
		// If the path cannot be converted, the text still describes it.
		path, _ := tfconv.PathToCty(d.Attribute)
		neutral = append(neutral, Diagnostic{
			Error: d.Severity == tfprotov6.DiagnosticSeverityError, Summary: d.Summary, Detail: d.Detail,
			Path: path, text: schema.PathString(path),
		})
	}
	return neutral
}
