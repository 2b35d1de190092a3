// Package objchange implements the resource instance change lifecycle of
// Terraform Core as pure functions over cty values: what Core proposes to a
// provider, and what it accepts back.
//
// # The life of a resource
//
// A provider returns the prior state of a resource ([AssertStateValid]). The
// configuration ([AssertConfigValid]) and the prior state are merged into the
// proposed new state ([ProposedNew]). The provider makes a plan of it
// ([AssertPlanValid]) and, when all of the configuration is known, another one
// ([AssertPlanConsistent]). It applies the plan and returns the new state
// ([AssertApplyConsistent]), or fails ([PartialState]). [Lifecycle.Check] judges
// all of that together.
//
// # Schemas and values
//
// A schema is built by hand, or read by package configschema, and compiled once
// ([Compile]). Package ctydata makes values of plain data.
//
// Values are of the type that the schema implies ([Schema.ImpliedType]). The
// untyped null, cty.NullVal(cty.DynamicPseudoType), stands for the null of that
// type, and cty.DynamicVal for its unknown. A resource that does not exist is
// null. Any value may be marked: functions that make values keep the marks, and
// checks do not count them.
//
// A prior value may also be the zero cty.Value, which means null. What a value may
// not be, the zero cty.Value elsewhere or of another type, is an [InputError] of
// functions that make values and a [Violation] for those that judge them. No
// input makes a function panic, and none changes its arguments.
//
// # Violations
//
// A check returns [Violations], none when all is well. Each names the [Rule], the
// path of the place and the reason, and says whether Terraform Core itself would
// reject the value ([Violation.Enforced]) or whether it breaks the documented
// contract without Core noticing. No message shows what is sensitive in the
// schema or marked.
//
// # The law
//
// docs/semantics.md in the repository has every rule with an example, and all that
// the functions decide, complete enough to implement them again. The documentation
// cites it by its anchors.
package objchange
