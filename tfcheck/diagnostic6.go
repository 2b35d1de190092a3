package tfcheck

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfconv"
)

// failed6 reports whether one of the diagnostics is an error.
func failed6(diags []*tfprotov6.Diagnostic) bool {
	for _, d := range diags {
		if d != nil && d.Severity == tfprotov6.DiagnosticSeverityError {
			return true
		}
	}
	return false
}

// diagnostics6 returns what came. The schema is that of the configuration that
// they are about, if there is one.
func diagnostics6(diags []*tfprotov6.Diagnostic, schema *objchange.Schema) (neutral []Diagnostic) {
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

// sent6 returns diagnostics as they are sent.
func sent6(neutral []Diagnostic) (diags []*tfprotov6.Diagnostic) {
	for _, d := range neutral {
		sent := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: d.Summary, Detail: d.Detail}
		if d.Error {
			sent.Severity = tfprotov6.DiagnosticSeverityError
		}
		if d.Path != nil {
			// A path that the protocol cannot express is told in the detail only.
			sent.Attribute, _ = tfconv.PathFromCty(d.Path)
		}
		diags = append(diags, sent)
	}
	return diags
}
