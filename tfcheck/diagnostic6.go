package tfcheck

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange"
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

// refusal6 returns an error if the diagnostics have one, and none otherwise. The
// schema is that of the configuration that they are about, if there is one.
func refusal6(rpc, typeName string, diags []*tfprotov6.Diagnostic, schema *objchange.Block) error {
	if !failed6(diags) {
		return nil
	}
	return &RefusedError{rpc, typeName, diagnostics6(diags, schema)}
}

func diagnostics6(diags []*tfprotov6.Diagnostic, schema *objchange.Block) (neutral []Diagnostic) {
	for _, d := range diags {
		if d == nil {
			continue
		}
		// What the path of a diagnostic cannot be, its text says all the same.
		path, _ := PathToCty(d.Attribute)
		neutral = append(neutral, Diagnostic{
			Error: d.Severity == tfprotov6.DiagnosticSeverityError, Summary: d.Summary, Detail: d.Detail,
			Path: path, text: schema.PathString(path),
		})
	}
	return neutral
}
