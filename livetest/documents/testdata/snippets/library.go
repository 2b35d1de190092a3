// Package snippet declares what the Go of callers in docs/rules uses.
package snippet

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

var (
	ctx                             context.Context
	doc                             []byte
	server, schema                  *objchange.Schema
	block                           *configschema.Block
	prior, config, planned, applied cty.Value
	provider                        tfprotov6.ProviderServer
	protocolSchema                  *tfprotov6.Schema
	priorState, configuration       tftypes.Value
)

func encode(tftypes.Value) *tfprotov6.DynamicValue { return nil }
