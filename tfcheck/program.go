package tfcheck

import "github.com/objchange/objchange"

// A Program is the program that a provider is checked for, Terraform or OpenTofu. A finding is
// Rejected if the Program rejects it. Pass a Program to Server6, Factories6, their counterparts
// for protocol 5, driver.For or encoded.New, or set it in an Exchange. The default is Terraform,
// also for "".
//
// The rules and messages are the same for both programs. docs/specification.md#146-opentofu and
// docs/specification.md#147-identities list the differences in enforcement.
type Program string

// The programs.
const (
	Terraform Program = "terraform"
	OpenTofu  Program = "tofu"
)

// uncheck gives the violations of the rule the severity Unchecked, and returns all violations.
func uncheck(vs objchange.Violations, rule objchange.Rule) objchange.Violations {
	for _, v := range vs {
		if v.Rule == rule {
			v.Severity = objchange.Unchecked
		}
	}
	return vs
}
