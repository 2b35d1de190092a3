package encoded

import (
	"crypto/sha256"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/severity"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/values"
)

// A PriorKey is equal for two plans that may be the initial and the final plan of the same object.
type PriorKey [sha256.Size]byte

// priorKey returns the key of the type, the prior state and the prior private data. The private
// data of an object to be created does not matter: if the object replaces another one, Core sends
// private data to plan it, and none to plan it again.
func priorKey(x tfcheck.Exchange, req *tfprotov6.PlanResourceChangeRequest) PriorKey {
	sum := sha256.New()
	part := func(data []byte) {
		hash := sha256.Sum256(data)
		sum.Write(hash[:])
	}
	part([]byte(req.TypeName))
	if req.PriorState != nil && x.Prior != cty.NilVal && !x.Prior.IsNull() {
		part(req.PriorState.MsgPack)
		part(req.PriorState.JSON)
		part(req.PriorPrivate)
	}
	return PriorKey(sum.Sum(nil))
}

// Replan compares a final plan, which Core requests when it applies, with all plans that may be its
// initial plan: those with the same PriorKey and a configuration that the final one refines. It
// returns the differences from the initial plan that differs least. If the final plan is consistent
// with an initial plan, there are no differences. Replan also returns none if no plan may be the
// initial plan. Plans that failed, were deferred, or destroy an object do not count.
func Replan(initial []Result, final Result) []tfcheck.Finding {
	if !compares(final) {
		return nil
	}
	var closest objchange.Violations
	for _, first := range initial {
		if !compares(first) || first.PriorKey != final.PriorKey ||
			len(objchange.AssertPlanConsistent(final.Schema, first.Config, final.Config)) > 0 {
			continue
		}
		found := differences(first, final)
		if len(found) == 0 {
			return nil
		}
		if closest == nil || len(found) < len(closest) {
			closest = found
		}
	}
	if closest == nil {
		return nil
	}
	var found []tfcheck.Finding
	for s, vs := range severity.Groups(closest) {
		found = append(found, tfcheck.Finding{
			RPC: final.RPC, TypeName: final.TypeName, Object: final.Object(),
			Side: tfcheck.SideResponse, Severity: s, Violations: vs,
		})
	}
	return found
}

// compares reports whether the plan creates or updates an object. A plan of null, which Core
// accepts from the legacy SDK, does not count.
func compares(plan Result) bool {
	is := func(v cty.Value) bool { return v != cty.NilVal && !v.IsNull() }
	return plan.Schema != nil && !plan.Failed && !plan.Deferred && is(plan.Config) && is(plan.Response)
}

// differences returns the violations of a final plan. The values of a replacement are not compared,
// because Core plans the new object in another request.
func differences(initial, final Result) (found objchange.Violations) {
	was, is := action(initial), action(final)
	found = values.ActionChange(objchange.RuleActionChanged, was, is)
	if is != objchange.ActionReplace {
		found = append(found, objchange.AssertPlanConsistent(final.Schema, initial.Response, final.Response)...)
	}
	for _, v := range found {
		v.Phase = objchange.PhaseReplan
	}
	if !final.Legacy || final.Prior.IsNull() {
		return found
	}
	return slices.DeleteFunc(found, func(v *objchange.Violation) bool {
		return mayBeIgnored(v.Path, final.Config, final.Prior)
	})
}

// mayBeIgnored reports whether the configuration has the prior value at the path or above it. It has
// where ignore_changes applies, and there Core discards what the legacy SDK plans.
func mayBeIgnored(path cty.Path, config, prior cty.Value) bool {
	for i := range path {
		configured, err := path[:i+1].Apply(config)
		was, errWas := path[:i+1].Apply(prior)
		if err != nil || errWas != nil {
			return false
		}
		if configured.RawEquals(was) {
			return true
		}
	}
	return false
}

func action(plan Result) objchange.Action {
	replace, _ := objchange.RequiredReplace(plan.Schema, plan.Prior, plan.Response, plan.RequiresReplace)
	return objchange.PlanAction(plan.Prior, plan.Response, len(replace) > 0)
}
