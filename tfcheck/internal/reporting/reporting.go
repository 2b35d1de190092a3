// Package reporting defines severities with which a Report of package tfcheck signals package
// driver.
package reporting

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Results of a Report that adds no diagnostics and does not drop the finding.
const (
	Done tfprotov6.DiagnosticSeverity = -1 // a test has already received the finding
	Open tfprotov6.DiagnosticSeverity = -2 // a driver may report the finding to its test
)
