package proto6server

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/internal/toproto6"
	"github.com/objchange/objchange/tfconv"
)

// newProposer returns a Proposer of a resource type. Keep it beside the cached schema.
func (s *Server) newProposer(ctx context.Context, typeName string) (*tfconv.Proposer, diag.Diagnostics) {
	schema, diags := s.FrameworkServer.ResourceSchema(ctx, typeName)
	if diags.HasError() {
		return nil, diags
	}
	protocolSchema, err := toproto6.Schema(ctx, schema)
	if err != nil {
		diags.AddError("Unable to Convert the Schema", err.Error())
		return nil, diags
	}
	proposer, err := tfconv.NewProposer6(protocolSchema)
	if err != nil {
		diags.AddError("Unable to Compile the Schema", err.Error())
	}
	return proposer, diags
}
