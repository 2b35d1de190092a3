package driver

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfconv"
)

// A StateOption adds to the state that Upgrade and UpgradeState start from.
type StateOption func(*savedIdentity)

// A savedIdentity is an identity in a state.
type savedIdentity struct {
	version int64
	json    []byte
}

// WithIdentity adds an identity to the state, as JSON of the given version of the identity schema.
// If the version is older than the provider's, the driver sends UpgradeResourceIdentity after
// UpgradeResourceState. A driver that behaves like Terraform 1.11 or earlier ignores the identity.
func WithIdentity(version int64, identity []byte) StateOption {
	return func(s *savedIdentity) { s.version, s.json = version, identity }
}

// UpgradeState sets the state to a state that an older version of the provider has written. The
// state is JSON of the given schema version. Unlike Upgrade, UpgradeState does not read the
// object: it only upgrades the state and its identity. If the provider returns null, there is no
// object.
func (i *Instance) UpgradeState(ctx context.Context, version int64, state []byte, opts ...StateOption) (*Run, error) {
	return i.do(ctx, absent, func(r *operation) error {
		upgraded, err := r.upgradeObject(version, state, opts)
		if err == nil {
			*r.object = upgraded
		}
		return err
	})
}

// upgradeObject upgrades a state and its identity.
func (r *operation) upgradeObject(version int64, state []byte, opts []StateOption) (upgraded object, err error) {
	if upgraded.state, err = r.upgrade(version, state); err == nil {
		upgraded.identity, err = r.upgradeIdentity(opts)
	}
	return upgraded, err
}

// upgradeIdentity returns the identity of a state, for the current identity schema.
func (r *operation) upgradeIdentity(opts []StateOption) (*tfprotov6.ResourceIdentityData, error) {
	var saved savedIdentity
	set(&saved, opts)
	if saved.json == nil || check.Before(r.driver.version, 12) {
		return nil, nil
	}
	schema := r.driver.catalog.Find(r.ctx, catalog.Identity, r.typeName)
	if schema.Err != nil {
		return nil, schema.Err
	}
	if saved.version < schema.Version {
		resp, err := call(r, r.server.UpgradeResourceIdentity, &tfprotov6.UpgradeResourceIdentityRequest{
			TypeName: r.typeName, Version: saved.version, RawIdentity: &tfprotov6.RawState{JSON: saved.json},
		})
		if err != nil {
			return nil, err
		}
		return resp.UpgradedIdentity, nil
	}
	value, err := ctyjson.Unmarshal(saved.json, schema.Type)
	if err != nil {
		return nil, fmt.Errorf("the identity of %s: %w", r.typeName, err)
	}
	dynamic, err := tfconv.Encode6(value, schema.Type)
	return &tfprotov6.ResourceIdentityData{IdentityData: dynamic}, err
}

// A MoveSource is the state of an object that a moved block moves to another resource type.
type MoveSource struct {
	Provider        string // the full address, such as "registry.terraform.io/acme/old"
	TypeName        string
	Version         int64  // of the schema
	State           []byte // JSON
	Private         []byte
	Identity        []byte // JSON, or nil without an identity
	IdentityVersion int64
}

// MoveState moves an object of another resource type into the instance, like a moved block. It
// only sends MoveResourceState. The next run upgrades the moved state, and reads the object
// unless the run has the option WithoutRefresh. If the provider returns null, there is no object.
func (i *Instance) MoveState(ctx context.Context, source MoveSource) (*Run, error) {
	return i.do(ctx, absent, func(r *operation) error {
		req := &tfprotov6.MoveResourceStateRequest{
			TargetTypeName: i.typeName, SourceProviderAddress: source.Provider, SourceTypeName: source.TypeName,
			SourceSchemaVersion: source.Version, SourceState: &tfprotov6.RawState{JSON: source.State},
			SourcePrivate: source.Private,
		}
		if source.Identity != nil {
			req.SourceIdentity = &tfprotov6.RawState{JSON: source.Identity}
			req.SourceIdentitySchemaVersion = source.IdentityVersion
		}
		resp, err := call(r, r.server.MoveResourceState, req)
		if err != nil {
			return err
		}
		moved, err := r.decode(resp.TargetState)
		if err != nil {
			return err
		}
		r.run.Lifecycle.Upgraded = moved
		*r.object = object{state: moved, private: resp.TargetPrivate, identity: resp.TargetIdentity}
		return nil
	})
}

// WithoutRefresh plans without reading the object, like terraform plan -refresh=false. The state
// is still upgraded. After an apply, the object is still read.
func WithoutRefresh() RunOption {
	return func(o *runOptions) { o.unread = true }
}
