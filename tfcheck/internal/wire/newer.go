// Package wire contains what packages for both protocols, and package codec, share.
package wire

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/protobuf/encoding/protowire"
)

// A Newer lists what decoded responses contain beyond the fields of tfprotov6.
type Newer struct {
	// Computed contains the blocks that the schema marks as computed: field 8 of Schema.Block in
	// the protocol 6 of Terraform 1.17.
	Computed map[*tfprotov6.SchemaBlock]bool
	// Unknown contains the first unknown field, such as "field 9 of Schema.Block", of each schema
	// that has one. The key is the *tfprotov6.Schema or *tfprotov6.ResourceIdentitySchema.
	Unknown map[any]string
}

type newerKey struct{}

// CollectNewer returns a context for calls of servers of package codec. The Newer lists
// what the responses of these calls contain. The calls must not be concurrent. If the context
// already has a Newer, it is returned.
func CollectNewer(ctx context.Context) (context.Context, *Newer) {
	if n := NewerOf(ctx); n != nil {
		return ctx, n
	}
	n := &Newer{map[*tfprotov6.SchemaBlock]bool{}, map[any]string{}}
	return context.WithValue(ctx, newerKey{}, n), n
}

// NewerOf returns the Newer of the context, or nil.
func NewerOf(ctx context.Context) *Newer {
	n, _ := ctx.Value(newerKey{}).(*Newer)
	return n
}

const computedBlock protowire.Number = 8

// Add records an unknown field of a message in a schema. The message is decoded into the struct
// that to points to.
func (n *Newer) Add(schema any, kind string, number protowire.Number, wire protowire.Type, value []byte, to any) {
	block, ok := to.(*tfprotov6.SchemaBlock)
	if ok && kind == "tfplugin6.Schema.Block" && number == computedBlock && wire == protowire.VarintType {
		is, _ := protowire.ConsumeVarint(value)
		n.Computed[block] = is != 0
		return
	}
	if n.Unknown[schema] == "" {
		_, name, _ := strings.Cut(kind, ".")
		n.Unknown[schema] = fmt.Sprintf("field %d of %s", number, name)
	}
}

type capabilitiesKey struct{}

// WithNewCapabilities returns a context for calls of servers of package codec. Their requests have
// the client capabilities of Terraform 1.17 that tfprotov6 does not have: store_planned_private, and
// computed_blocks_allowed in protocol 6.
func WithNewCapabilities(ctx context.Context) context.Context {
	return context.WithValue(ctx, capabilitiesKey{}, true)
}

// HasNewCapabilities reports whether the context is from WithNewCapabilities.
func HasNewCapabilities(ctx context.Context) bool { return ctx.Value(capabilitiesKey{}) != nil }
