// Package tfcheck checks Terraform providers against the rules that Terraform Core applies to the
// lifecycle of resource instances. It wraps the servers of terraform-plugin-go, protocol 5 and 6,
// and checks their requests and responses with package objchange. All provider SDKs can create such
// servers.
//
// If all acceptance tests get their factories from one package variable, wrap the factories there.
// Terraform's output then explains each response that Terraform rejects:
//
//	var factories = tfcheck.Factories6(unchecked, tfcheck.Reject)
//
// With RejectAll in place of Reject, acceptance tests also fail for faults that Terraform only
// logs for the legacy SDK, and for faults that Terraform does not check. They do not fail for zero
// values in place of null and for values of Default.
//
// Server5 and Server6 wrap a single server. A Report receives each Finding and decides how the
// response changes. Reject, RejectAll and Warn add diagnostics to the response. Terraform prints
// them with the address of the resource and the line of the configuration, but acceptance tests
// do not show warnings. Fail and FailAll report to one test. A Collector stores findings.
//
// Servers accept options: with OpenTofu, they check for OpenTofu instead of Terraform, and Ignore
// drops known findings.
//
// Package driver runs resource instances through their lifecycle without Terraform. Package
// explore finds faults from the schema alone. Exchange checks one request and its response, given as
// cty values. Package tfconv converts between the types of the SDKs and of cty and objchange.
//
// # Rules
//
// The package checks the rules of package objchange, and more rules about requests and runs:
// they are in the table of objchange.Rules. No finding contains values that the schema marks as
// sensitive.
package tfcheck
