// Package snippet declares what the code for terraform-plugin-go in docs/rules
// uses: a server of the protocol written by hand.
package snippet

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

type attributes = map[string]tftypes.Value

var stepsType = tftypes.List{ElementType: tftypes.Object{}}

type server struct{}

func (server) find(
	context.Context, *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.DynamicValue, *tfprotov6.ResourceIdentityData, error) {
	return nil, nil, nil
}
