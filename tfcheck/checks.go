package tfcheck

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/legacysdk"
	"github.com/objchange/objchange/internal/severity"
	"github.com/objchange/objchange/internal/summaries"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfcheck/internal/values"
)

// An Exchange is one request to a provider about one object, and the response. It contains the
// values that the rules refer to. A field is the zero cty.Value if the RPC does not have it, or
// if it was missing.
type Exchange struct {
	RPC      string // the name in protocol 6
	TypeName string
	Schema   *objchange.Schema
	Program  Program // the program whose rejections count; "" is Terraform
	Version  string  // the version of the program, such as "1.11.4"; "" is the newest

	Config   cty.Value // for plan, apply, data sources and ephemeral resources
	Prior    cty.Value // for plan, apply and read
	Proposed cty.Value // for plan
	Planned  cty.Value // for apply

	// Response is the planned, new, read, upgraded, imported, moved or opened value.
	Response        cty.Value
	RequiresReplace []cty.Path // for plan, in wire format: paths do not lead into sets

	Failed   bool // the response has error diagnostics
	Deferred bool // the provider deferred the change to another run
	Legacy   bool // the response has the flag of the legacy type system

	// DeferralForbidden says that the request did not allow deferral.
	DeferralForbidden bool
}

// Findings checks the request and the response.
//
// The request must be one that Core sends:
//
//   - States must be valid and wholly known. The prior state may contain unknown values in a
//     read, and in a plan that allows deferral.
//   - The configuration must be wholly known, except for a plan. Nothing else in it is checked.
//   - The proposed state of a plan must equal the result of ProposedNew. It is not checked if it
//     is the zero cty.Value.
//   - OpenTofu may also send unknown and write-only values that it accepted before.
//
// The response must follow the rules:
//
//   - A plan must be valid. Unless the plan is to destroy, its paths that require replacement
//     must exist.
//   - The state after apply must be consistent with the plan: present after a create or update,
//     absent after a delete.
//   - Planned, new and read values must not contain an infinite number.
//   - States must be wholly known. Unknown values in imported states are Unchecked.
//   - The result of an ephemeral resource is checked like the plan of a new object.
//   - The result of a data source must be present and wholly known. It must also keep the
//     configured values, which is Unchecked.
//   - A deferral must be allowed. Deferred plans and results are not checked. Deferred states may
//     contain unknown values.
//
// A response with error diagnostics is not checked, with two exceptions: the state of a failed
// apply must be valid, and a failed plan must not be deferred without permission.
//
// Values that do not conform to the schema are violations. An RPC that Checks does not know, and a
// missing response that neither failed nor is deferred, are violations too. Identities are not part
// of an Exchange: checking servers check them. Findings does not panic. The cost is the cost of the
// checks of package objchange, and of one proposal for a plan.
func (x Exchange) Findings() []Finding {
	if !Checks(x.RPC) {
		return x.findings(SideRequest, rejected(objchange.RuleInvalidInput, "tfcheck does not check this RPC; see Checks"))
	}
	found := x.findings(SideRequest, x.checkRequest())
	found = append(found, x.findings(SideResponse, x.checkDeferral())...)
	switch {
	case x.rpc().check == nil: // a checking server checks the identity
	case isSet(x.Response):
		found = append(found, x.findings(SideResponse, x.rpc().check(x))...)
	case !x.Failed && !x.Deferred:
		missing := rejected(objchange.RuleInvalidInput, "the response is missing; return it, or an error diagnostic")
		found = append(found, x.findings(SideResponse, missing)...)
	}
	return found
}

// rejected returns one violation that the Program rejects.
func rejected(rule objchange.Rule, message string) objchange.Violations {
	return objchange.Violations{{Rule: rule, Message: message, Severity: objchange.Rejected}}
}

func isSet(v cty.Value) bool { return v != cty.NilVal }

// findings groups the violations by severity into findings.
func (x Exchange) findings(side Side, vs objchange.Violations) (found []Finding) {
	for _, v := range vs {
		if v.Phase == "" {
			v.Phase = x.rpc().phase
		}
	}
	if x.Legacy && side == SideResponse {
		x.tolerate(vs)
	}
	special := x.special(vs)
	for s, of := range severity.Groups(vs) {
		found = append(found, Finding{
			RPC: x.RPC, TypeName: x.TypeName, Object: x.Object(), Side: side, Severity: s, Violations: of, special: special,
		})
	}
	return found
}

// tolerate sets the severities of violations in a response of the legacy SDK.
func (x Exchange) tolerate(vs objchange.Violations) {
	run := x.run()
	for _, v := range vs {
		if run.Tolerates(v) {
			v.Severity = objchange.Tolerated
		}
	}
	if !isSet(x.Response) {
		return
	}
	from := x.Config
	if x.RPC == "ApplyResourceChange" {
		from = x.Planned
	}
	again := x
	again.RequiresReplace = nil // no value affects these paths
	legacysdk.Mark(vs, from, x.Response, func() objchange.Violations {
		y := again
		for _, v := range []*cty.Value{&y.Prior, &y.Config, &y.Planned, &y.Response} {
			*v = legacysdk.Null(x.Schema, *v)
		}
		return x.rpc().check(y)
	}, func() objchange.Violations {
		y := again
		y.Schema = legacysdk.Relaxed(x.Schema)
		return x.rpc().check(y)
	})
}

// Object returns the id of the object: the value of the attribute "id" in the prior object, or
// else in the response. The value must be a known, unmarked string, and the attribute must be
// neither sensitive nor write-only. Without such an attribute, Object returns "".
func (x Exchange) Object() string {
	attr := x.Schema.Block().AttributeByPath(cty.GetAttrPath("id"))
	if attr == nil || attr.Sensitive || attr.WriteOnly {
		return ""
	}
	for _, v := range []cty.Value{x.Prior, x.Response} {
		if !isSet(v) || v.IsMarked() || v.IsNull() || !v.IsKnown() ||
			!v.Type().IsObjectType() || !v.Type().HasAttribute("id") {
			continue
		}
		if id := v.GetAttr("id"); !id.IsMarked() && id.Type() == cty.String && id.IsKnown() && !id.IsNull() {
			return id.AsString()
		}
	}
	return ""
}

func (x Exchange) checkRequest() (found objchange.Violations) {
	if isSet(x.Prior) {
		// Core returns null blocks of providers unchanged. It also returns unknown values of an
		// import and of a deferred read.
		found = objchange.AssertStateValid(x.Schema, x.Prior).Rejected()
		if x.RPC == "ReadResource" || x.RPC == "PlanResourceChange" && !x.DeferralForbidden || x.Program == OpenTofu {
			found = values.Without(found, objchange.RuleStateUnknown)
		}
		if x.Program == OpenTofu { // OpenTofu keeps a write-only value of a failed apply
			found = values.Without(found, objchange.RuleWriteOnlyNotNull)
		}
	}
	if isSet(x.Config) && x.RPC != "PlanResourceChange" {
		// The comparison with itself only reports unknown values.
		itself := objchange.AssertConfigConsistent(x.Schema, x.Config, x.Config)
		found = append(found, values.Only(itself, objchange.RuleConfigUnknown)...)
	}
	if !isSet(x.Proposed) || len(found) > 0 {
		return found
	}
	proposed, err := objchange.ProposedNew(x.Schema, x.Prior, x.Config)
	if err != nil {
		return append(found, violationsOf(err)...)
	}
	return append(found, x.compareProposals(proposed)...)
}

// compareProposals reports where the proposed state differs from the state that Core proposes.
func (x Exchange) compareProposals(core cty.Value) objchange.Violations {
	if x.Proposed.RawEquals(core) {
		return nil
	}
	changes, err := objchange.Diff(x.Schema, core, x.Proposed)
	if err != nil {
		return violationsOf(err)
	}
	if len(changes) == 0 { // Diff ignores refinements of unknown values
		return rejected(objchange.RuleProposedNotCore,
			"the refinements of an unknown value in the proposed state differ from those in the state that Core sends")
	}
	if x.Program == OpenTofu || check.Before(x.Version, 12) {
		changes = slices.DeleteFunc(changes, x.isUnknownElement)
	}
	return values.Differences(changes, objchange.RuleProposedNotCore, objchange.Rejected, func(objchange.Change) string {
		return "the proposed state differs from the state that Core sends"
	})
}

// isUnknownElement reports whether the changed value is unknown in the configuration and in the
// proposal. OpenTofu, and Terraform before 1.12, propose an unknown element of a map as configured:
// they do not expand it to an object of unknown values.
func (x Exchange) isUnknownElement(c objchange.Change) bool {
	configured, err := c.Path.Apply(x.Config)
	return err == nil && !configured.IsKnown() && !c.After.IsKnown()
}

func checkState(x Exchange) objchange.Violations {
	if x.Failed {
		return nil
	}
	found := objchange.AssertStateValid(x.Schema, x.Response)
	if x.RPC == "ReadResource" || x.RPC == "ReadDataSource" { // the provider reads other states before Core writes them
		found = append(found, x.infinite()...)
	}
	switch {
	case x.Deferred:
		return values.Without(found, objchange.RuleStateUnknown)
	case x.Program == OpenTofu && x.RPC != "ReadDataSource":
		return uncheck(found, objchange.RuleStateUnknown)
	}
	return found
}

// checkDeferral checks that the response may be deferred. If the response has errors, a deferral
// only matters for a plan.
func (x Exchange) checkDeferral() objchange.Violations {
	if !x.Deferred || !x.DeferralForbidden || x.Failed && x.RPC != "PlanResourceChange" {
		return nil
	}
	return rejected(objchange.RuleDeferral, "the response is deferred, but deferral was not allowed")
}

// checkImports checks the number of objects that an import returned.
func (x Exchange) checkImports(n int) []Finding {
	found := x.checkDeferral()
	if n == 1 || x.Failed || x.Deferred {
		return x.findings(SideResponse, found)
	}
	found = rejected(objchange.RuleImportCount,
		fmt.Sprintf("an import must return one object, but this import returned %d", n))
	all := x.findings(SideResponse, found)
	if n == 0 {
		all[0].special[found[0]] = []string{summaries.ImportedNone}
	}
	return all
}

// checkImport checks an imported state. It may be incomplete, because Core reads the object next.
func checkImport(x Exchange) objchange.Violations {
	return uncheck(checkState(x), objchange.RuleStateUnknown)
}

func checkPlan(x Exchange) objchange.Violations {
	if x.Failed || x.Deferred {
		return nil
	}
	found := append(objchange.AssertPlanValid(x.Schema, x.Prior, x.Config, x.Response), x.infinite()...)
	_, paths := x.replaces() // checkRequest and AssertPlanValid report the other violations
	return append(found, values.Only(paths, objchange.RuleReplacePath)...)
}

// replaces returns the paths of a plan that require replacement. A plan to destroy has none.
func (x Exchange) replaces() ([]cty.Path, objchange.Violations) {
	if len(x.RequiresReplace) == 0 || x.Config.IsNull() {
		return nil, nil
	}
	return objchange.RequiredReplace(x.Schema, x.Prior, x.Response, x.RequiresReplace)
}

// createsOrReplaces reports whether a plan creates or replaces the object. For a failed plan, it
// reports whether the plan could have done so.
func (x Exchange) createsOrReplaces() bool {
	if x.Failed {
		return x.Prior.IsNull() || len(x.RequiresReplace) > 0
	}
	required, _ := x.replaces()
	return x.Prior.IsNull() || len(required) > 0
}

func checkApply(x Exchange) objchange.Violations {
	if x.Failed {
		return append(objchange.AssertStateValid(x.Schema, x.Response), x.infinite()...)
	}
	found := append(x.checkNew(), x.infinite()...)
	if !x.Legacy || len(values.Only(found, objchange.RuleWriteOnlyNotNull)) == 0 {
		return found
	}
	// Core stops at a write-only value, so it does not log violations that it would tolerate.
	return slices.DeleteFunc(found, func(v *objchange.Violation) bool {
		return x.run().Tolerates(v)
	})
}

// checkNew checks the state after apply.
func (x Exchange) checkNew() (found objchange.Violations) {
	run := x.run() // the configuration shows whether the object must be present
	run.New = x.Response
	for _, v := range run.Check() {
		if v.Phase == objchange.PhaseApply { // violations of the plan were reported with the plan
			found = append(found, v)
		}
	}
	return found
}

// run returns the lifecycle that the request is part of, as far as the request contains it.
func (x Exchange) run() objchange.Lifecycle {
	return objchange.Lifecycle{Schema: x.Schema, FinalConfig: x.Config, FinalPlanned: x.Planned}
}

// checkEphemeral checks the result of opening an ephemeral resource. Terraform checks it like the
// plan of a new object, which may contain unknown values. For OpenTofu the result must be wholly
// known, and it is not compared with the configuration.
func checkEphemeral(x Exchange) objchange.Violations {
	switch {
	case x.Failed || x.Deferred:
		return nil
	case x.Response.IsNull():
		return rejected(objchange.RuleDataNull, "the result of the ephemeral resource is null")
	}
	found := objchange.AssertPlanValid(x.Schema, cty.NullVal(cty.DynamicPseudoType), x.Config, x.Response)
	for _, v := range found {
		v.Message = "the result is checked like a plan: " + v.Message
		if x.Program == OpenTofu && v.Rule != objchange.RuleTypeMismatch {
			v.Severity = objchange.Unchecked
		}
	}
	if x.Program != OpenTofu {
		return found
	}
	return append(found, values.Only(objchange.AssertStateValid(x.Schema, x.Response), objchange.RuleStateUnknown)...)
}

func checkData(x Exchange) objchange.Violations {
	if x.Failed || x.Deferred {
		return nil
	}
	found := checkState(x)
	switch {
	case len(found.Rejected()) > 0:
		return found
	case x.Response.IsNull():
		return rejected(objchange.RuleDataNull, "the result of the data source is null")
	}
	proposed, err := objchange.ProposedNew(x.Schema, cty.NullVal(cty.DynamicPseudoType), x.Config)
	if err != nil {
		return violationsOf(err)
	}
	planned, err := objchange.PlanComputed(x.Schema, proposed)
	if err != nil {
		return violationsOf(err)
	}
	kept := objchange.AssertPlanConsistent(x.Schema, planned, x.Response)
	for _, v := range kept {
		v.Severity = objchange.Unchecked // Core accepts any result
		v.Message = dataMessage(v)
	}
	return append(found, kept...)
}

// dataMessage describes how the result of a data source differs from the configuration.
func dataMessage(v *objchange.Violation) string {
	if v.Was == "" || v.Now == "" {
		return "the result differs from a plan of the configuration: " + v.Message
	}
	text := "the configuration has " + v.Was + ", the result has " + v.Now
	if len(v.Inside) > 0 {
		text = "at " + objchange.PathString(v.Inside) + ", " + text
	}
	return text
}

// violationsOf returns the violations that the error contains. If it contains none, violationsOf
// returns a violation with the text of the error.
func violationsOf(err error) objchange.Violations {
	var unusable *objchange.InputError
	if errors.As(err, &unusable) {
		return unusable.Problems
	}
	return rejected(objchange.RuleInvalidInput, err.Error())
}
