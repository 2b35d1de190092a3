package tfcheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
)

// An exchange6 is an Exchange in the making.
type exchange6 struct {
	Exchange
	server *checked6
	ctx    context.Context
	diags  []*tfprotov6.Diagnostic // of the response
	schema *described
	found  []Finding // before the rules are asked
	known  []decoded6
	opaque bool // something cannot be decoded, so the rules cannot be asked
}

// A decoded6 is a value and what it was decoded from.
type decoded6 struct {
	from  *tfprotov6.DynamicValue
	value cty.Value
}

func (c *checked6) exchange(ctx context.Context, k kind, rpc, typeName string, diags []*tfprotov6.Diagnostic) *exchange6 {
	x := &exchange6{server: c, ctx: ctx, diags: diags, schema: c.catalog.find(ctx, k, typeName)}
	x.Exchange = Exchange{RPC: rpc, TypeName: typeName, Schema: x.schema.block, Failed: failed6(diags)}
	if x.schema.err != nil {
		x.opaque = true
		if !x.Failed { // a provider may refuse what it does not have
			x.broken(SideResponse, objchange.RuleInvalidInput, x.schema.err)
		}
	}
	return x
}

// request decodes a value of the request.
func (x *exchange6) request(into *cty.Value, what string, from *tfprotov6.DynamicValue) {
	x.decode(SideRequest, into, what, from)
}

// response decodes the value of the response. A failed one need not have any, and
// is only looked at after an apply.
func (x *exchange6) response(what string, from *tfprotov6.DynamicValue) {
	if !x.Failed || from != nil && x.RPC == "ApplyResourceChange" {
		x.decode(SideResponse, &x.Response, what, from)
	}
}

func (x *exchange6) decode(side Side, into *cty.Value, what string, from *tfprotov6.DynamicValue) {
	if x.schema.err != nil {
		return
	}
	if from == nil {
		from = &tfprotov6.DynamicValue{}
	}
	for _, known := range x.known { // Core often sends and gets the same thing twice
		if len(from.MsgPack) > 0 && bytes.Equal(from.MsgPack, known.from.MsgPack) {
			*into = known.value
			return
		}
	}
	v, err := decodeImplied(from.MsgPack, from.JSON, x.schema.ty, x.schema.names)
	if err == nil {
		x.known = append(x.known, decoded6{from, v})
	}
	if err != nil {
		x.opaque = true
		x.broken(side, objchange.RuleTypeMismatch, fmt.Errorf("the %s is not what the schema implies: %w", what, err))
	}
	*into = v
}

// requiresReplace takes the paths of a plan, unless it is to destroy: then nobody
// looks at them.
func (x *exchange6) requiresReplace(paths []*tftypes.AttributePath) {
	if there(x.Config) && x.Config.IsNull() {
		return
	}
	for _, p := range paths {
		path, err := PathToCty(p)
		if err != nil {
			x.broken(SideResponse, objchange.RuleReplacePath, err)
			continue
		}
		x.RequiresReplace = append(x.RequiresReplace, path)
	}
}

// deferred notes whether the response is deferred, and whether it may be.
func (x *exchange6) deferred(d *tfprotov6.Deferred, allowed bool) {
	x.Deferred, x.DeferralForbidden = d != nil, !allowed
}

// identity judges the identity of the response, if there is one.
func (x *exchange6) identity(before, after *tfprotov6.ResourceIdentityData) {
	if after == nil || after.IdentityData == nil || x.Failed || x.Deferred || x.opaque {
		return
	}
	schema := x.server.catalog.find(x.ctx, identityKind, x.TypeName)
	if schema.err != nil {
		x.broken(SideIdentity, objchange.RuleInvalidInput, schema.err)
		return
	}
	was, now := cty.NullVal(schema.ty), cty.NilVal
	var err error
	if before != nil {
		was, err = Decode6(before.IdentityData, schema.ty)
	}
	if err == nil {
		now, err = Decode6(after.IdentityData, schema.ty)
	}
	if err != nil {
		x.broken(SideIdentity, objchange.RuleTypeMismatch, err)
		return
	}
	x.found = append(x.found, x.judgeIdentity(schema.block, was, now)...)
}

// byIdentity judges whether an import by identity returned one.
func (x *exchange6) byIdentity(asked, got *tfprotov6.ResourceIdentityData) {
	if asked != nil && !x.Failed && !x.Deferred && (got == nil || got.IdentityData == nil) {
		x.broken(SideIdentity, RuleImportIdentity, errors.New("the object was asked for by its identity, and comes without one"))
	}
}

// broken records what keeps the exchange from being judged.
func (x *exchange6) broken(side Side, rule objchange.Rule, err error) {
	x.found = append(x.found, x.findings(side, objchange.Violations{unreadable(rule, err)})...)
}

// judge reports all findings and returns, if any is rejected, the diagnostics
// that the response is to have.
func (x *exchange6) judge() []*tfprotov6.Diagnostic {
	found := x.found
	if !x.opaque {
		found = append(found, x.Findings()...)
	}
	rejected := x.server.report.tell(found)
	if len(rejected) == 0 {
		return nil
	}
	diags := x.diags[:len(x.diags):len(x.diags)]
	for _, f := range rejected {
		d := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError, Summary: f.summary(), Detail: strings.Join(f.lines(), "\n")}
		if f.Side == SideResponse {
			// A path that the protocol cannot express is told in the detail only.
			d.Attribute, _ = PathFromCty(f.Violations[0].Path)
		}
		diags = append(diags, d)
	}
	return diags
}

type diags6 = []*tfprotov6.Diagnostic

// judged6 judges the exchange and returns the response, or a copy with other
// diagnostics if something is rejected.
func judged6[R any](x *exchange6, resp *R, diags func(*R) *diags6) *R {
	rejected := x.judge()
	if rejected == nil {
		return resp
	}
	copied := *resp
	*diags(&copied) = rejected
	return &copied
}
