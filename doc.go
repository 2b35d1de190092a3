// Package objchange implements how Terraform Core changes one resource instance, as pure
// functions over cty values: what Core proposes to a provider, and what it accepts from
// the provider.
//
// # Schema
//
// Compile a schema once. All functions take the compiled schema:
//
//	schema, err := objchange.Compile(block) // a *configschema.Block
//
// Package configschema describes schemas and reads them from the output of
// `terraform providers schema -json`. Package ctydata makes values from plain Go data.
//
// # Lifecycle of a change
//
// The configuration and the prior state are merged into the proposed new state. The
// provider plans and applies it, and each of its answers is checked:
//
//	proposed, err := objchange.ProposedNew(schema, prior, config)
//	// the provider plans the proposed state
//	found := objchange.AssertPlanValid(schema, prior, config, planned)
//	// the provider applies the plan
//	found = objchange.AssertApplyConsistent(schema, planned, applied)
//	fmt.Println(found.Err())
//
// If some of the configuration becomes known only at apply, the provider plans again, and
// [AssertPlanConsistent] compares the two plans. [AssertConfigValid] and
// [AssertStateValid] check what goes into a plan. [PartialState] returns the state to keep
// after a failed apply. [Lifecycle.Check] runs all checks of one change.
//
// # Values
//
// Values have the type that the schema implies ([Schema.ImpliedType]). Two values without
// a type stand for any: cty.NullVal(cty.DynamicPseudoType) for the null of that type, and
// cty.DynamicVal for its unknown value. A resource that does not exist is null, and as a
// prior value the zero cty.Value means the same. Values may be marked: functions that
// return values keep the marks, and checks ignore them.
//
// # Results
//
// A check returns [Violations], none if the value is valid. Each has the [Rule], the path,
// and a message that shows no sensitive and no marked value. [Violation.Enforced] says
// whether Terraform Core rejects the value; if not, the value breaks the documented
// contract without Core noticing. [Rule.Info] has a remedy for each rule.
//
// A function that returns a value returns an [*InputError] if it cannot use its input: a
// nil schema, the zero cty.Value, or a value that does not conform to the schema. A check
// reports such input as violations of [RuleInvalidInput] and [RuleTypeMismatch]. No input
// makes a function panic, and no function changes its arguments.
//
// docs/semantics.md in the repository defines each rule with an example.
package objchange
