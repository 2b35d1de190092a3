// Package tfcheck holds providers to the resource instance change lifecycle of
// Terraform Core, without Terraform. It brings package objchange to servers of
// terraform-plugin-go, of protocol 5 and 6: what every SDK makes of a provider.
//
// # In a provider's tests
//
// Wrap the factories that all acceptance tests share, in the package variable that
// holds them, and a response that breaks a rule which Core enforces fails its test,
// also where Core only logs it for the legacy SDK:
//
//	var factories = tfcheck.Factories6(unchecked, tfcheck.Reject)
//
// Server5 and Server6 do that for one server. A Report decides what becomes of a
// Finding: Reject and Warn add diagnostics, which Terraform prints with the address
// of the resource and the line of the configuration, though acceptance tests do not
// show warnings; Fail and FailStrict tell one test, also what Core does not enforce;
// Collector keeps it.
//
// # Without Terraform
//
// A Driver takes resource instances through their lives as Core does, in
// process and in milliseconds: NewDriver6, then Configure, Resource, and the
// methods of Instance: Create, Update, Refresh, Import, Replace, Destroy. It
// checks every step, and that there is nothing left to change after an apply.
// Launch starts a provider's executable to be driven; Client is the
// server at the other end of a connection to one that runs already. (None of the three,
// nor Witness, is in builds for WebAssembly, where there is neither process nor gRPC.)
//
// In a test, TestDriver6 and Driver.Life do without errors and contexts, and
// Expect holds actions and states against what is wanted:
//
//	cloud := tfcheck.TestDriver6(t, factories["cloud"], nil)
//	web := cloud.Life(t, "cloud_server")
//	web.Create(config).Expect("create", map[string]any{"name": "web", "id": knownvalue.NotNull()})
//	web.Destroy().Expect("delete", nil)
//
// # Parts
//
// Servers, drivers and witnesses take a Program. With OpenTofu, they check for OpenTofu
// instead of Terraform.
//
// Exchange judges one request and its response in cty values. ValueOf makes values
// of more Go data than ctydata.ValueOf. The conversions between the SDKs' types
// and those of cty and objchange are package tfconv.
//
// # Rules
//
// The rules are those of package objchange, and some more that speak of requests
// and runs: RuleProposedNotCore, RuleDataNull, RulePerpetualDiff, RuleDeferral,
// RuleImportCount, RuleImportIdentity and RuleActionChanged. No finding shows what
// is sensitive in the schema.
package tfcheck
