// Package snippet is what the Go in docs/adopting.md presumes.
package snippet

import (
	"context"
	"encoding/json"

	hcty "github.com/hashicorp/go-cty/cty"
	fwschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	sdkschema "github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv"
	"github.com/objchange/objchange/tfconv/framework"
	"github.com/objchange/objchange/tfconv/sdkv2"
	"github.com/zclconf/go-cty/cty"
)

var (
	ctx context.Context

	// Of a framework.
	resourceSchema            fwschema.Schema
	protocolSchema            *tfprotov6.Schema
	priorState, configuration tftypes.Value
	proposed                  tftypes.Value
	err                       error
	proposedNewState          func(_ context.Context, _ fwschema.Schema, prior, config tftypes.Value) (tftypes.Value, error)

	// Of a bridge.
	resource                           *sdkschema.Resource
	priorHCty, configHCty, plannedHCty hcty.Value
	bridged                            *sdkv2.Proposer
	msgpackRoundTrip                   func(hcty.Value, cty.Type) (cty.Value, error)
	vendored                           struct {
		ProposedNew func(_ protocolOrVendored, prior, config cty.Value) cty.Value
	}

	// Of a controller and a test tool.
	document, desired      []byte
	tfjsonSchemas          any
	prior, config, planned cty.Value
	resp                   *tfprotov6.PlanResourceChangeResponse

	schema protocolOrVendored
)

// A protocolOrVendored stands for what is called schema: of a test tool, that of
// the protocol; before there was objchange, a vendored one.
type protocolOrVendored struct{ *tfprotov6.Schema }

func (protocolOrVendored) ImpliedType() cty.Type { return cty.NilType }
