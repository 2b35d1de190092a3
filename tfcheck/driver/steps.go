package driver

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/values"
)

// The steps of a run, one for each RPC.

// reload upgrades the state. Core does that whenever it loads a state: when it plans, and again
// when it applies. If the object is gone, no private data or identity is saved.
func (r *operation) reload() error {
	if r.object.state.IsNull() {
		*r.object = object{state: r.object.state}
		return nil
	}
	saved, err := ctyjson.Marshal(cty.UnknownAsNull(r.object.state), r.schema.Type) // only OpenTofu keeps unknown values
	if err != nil {
		return fmt.Errorf("the state of %s: %w", r.typeName, err)
	}
	upgraded, err := r.upgrade(r.schema.Version, saved)
	if err == nil {
		r.object.state = upgraded
	}
	return err
}

// refresh reloads the state and reads the object.
func (r *operation) refresh() error {
	if r.object.state.IsNull() {
		return nil
	}
	if err := r.reload(); err != nil {
		return err
	}
	return r.read(*r.object)
}

func (r *operation) upgrade(version int64, state []byte) (cty.Value, error) {
	resp, err := call(r, r.server.UpgradeResourceState, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: r.typeName, Version: version, RawState: &tfprotov6.RawState{JSON: state},
	})
	if err != nil {
		return cty.NilVal, err
	}
	upgraded, err := r.decode(resp.UpgradedState)
	if err == nil {
		r.run.Lifecycle.Upgraded = upgraded
	}
	return upgraded, err
}

// read reads the known object, and stores the result.
func (r *operation) read(known object) error {
	resp, err := call(r, r.server.ReadResource, &tfprotov6.ReadResourceRequest{
		TypeName: r.typeName, CurrentState: r.encode(known.state), Private: known.private, CurrentIdentity: known.identity,
		ClientCapabilities: &tfprotov6.ReadResourceClientCapabilities{DeferralAllowed: r.driver.deferral},
	})
	if err == nil {
		err = r.deferred(resp.Deferred)
	}
	if err != nil {
		return err
	}
	state, err := r.decode(resp.NewState)
	if err == nil && r.schema.Legacy { // or a schema that looks like one of the legacy SDK
		state, err = objchange.NormalizeLegacySDK(r.schema.Compiled, state)
	}
	if err != nil {
		return err
	}
	// The private data of an object that is gone is kept until the run ends, unless the object
	// was tainted.
	*r.object = object{state, resp.Private, resp.NewIdentity, known.tainted}
	if state.IsNull() && known.tainted {
		*r.object = object{state: state}
	}
	r.run.Lifecycle.Prior = state
	return nil
}

func (r *operation) validate(config cty.Value) error {
	_, err := call(r, r.server.ValidateResourceConfig, &tfprotov6.ValidateResourceConfigRequest{
		TypeName: r.typeName, Config: r.encode(config),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	return err
}

// A plannedChange is a plan of the provider for a configuration.
type plannedChange struct {
	prior, config cty.Value
	planned       object
	replace       []cty.Path // paths that require replacement and differ
}

func (p *plannedChange) action() objchange.Action {
	replace := len(p.replace) > 0
	switch {
	case p.config.IsNull() || !p.planned.state.IsNull():
		return objchange.PlanAction(p.prior, p.planned.state, replace)
	case p.prior.IsNull(): // the legacy SDK may plan null, and Core accepts that
		return objchange.ActionCreate
	case replace:
		return objchange.ActionReplace
	}
	return objchange.ActionUpdate
}

// plan requests a plan for the prior object and a configuration.
func (r *operation) plan(prior object, config cty.Value) (*plannedChange, error) {
	prepared, err := r.prepare(prior.state, config)
	if err != nil {
		return nil, err
	}
	proposed, err := objchange.ProposedNew(r.schema.Compiled, prior.state, prepared)
	if err != nil {
		return nil, err
	}
	resp, err := call(r, r.server.PlanResourceChange, &tfprotov6.PlanResourceChangeRequest{
		TypeName: r.typeName, PriorState: r.encode(prior.state), ProposedNewState: r.encode(proposed),
		Config: r.encode(prepared), PriorPrivate: prior.private, PriorIdentity: prior.identity,
		ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: r.driver.deferral},
	})
	if resp != nil {
		//lint:ignore SA1019 what is deprecated is to set the flag
		r.run.Lifecycle.LegacyTypeSystem = resp.UnsafeToUseLegacyTypeSystem
	}
	if err == nil {
		err = r.deferred(resp.Deferred)
	}
	if err != nil {
		return nil, err
	}
	planned, err := r.decode(resp.PlannedState)
	if err == nil && r.run.Lifecycle.LegacyTypeSystem {
		planned, err = r.instance.ignored.inPlan(r.schema.Compiled, prior.state, planned)
	}
	if err != nil {
		return nil, err
	}
	p := &plannedChange{prior.state, config, object{planned, resp.PlannedPrivate, resp.PlannedIdentity, false}, nil}
	p.replace, err = r.requiredReplace(p, resp.RequiresReplace)
	return p, err
}

// prepare returns the configuration as the provider receives it.
func (r *operation) prepare(prior, config cty.Value) (cty.Value, error) {
	config, err := r.instance.ignored.inConfig(r.schema.Compiled, prior, config)
	if err != nil {
		return cty.NilVal, err
	}
	return objchange.PrepareComputedBlocks(r.schema.Compiled, config)
}

// requiredReplace returns the provider's paths whose planned value differs. A plan to destroy has no
// such paths.
func (r *operation) requiredReplace(p *plannedChange, from []*tftypes.AttributePath) ([]cty.Path, error) {
	if p.config.IsNull() {
		return nil, nil
	}
	var paths []cty.Path
	for _, at := range from {
		path, err := values.PathOnWire(at)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	differ, _ := objchange.RequiredReplace(r.schema.Compiled, p.prior, p.planned.state, paths) // violations were reported
	return differ, nil
}

// apply applies a plan and stores the result, as Core does, even if the apply failed.
func (r *operation) apply(p *plannedChange) error {
	if r.driver.applied != nil {
		defer func() { r.driver.applied(r.instance) }()
	}
	resp, wrong := call(r, r.server.ApplyResourceChange, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: r.typeName, PriorState: r.encode(p.prior), PlannedState: r.encode(p.planned.state),
		Config: r.encode(p.config), PlannedPrivate: p.planned.private, PlannedIdentity: p.planned.identity,
	})
	if resp == nil {
		return wrong
	}
	returned := cty.NilVal
	if resp.NewState != nil || !catalog.Failed(resp.Diagnostics) {
		var err error
		if returned, err = r.decode(resp.NewState); err != nil {
			return errors.Join(wrong, err)
		}
	}
	r.run.Lifecycle.New = returned
	if wrong == nil {
		r.keep(returned, resp, false)
		return nil
	}
	tainted := r.object.tainted || p.prior.IsNull() && !p.config.IsNull()
	state, _, err := objchange.PartialState(r.schema.Compiled, p.prior, p.planned.state, returned)
	switch {
	case err != nil:
		return errors.Join(wrong, err)
	case r.keepsPrior(returned): // even if the plan was to delete the object
		r.object.tainted = tainted
	case r.driver.program == tfcheck.OpenTofu:
		r.keep(cty.UnknownAsNull(returned), resp, tainted)
	default:
		r.keep(state, resp, tainted)
	}
	return wrong
}

// keepsPrior reports whether Core keeps the prior state after a failed apply, because it cannot
// store the returned value, such as an infinite number. OpenTofu stores a write-only value, but
// its next plan fails.
func (r *operation) keepsPrior(returned cty.Value) bool {
	if !isSet(returned) || returned.IsNull() || !returned.IsKnown() || values.HasInfinity(returned) {
		return true
	}
	found := values.Without(objchange.AssertStateValid(r.schema.Compiled, returned).Rejected(), objchange.RuleStateUnknown)
	if r.driver.program == tfcheck.OpenTofu {
		found = values.Without(found, objchange.RuleWriteOnlyNotNull)
	}
	return len(found) > 0
}

// keep stores the new state of the object.
func (r *operation) keep(state cty.Value, resp *tfprotov6.ApplyResourceChangeResponse, tainted bool) {
	*r.object = object{state, resp.Private, resp.NewIdentity, tainted}
	if state.IsNull() {
		*r.object = object{state: state}
	}
}

// destroy destroys the object.
func (r *operation) destroy(private []byte, identity *tfprotov6.ResourceIdentityData) error {
	r.run.Action = objchange.ActionDelete
	r.run.Lifecycle = objchange.Lifecycle{
		Schema: r.schema.Compiled, Upgraded: r.run.Lifecycle.Upgraded, LegacyTypeSystem: r.run.Lifecycle.LegacyTypeSystem,
		Prior: r.object.state, Config: r.null(), InitialPlanned: r.null(),
	}
	planned := object{state: r.null(), private: private, identity: identity}
	return r.apply(&plannedChange{prior: r.object.state, config: r.null(), planned: planned})
}
