package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfconv"
)

// An Instance is one resource instance that a Driver runs through its lifecycle. Each method does
// what one run of Terraform does with the instance, and checks every step. Between the runs, an
// Instance keeps the state, the private state, the identity and whether the object is tainted.
// Its methods must not be called concurrently.
//
// Each method returns a Run, even with an error. The Run contains all findings. The error is not
// nil if Core would have stopped with an error. It is a *RefusedError if the provider returned
// error diagnostics, a *BrokenError if the provider broke a rule that Core enforces or a Report
// rejects, the error of the request if it failed, or an error about invalid arguments. After an
// error, the state is the state that Core would have kept.
type Instance struct {
	driver   *Driver
	reportTo tfcheck.Report // the report of the driver or of a Lifecycle
	typeName string
	schema   *catalog.Schema

	object  object
	config  cty.Value     // the latest configuration, or the zero cty.Value
	ignored ignoreOptions // in the latest run
}

// An object is an object as Terraform's state has it.
type object struct {
	state    cty.Value // wholly known, except for OpenTofu; null if there is no object
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	tainted  bool // to be replaced, because its creation failed
}

// State returns the state of the object, or null if there is no object. For OpenTofu it may
// contain unknown values, because OpenTofu accepts them from a read.
func (i *Instance) State() cty.Value { return i.object.state }

// Schema returns the schema of the resource type.
func (i *Instance) Schema() *objchange.Schema { return i.schema.Compiled }

// Tainted reports whether the next run replaces the object, because its creation failed after the
// provider had created it.
func (i *Instance) Tainted() bool { return i.object.tainted }

// Saved returns the object as Terraform stores it in its state, and false if there is no object.
// It contains sensitive values in plain text.
func (i *Instance) Saved() (saved StateObject, exists bool, err error) {
	if i.object.state.IsNull() {
		return StateObject{}, false, nil
	}
	saved = StateObject{SchemaVersion: i.schema.Version, Private: i.object.private}
	if i.object.tainted {
		saved.Status = "tainted"
	}
	if saved.Attributes, err = ctyjson.Marshal(cty.UnknownAsNull(i.object.state), i.schema.Type); err != nil {
		return StateObject{}, true, fmt.Errorf("the state of %s: %w", i.typeName, err)
	}
	if identity := i.Identity(); isSet(identity) {
		schema := i.driver.catalog.Find(context.Background(), catalog.Identity, i.typeName)
		saved.IdentityVersion = schema.Version
		saved.Identity, err = ctyjson.Marshal(cty.UnknownAsNull(identity), schema.Type)
	}
	return saved, true, err
}

// A StateObject is an object as Terraform stores it in its state: an element of "instances" in a
// state file.
type StateObject struct {
	Status          string          `json:"status,omitempty"` // "tainted" or ""
	SchemaVersion   int64           `json:"schema_version"`
	Attributes      json.RawMessage `json:"attributes"`
	IdentityVersion int64           `json:"identity_schema_version,omitempty"`
	Identity        json.RawMessage `json:"identity,omitempty"`
	Private         []byte          `json:"private,omitempty"`
}

// Identity returns the identity of the object, or the zero cty.Value if it has none.
func (i *Instance) Identity() cty.Value {
	if i.object.identity == nil {
		return cty.NilVal
	}
	schema := i.driver.catalog.Find(context.Background(), catalog.Identity, i.typeName)
	identity, err := tfconv.Decode6(i.object.identity.IdentityData, schema.Type)
	if schema.Err != nil || err != nil {
		return cty.NilVal
	}
	return identity
}

// A presence says whether a method needs an object, or needs that there is no object.
type presence int

const (
	either presence = iota
	present
	absent
)

// do runs the steps if the object is present or absent as needed.
func (i *Instance) do(ctx context.Context, needs presence, steps func(*operation) error) (*Run, error) {
	r := i.driver.start(ctx, i.typeName, i.schema, i.reportTo)
	r.instance, r.object = i, &i.object
	switch {
	case needs == present && i.object.state.IsNull():
		return r.run, fmt.Errorf("%s does not exist: create it first", i.typeName)
	case needs == absent && !i.object.state.IsNull():
		return r.run, fmt.Errorf("%s exists already", i.typeName)
	}
	return r.end(steps(r))
}

// A RunOption changes how an object is created, updated or replaced.
type RunOption func(*runOptions)

// runOptions are the settings of a change.
type runOptions struct {
	initially any           // the configuration at plan
	force     bool          // replace the object even if the provider does not require it
	unread    bool          // see WithoutRefresh
	once      bool          // only plan, so the configuration may contain unknown values
	ignored   ignoreOptions // the changes that the user ignores
}

// set sets the options that are not nil.
func set[T any, O ~func(*T)](to *T, opts []O) {
	for _, opt := range opts {
		if opt != nil {
			opt(to)
		}
	}
}

// Initially sets the configuration for the first plan. It must be the configuration at apply with
// some values replaced by unknown values.
func Initially(config any) RunOption {
	return func(o *runOptions) { o.initially = config }
}

// Create creates the object. It plans with a null prior state, plans again with the configuration
// at apply, applies, reads the object and plans again. That last plan must not contain changes:
// see RulePerpetualDiff. The configuration may be any data that ValueOf accepts.
func (i *Instance) Create(ctx context.Context, config any, opts ...RunOption) (*Run, error) {
	return i.do(ctx, absent, func(r *operation) error { return r.change(config, runOptions{}, opts) })
}

// Update changes the object to match the configuration. It upgrades and refreshes the state, and
// then does the same as Create, starting from that state. If the plan contains no change, Update
// ends there. If the provider requires a replacement, or the object is tainted, Update destroys
// the object and creates a new one. If the upgrade or the refresh shows that the object is gone,
// Update creates it.
//
// For a replacement, the plan for the new object must be valid before the old object is
// destroyed. Core checks that plan only when it plans again, after the old object is gone.
func (i *Instance) Update(ctx context.Context, config any, opts ...RunOption) (*Run, error) {
	return i.do(ctx, present, func(r *operation) error { return r.change(config, runOptions{}, opts) })
}

// Replace is like Update, but replaces the object even if the provider does not require it, like
// terraform apply -replace.
func (i *Instance) Replace(ctx context.Context, config any, opts ...RunOption) (*Run, error) {
	return i.do(ctx, present, func(r *operation) error { return r.change(config, runOptions{force: true}, opts) })
}

// Apply calls Create if there is no object, and Update otherwise.
func (i *Instance) Apply(ctx context.Context, config any, opts ...RunOption) (*Run, error) {
	return i.do(ctx, either, func(r *operation) error { return r.change(config, runOptions{}, opts) })
}

// Plan is like Apply, but does not apply. It upgrades and refreshes the state, and makes the plan
// that a user would be asked to approve. The configuration may contain unknown values, because
// there is no apply.
func (i *Instance) Plan(ctx context.Context, config any, opts ...RunOption) (*Run, error) {
	return i.do(ctx, either, func(r *operation) error {
		_, err := r.approve(config, runOptions{once: true}, opts)
		return err
	})
}

// Replan is Plan followed by the first step of applying. It plans again with the configuration at
// apply, and checks that the second plan is consistent with the first. It does not apply. A
// replacement is not planned again, because Core destroys the object before that plan.
func (i *Instance) Replan(ctx context.Context, config any, opts ...RunOption) (*Run, error) {
	return i.do(ctx, either, func(r *operation) error {
		first, err := r.approve(config, runOptions{}, opts)
		if err != nil || r.run.Action == objchange.ActionNoOp || r.run.Action == objchange.ActionReplace {
			return err
		}
		_, err = r.planAgain(first)
		return err
	})
}

// Refresh upgrades the state and reads the object.
func (i *Instance) Refresh(ctx context.Context) (*Run, error) {
	return i.do(ctx, either, func(r *operation) error {
		before := r.object.state
		err := r.refresh()
		if err == nil {
			r.run.Action = objchange.PlanAction(before, r.object.state, false)
		}
		return err
	})
}

// Upgrade sets the state to a state that an older version of the provider has written, and
// refreshes it. The state is JSON of the given schema version.
func (i *Instance) Upgrade(
	ctx context.Context, version int64, state []byte, private []byte, opts ...StateOption,
) (*Run, error) {
	return i.do(ctx, absent, func(r *operation) error {
		upgraded, err := r.upgradeObject(version, state, opts)
		if err != nil {
			return err
		}
		upgraded.private = private
		return r.read(upgraded)
	})
}

// Destroy destroys the object like terraform destroy, with its latest configuration. It upgrades
// and refreshes the state and plans for that configuration. It then destroys the object if it
// still exists. An object that was only imported has no configuration. It is destroyed like an
// object whose configuration was removed.
func (i *Instance) Destroy(ctx context.Context) (*Run, error) {
	return i.do(ctx, either, func(r *operation) error {
		if isSet(i.config) {
			return r.destroyAfter(r.approveDestroy)
		}
		return r.destroyAfter(func() (*plannedChange, error) { return r.approveRemoval(false) })
	})
}

// destroyAfter makes the plan and destroys the object if it still exists.
func (r *operation) destroyAfter(approve func() (*plannedChange, error)) error {
	if r.object.state.IsNull() {
		return nil
	}
	p, err := approve()
	if err != nil || r.object.state.IsNull() {
		return err
	}
	if err := r.reload(); err != nil {
		return err
	}
	return r.destroy(p.planned.private, p.planned.identity)
}

// Remove destroys the object as Terraform does after its configuration was removed: it plans to
// destroy the object, without a plan for the configuration. WithoutRefresh is the only option
// with an effect.
func (i *Instance) Remove(ctx context.Context, opts ...RunOption) (*Run, error) {
	var o runOptions
	set(&o, opts)
	return i.do(ctx, either, func(r *operation) error {
		i.config = cty.NilVal
		return r.destroyAfter(func() (*plannedChange, error) { return r.approveRemoval(o.unread) })
	})
}

// approveDestroy first plans for the configuration, as Core does, and ignores that plan. It then
// makes the plan to destroy the object.
func (r *operation) approveDestroy() (*plannedChange, error) {
	config := r.instance.config
	if err := r.refresh(); err != nil {
		return nil, err
	}
	if err := r.validate(config); err != nil {
		return nil, err
	}
	if _, _, err := r.plans(config, false); err != nil || r.object.state.IsNull() {
		return nil, err
	}
	if err := r.reload(); err != nil {
		return nil, err
	}
	return r.planDestroy()
}

// approveRemoval makes the plan to destroy the object. Unless unread is true, it also reads the
// object, before or after the plan, depending on the version of Terraform.
func (r *operation) approveRemoval(unread bool) (*plannedChange, error) {
	if !unread && r.driver.is117() {
		if err := r.refresh(); err != nil || r.object.state.IsNull() {
			return nil, err
		}
		return r.planDestroy()
	}
	if err := r.reload(); err != nil {
		return nil, err
	}
	p, err := r.planDestroy()
	if err == nil && !unread {
		err = r.read(*r.object)
	}
	return p, err
}

// planDestroy makes the plan to destroy the object. It only sends a request if the provider has
// the capability to plan destruction.
func (r *operation) planDestroy() (*plannedChange, error) {
	if !r.driver.schemas.PlanDestroy {
		return &plannedChange{planned: *r.object}, nil
	}
	return r.plan(*r.object, r.null())
}

// Import imports the object with the ID and reads it. The instance must not have an object.
func (i *Instance) Import(ctx context.Context, id string) (*Run, error) {
	return i.do(ctx, absent, func(r *operation) error {
		return r.importState(&tfprotov6.ImportResourceStateRequest{TypeName: i.typeName, ID: id})
	})
}

// ImportIdentity imports the object with the identity and reads it. The identity may be any data
// that ValueOf accepts for the identity schema.
func (i *Instance) ImportIdentity(ctx context.Context, identity any) (*Run, error) {
	return i.do(ctx, absent, func(r *operation) error {
		schema := i.driver.catalog.Find(ctx, catalog.Identity, i.typeName)
		if schema.Err != nil {
			return schema.Err
		}
		value, err := configOf(schema, "identity", identity)
		if err != nil {
			return err
		}
		dynamic, err := tfconv.Encode6(value, schema.Type)
		if err != nil {
			return err
		}
		return r.importState(&tfprotov6.ImportResourceStateRequest{
			TypeName: i.typeName, Identity: &tfprotov6.ResourceIdentityData{IdentityData: dynamic},
		})
	})
}

// importState imports the object and reads it.
func (r *operation) importState(req *tfprotov6.ImportResourceStateRequest) error {
	req.ClientCapabilities = &tfprotov6.ImportResourceStateClientCapabilities{DeferralAllowed: r.driver.deferral}
	resp, wrong := call(r, r.server.ImportResourceState, req)
	if wrong != nil && !isBroken(wrong, objchange.RuleImportCount) {
		return wrong
	}
	if err := r.deferred(resp.Deferred); err != nil {
		return err
	}
	for _, imported := range resp.ImportedResources {
		if imported != nil && imported.TypeName == r.typeName {
			return r.readImported(req, imported, wrong)
		}
	}
	return errors.Join(wrong, fmt.Errorf("the provider returned no imported %s", r.typeName))
}

// readImported reads an imported object. wrong is the error about the import itself, such as
// several imported objects. The object is read even then.
func (r *operation) readImported(
	req *tfprotov6.ImportResourceStateRequest, imported *tfprotov6.ImportedResource, wrong error,
) error {
	state, err := r.decode(imported.State)
	if err != nil {
		return errors.Join(wrong, err)
	}
	r.run.Lifecycle.Imported = state
	if !state.IsNull() || req.Identity != nil {
		err = r.read(object{state: state, private: imported.Private, identity: imported.Identity})
	}
	if err == nil && r.object.state.IsNull() {
		err = fmt.Errorf("the %s to import does not exist", r.typeName)
	}
	if wrong != nil {
		r.object.state = r.null()
		return wrong
	}
	return err
}
