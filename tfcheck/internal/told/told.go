// Package told has what a Report of package tfcheck returns to package driver.
package told

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Test leaves a response alone, and says that a test has the finding already.
const Test tfprotov6.DiagnosticSeverity = -1
