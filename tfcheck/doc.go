// Package tfcheck checks Terraform providers by the rules of the resource instance change
// lifecycle of Terraform Core. It brings package objchange to servers of
// terraform-plugin-go, of protocol 5 and 6: what every SDK makes of a provider.
//
// Wrap the factories that all acceptance tests share, in the package variable that
// holds them. Then Terraform explains each response that it rejects. With RejectAll in place
// of Reject, acceptance tests also fail for what Terraform only logs for the legacy SDK (but
// not for a zero value in place of null), and for what it does not check:
//
//	var factories = tfcheck.Factories6(unchecked, tfcheck.Reject)
//
// Server5 and Server6 do that for one server. A Report receives each Finding and decides
// what becomes of the response: Reject, RejectAll and Warn add diagnostics, which Terraform
// prints with the address of the resource and the line of the configuration, though acceptance
// tests do not show warnings. Fail and FailAll report to one test. A Collector keeps findings.
//
// Servers take a Program: with OpenTofu, they check for OpenTofu instead of Terraform.
//
// Package driver takes resource instances through their lifecycle without Terraform.
// Exchange checks one request and its response in cty values. The conversions between the
// SDKs' types and those of cty and objchange are package tfconv.
//
// # Rules
//
// The rules are those of package objchange, and some more about requests and runs:
// RuleProposedNotCore, RuleDataNull, RulePerpetualDiff, RuleDeferral, RuleImportCount,
// RuleImportIdentity and RuleActionChanged. No finding shows what is sensitive in the
// schema.
package tfcheck
