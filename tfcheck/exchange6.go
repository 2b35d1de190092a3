package tfcheck

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

func (c *checked6) exchange(ctx context.Context, rpc, typeName string, diags []*tfprotov6.Diagnostic) *exchange {
	x := newExchange(ctx, c.catalog, c.report, rpc, typeName, failed6(diags))
	x.seen, x.Program = c.seen, c.program
	return x
}

func identity6(data *tfprotov6.ResourceIdentityData) *encoded {
	if data == nil {
		return nil
	}
	return (*encoded)(data.IdentityData)
}

type diags6 = []*tfprotov6.Diagnostic

// judged6 judges the exchange and returns the response, or a copy with more
// diagnostics if the report says so.
func judged6[R any](x *exchange, resp *R, diags func(*R) *diags6) *R {
	told := x.told()
	if len(told) == 0 {
		return resp
	}
	copied := *resp
	more := diags(&copied)
	*more = append(slices.Clip(*more), sent6(told)...)
	return &copied
}
