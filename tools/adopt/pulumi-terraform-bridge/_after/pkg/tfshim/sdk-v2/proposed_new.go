package sdkv2

import (
	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange/tfconv/sdkv2"
)

func proposedNew(res *schema.Resource, prior, config hcty.Value) (hcty.Value, error) {
	proposer, err := sdkv2.NewProposer(res)
	if err != nil {
		return hcty.NilVal, err
	}
	return proposer.ProposedNew(prior, config)
}
