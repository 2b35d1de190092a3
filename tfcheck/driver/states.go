package driver

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// UpgradeState sets the state to a state that an older version of the provider has written. The
// state is JSON of the given schema version. Unlike Upgrade, UpgradeState does not read the
// object: it only sends UpgradeResourceState. If the provider returns null, there is no object.
func (i *Instance) UpgradeState(ctx context.Context, version int64, state []byte) (*Run, error) {
	return i.do(ctx, absent, func(r *operation) error {
		upgraded, err := r.upgrade(version, state)
		if err == nil {
			r.state = upgraded
		}
		return err
	})
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
			SourceSchemaVersion: source.Version, SourceState: &tfprotov6.RawState{JSON: source.State}, SourcePrivate: source.Private,
		}
		if source.Identity != nil {
			req.SourceIdentity, req.SourceIdentitySchemaVersion = &tfprotov6.RawState{JSON: source.Identity}, source.IdentityVersion
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
		r.state, r.private, r.identity = moved, resp.TargetPrivate, resp.TargetIdentity
		return nil
	})
}

// WithoutRefresh plans without reading the object, like terraform plan -refresh=false. The state
// is still upgraded. After an apply, the object is still read.
func WithoutRefresh() RunOption {
	return func(c *changeRun) { c.unread = true }
}
