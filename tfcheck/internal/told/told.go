// Package told has what a Report of package tfcheck returns to package driver.
package told

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// What a Report returns that adds no diagnostics, and does not drop the finding either.
const (
	Test tfprotov6.DiagnosticSeverity = -1 // a test has the finding already
	Left tfprotov6.DiagnosticSeverity = -2 // a driver may report it to its test
)
