package driver

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// UpgradeState takes over a state that an older version of the provider has written, as JSON of
// that schema version. It is Upgrade without reading the object: it sends UpgradeResourceState
// and nothing else. If the provider returns null, there is no object.
func (i *Instance) UpgradeState(ctx context.Context, version int64, state []byte) (*Run, error) {
	return i.do(ctx, absent, func(r *operation) error {
		upgraded, err := r.upgrade(version, state)
		if err == nil {
			r.state = upgraded
		}
		return err
	})
}

// A MoveSource is the object that a moved block moves to another resource type, as the state has
// it.
type MoveSource struct {
	Provider        string // the whole address, such as "registry.terraform.io/acme/old"
	TypeName        string
	Version         int64  // of the schema
	State           []byte // JSON
	Private         []byte
	Identity        []byte // JSON, or nil if there is none
	IdentityVersion int64
}

// MoveState takes over the object of another resource type, as a moved block does. It sends
// MoveResourceState and nothing else: the next run upgrades the moved state, and reads the object
// unless it is WithoutRefresh. If the provider returns null, there is no object.
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

// WithoutRefresh plans from the state that the instance has, as terraform plan -refresh=false
// does: the state is upgraded, and the object is not read. After an apply it is read all the
// same.
func WithoutRefresh() RunOption {
	return func(c *changing) { c.unread = true }
}
