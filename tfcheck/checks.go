package tfcheck

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/values"
)

// An Exchange is one request to a provider about one object and the response to
// it: those of their values that rules speak of. Fields that the RPC does not
// have, or that did not come, are the zero cty.Value.
type Exchange struct {
	RPC      string // as protocol 6 names it
	TypeName string
	Schema   *objchange.Schema
	Program  Program // the one that is to reject what is wrong; "" is Terraform

	Config   cty.Value // plan, apply, data and ephemeral
	Prior    cty.Value // plan, apply and read
	Proposed cty.Value // plan
	Planned  cty.Value // apply

	// Response is the planned, new, read, upgraded, imported, moved or opened
	// value.
	Response        cty.Value
	RequiresReplace []cty.Path // plan, as they come over the wire: not into sets

	Failed   bool // the response has error diagnostics
	Deferred bool // the response is to be completed in another run
	Legacy   bool // the response has the flag of the legacy type system

	// DeferralForbidden says that the request did not allow to defer.
	DeferralForbidden bool
}

// Findings checks the request and the response.
//
// The request must be one that Core sends: its states are valid and wholly known, its
// configuration is wholly known except for a plan, and a plan has the proposal that
// ProposedNew makes. States may be unknown to read and after a deferred read. The rest of
// the configuration is not checked. OpenTofu also sends back unknown and write-only values
// that it accepted. A plan without a proposal (the zero cty.Value) is not checked for it.
//
// A plan must be valid, and its paths that require replacement must lead to something,
// unless it is to destroy. The state after apply must be consistent with the plan, present
// after a create or update, and absent after a delete. No planned, new or read value has an
// infinite number. States are wholly known; for an imported one this is not enforced. The
// result of an ephemeral resource is checked as the plan of a new object. The result of a
// data source must be present and wholly known and, not enforced, keep what is configured.
//
// A response with error diagnostics is not checked, except for the state that a failed apply
// returns, which must be valid, and for a deferred plan. A deferral must be allowed. Deferred
// plans and results are not checked, and deferred states may be unknown.
//
// Values that do not conform to the schema are violations, too. So are an RPC that is not
// Judged and a missing response that did not fail. Nothing panics. The cost is that of the
// checks of package objchange, and for a plan of one proposal.
func (x Exchange) Findings() []Finding {
	j, ok := checkedRPCs[x.RPC]
	if !ok {
		return x.findings(SideRequest, enforced(objchange.RuleInvalidInput, "there is no RPC of that name to judge"))
	}
	found := x.findings(SideRequest, x.checkRequest())
	found = append(found, x.findings(SideResponse, x.checkDeferral())...)
	switch {
	case there(x.Response):
		found = append(found, x.findings(SideResponse, j.response(x))...)
	case !x.Failed && !x.Deferred:
		found = append(found, x.findings(SideResponse, enforced(objchange.RuleInvalidInput, "there is no response to judge"))...)
	}
	return found
}

// enforced is one violation that the Program rejects.
func enforced(rule objchange.Rule, message string) objchange.Violations {
	return objchange.Violations{{Rule: rule, Message: message, Enforced: true}}
}

func there(v cty.Value) bool { return v != cty.NilVal }

// findings makes a finding of the violations of each severity.
func (x Exchange) findings(side Side, vs objchange.Violations) (found []Finding) {
	of := map[Severity]objchange.Violations{}
	zeros := sync.OnceValue(x.zeroCheck)
	for _, v := range vs {
		if v.Phase == "" {
			v.Phase = checkedRPCs[x.RPC].phase
		}
		tolerated := x.Legacy && side == SideResponse && v.Tolerated(x.run().Deletes())
		severity := SeverityOf(v, tolerated)
		if tolerated && there(x.Response) && zeros().only(v) {
			severity = LegacyZero
		}
		of[severity] = append(of[severity], v)
	}
	for _, severity := range Severities() {
		if len(of[severity]) > 0 {
			found = append(found, Finding{RPC: x.RPC, TypeName: x.TypeName, Object: x.Object(), Side: side, Severity: severity, Violations: of[severity]})
		}
	}
	return found
}

// Object returns the id of the object, as it was or else as it is to be: an attribute
// of that name that is a string, known and not sensitive. Without one it is "".
func (x Exchange) Object() string {
	attr := x.Schema.Block().AttributeByPath(cty.GetAttrPath("id"))
	if attr == nil || attr.Sensitive || attr.WriteOnly {
		return ""
	}
	for _, v := range []cty.Value{x.Prior, x.Response} {
		if !there(v) || v.IsMarked() || v.IsNull() || !v.IsKnown() || !v.Type().IsObjectType() || !v.Type().HasAttribute("id") {
			continue
		}
		if id := v.GetAttr("id"); !id.IsMarked() && id.Type() == cty.String && id.IsKnown() && !id.IsNull() {
			return id.AsString()
		}
	}
	return ""
}

func (x Exchange) checkRequest() (found objchange.Violations) {
	if there(x.Prior) {
		// Null blocks come from providers, and Core sends them back; so do unknown
		// values of an import, and of a read that is deferred.
		found = objchange.AssertStateValid(x.Schema, x.Prior).Enforced()
		if x.RPC == "ReadResource" || x.RPC == "PlanResourceChange" && !x.DeferralForbidden || x.Program == OpenTofu {
			found = values.Without(found, objchange.RuleStateUnknown)
		}
		if x.Program == OpenTofu { // which keeps one that came with an error
			found = values.Without(found, objchange.RuleWriteOnlyNotNull)
		}
	}
	if there(x.Config) && x.RPC != "PlanResourceChange" {
		found = append(found, values.Only(objchange.AssertConfigConsistent(x.Schema, x.Config, x.Config), objchange.RuleConfigUnknown)...)
	}
	if !there(x.Proposed) || len(found) > 0 {
		return found
	}
	proposed, err := objchange.ProposedNew(x.Schema, x.Prior, x.Config)
	if err != nil {
		return append(found, violationsOf(err)...)
	}
	return append(found, x.compareProposals(proposed)...)
}

// compareProposals reports where the proposal is not the one that Core sends.
func (x Exchange) compareProposals(core cty.Value) objchange.Violations {
	if x.Proposed.RawEquals(core) {
		return nil
	}
	changes, err := objchange.Diff(x.Schema, core, x.Proposed)
	if err != nil {
		return violationsOf(err)
	}
	if len(changes) == 0 { // Diff sees all but what is promised of unknown values
		return enforced(RuleProposedNotCore, "an unknown value in the proposed state promises something else than in Core's")
	}
	if x.Program == OpenTofu {
		changes = slices.DeleteFunc(changes, x.isUnknownElement)
	}
	return values.Differences(changes, RuleProposedNotCore, true, func(objchange.Change) string {
		return "the proposed state is not the one that Core sends"
	})
}

// isUnknownElement reports whether the proposal has an unknown element of a map as it is
// configured. OpenTofu does not make an object of unknown values of it.
func (x Exchange) isUnknownElement(c objchange.Change) bool {
	configured, err := c.Path.Apply(x.Config)
	return err == nil && !configured.IsKnown() && !c.After.IsKnown()
}

func checkState(x Exchange) objchange.Violations {
	if x.Failed {
		return nil
	}
	found := objchange.AssertStateValid(x.Schema, x.Response)
	if x.RPC == "ReadResource" || x.RPC == "ReadDataSource" { // other states are read before they are written
		found = append(found, x.infinite()...)
	}
	switch {
	case x.Deferred:
		return values.Without(found, objchange.RuleStateUnknown)
	case x.Program == OpenTofu && x.RPC != "ReadDataSource":
		return unenforced(found, objchange.RuleStateUnknown)
	}
	return found
}

// checkDeferral checks that the response may be deferred. Beside an error, that only
// matters for a plan.
func (x Exchange) checkDeferral() objchange.Violations {
	if !x.Deferred || !x.DeferralForbidden || x.Failed && x.RPC != "PlanResourceChange" {
		return nil
	}
	return enforced(RuleDeferral, "the response is deferred, which was not allowed")
}

// checkImports checks how many objects an import returned.
func (x Exchange) checkImports(n int) []Finding {
	found := x.checkDeferral()
	if n != 1 && !x.Failed && !x.Deferred {
		found = enforced(RuleImportCount, fmt.Sprintf("an import returns one object, and this one returned %d", n))
	}
	return x.findings(SideResponse, found)
}

// checkImport checks an imported state, which reading completes.
func checkImport(x Exchange) objchange.Violations {
	return unenforced(checkState(x), objchange.RuleStateUnknown)
}

func checkPlan(x Exchange) objchange.Violations {
	if x.Failed || x.Deferred {
		return nil
	}
	found := append(objchange.AssertPlanValid(x.Schema, x.Prior, x.Config, x.Response), x.infinite()...)
	_, paths := x.replaces()
	return append(found, values.Only(paths, objchange.RuleReplacePath)...) // the others were found before
}

// replaces returns the paths of a plan that require replacement: none in a plan to
// destroy.
func (x Exchange) replaces() ([]cty.Path, objchange.Violations) {
	if len(x.RequiresReplace) == 0 || x.Config.IsNull() {
		return nil, nil
	}
	return objchange.RequiredReplace(x.Schema, x.Prior, x.Response, x.RequiresReplace)
}

// makes reports whether a plan is to create or replace the object; of one that failed,
// whether it might have been.
func (x Exchange) makes() bool {
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
	// Core stops at a write-only value, so it does not log what it would tolerate.
	return slices.DeleteFunc(found, func(v *objchange.Violation) bool {
		return v.Enforced && v.Tolerated(x.run().Deletes())
	})
}

// checkNew checks the state after apply.
func (x Exchange) checkNew() (found objchange.Violations) {
	if !there(x.Config) {
		found = objchange.AssertApplyConsistent(x.Schema, x.Planned, x.Response)
		for _, v := range found {
			v.Phase = objchange.PhaseApply
		}
		return found
	}
	run := x.run() // with the configuration, it is known whether the object is to be there
	run.New = x.Response
	for _, v := range run.Check() {
		if v.Phase == objchange.PhaseApply { // the plan was checked when it was made
			found = append(found, v)
		}
	}
	return found
}

// run is the lifecycle of which the request is part, with what the request has of it.
func (x Exchange) run() objchange.Lifecycle {
	return objchange.Lifecycle{Schema: x.Schema, FinalConfig: x.Config, FinalPlanned: x.Planned}
}

// checkEphemeral checks the result as Terraform does: as the plan of a new object, which
// may have unknown values. For OpenTofu it must be wholly known, and is not compared with
// the configuration.
func checkEphemeral(x Exchange) objchange.Violations {
	switch {
	case x.Failed || x.Deferred:
		return nil
	case x.Response.IsNull():
		return enforced(RuleDataNull, "what was opened is null")
	case !there(x.Config):
		found := objchange.AssertStateValid(x.Schema, x.Response)
		if x.Program != OpenTofu {
			found = values.Without(found, objchange.RuleStateUnknown)
		}
		return found
	}
	found := objchange.AssertPlanValid(x.Schema, cty.NullVal(cty.DynamicPseudoType), x.Config, x.Response)
	for _, v := range found {
		v.Message = "the result is judged as a plan: " + v.Message
		v.Enforced = v.Enforced && (x.Program != OpenTofu || v.Rule == objchange.RuleTypeMismatch)
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
	case len(found.Enforced()) > 0:
		return found
	case x.Response.IsNull():
		return enforced(RuleDataNull, "what was read is null")
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
		v.Enforced = false // Core takes what it gets
		v.Message = "the result differs from a plan of the configuration: " + v.Message
	}
	return append(found, kept...)
}

// violationsOf returns the violations that the error has, or makes one of it.
func violationsOf(err error) objchange.Violations {
	var unusable *objchange.InputError
	if errors.As(err, &unusable) {
		return unusable.Problems
	}
	return enforced(objchange.RuleInvalidInput, err.Error())
}

// checkIdentity checks a resource identity. It must not change. It must be known, except
// that of an import, a move, or an object that is yet to be created. For OpenTofu the
// identity of a planned object must be known, too.
func (x Exchange) checkIdentity(schema *objchange.Schema, was, now cty.Value) []Finding {
	found := objchange.AssertStateValid(schema, now)
	switch x.RPC {
	case "ReadResource", "ApplyResourceChange":
	case "PlanResourceChange":
		if x.Program != OpenTofu && x.makes() {
			found = values.Without(found, objchange.RuleStateUnknown)
		}
	default:
		found = values.Without(found, objchange.RuleStateUnknown)
	}
	if !x.Failed && !was.IsNull() && !now.IsNull() {
		changed := objchange.AssertPlanConsistent(schema, was, now)
		for _, v := range values.Without(changed, objchange.RuleInconsistentUnknown) {
			v.Enforced = v.Rule == objchange.RuleTypeMismatch
			found = append(found, v)
		}
	}
	return x.findings(SideIdentity, found)
}
