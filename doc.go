// Package objchange implements the rules by which Terraform Core changes one resource instance:
// what Core proposes to a provider, and which plans and states it accepts from the provider.
// All functions are pure functions over cty values.
//
// # Schema
//
// Read a schema from the output of `terraform providers schema -json`, or build it as a
// *configschema.Block. Compile it once. All functions take the compiled schema:
//
//	schemas, err := configschema.ParseProviderSchemas(doc)
//	resource, err := schemas.Resource("registry.terraform.io/acme/cloud", "acme_server")
//	schema, err := objchange.Compile(resource.Block)
//	config, err := ctydata.ValueOfJSON(resource.Block, []byte(`{"name": "web"}`))
//
// # Lifecycle of a change
//
// Core merges the configuration and the prior state into the proposed new state. The provider
// plans and applies it, and Core checks each response:
//
//	proposed, err := objchange.ProposedNew(schema, prior, config)
//	// the provider plans the proposed state
//	found := objchange.AssertPlanValid(schema, prior, config, planned)
//	// the provider applies the plan
//	found = objchange.AssertApplyConsistent(schema, planned, applied)
//	fmt.Println(found.Err())
//
// If a part of the configuration becomes known only at apply, the provider plans again, and
// [AssertPlanConsistent] compares the two plans. [AssertConfigValid] and [AssertStateValid]
// check the inputs of a plan. [PartialState] returns the state to keep after a failed apply.
// [Lifecycle.Check] runs all checks of one change.
//
// # Values
//
// Values have the type that the schema implies ([Schema.ImpliedType]). Functions also accept
// two untyped values: cty.NullVal(cty.DynamicPseudoType) means a null of the implied type, and
// cty.DynamicVal means an unknown value of the implied type. A resource that does not exist is
// null. A prior value may also be the zero cty.Value, which means null.
//
// Values may be marked. Functions that return values keep the marks. Checks ignore the marks,
// but show no marked values.
//
// # Results
//
// A check returns [Violations]. It returns none if the value is valid. Each violation has a
// [Rule], a path, and a message that shows no sensitive and no marked value. Its [Severity] is
// Rejected if Terraform Core rejects the value. Otherwise Core tolerates the value from the legacy
// SDK, or does not check it. [Rule.Info] has a remedy for each rule.
//
// A function that returns a value returns an [*InputError] if it cannot use its input: a nil
// schema, the zero cty.Value, or a value that does not conform to the schema. A check reports
// such input as violations of [RuleInvalidInput] and [RuleTypeMismatch]. Functions do not panic
// on any input, and do not change their arguments.
//
// The specification, docs/specification.md in the repository, defines each rule with an example.
package objchange
