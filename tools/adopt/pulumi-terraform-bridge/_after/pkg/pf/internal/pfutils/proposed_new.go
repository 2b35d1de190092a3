package pfutils

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/tfconv"

	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/pf/internal/runtypes"
)

// ProposedNew returns the proposed new state for a prior state and a configuration. If the
// configuration is null, it returns the prior state. Terraform proposes null in that case.
func ProposedNew(ctx context.Context, schema runtypes.Schema, priorState, config tftypes.Value) (tftypes.Value, error) {
	if config.IsNull() {
		return priorState, nil
	}
	protocolSchema, err := schema.ResourceProtoSchema(ctx)
	if err != nil {
		return tftypes.Value{}, err
	}
	return tfconv.ProposedNew6(protocolSchema, priorState, config)
}
