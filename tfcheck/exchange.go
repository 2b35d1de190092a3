package tfcheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfcheck/internal/values"
	"github.com/objchange/objchange/tfconv"
)

// An exchange collects the values of an Exchange, of either protocol, and its findings.
type exchange struct {
	Exchange
	ctx       context.Context
	catalog   *catalog.Catalog
	report    Report
	seen      func(Exchange, []Finding, error)
	ignored   check.Filter
	schema    *catalog.Schema
	found     []Finding // faults found while decoding
	known     []decoded
	skipRules bool // a value cannot be decoded, so the rules are not checked
	// newer says that a schema is newer than this package, so nothing is checked. It is nil otherwise.
	newer *catalog.NewerError
}

// An encoded is a DynamicValue. Values of protocol 5 convert to it.
type encoded = tfprotov6.DynamicValue

// A decoded is a value with its encoding.
type decoded struct {
	from  *encoded
	value cty.Value
}

// newExchange returns an exchange without values. failed says whether the response has errors.
func newExchange(ctx context.Context, c *catalog.Catalog, report Report, rpc, typeName string, failed bool) *exchange {
	of, _ := check.Find(rpc)
	x := &exchange{ctx: ctx, catalog: c, report: report, schema: c.Find(ctx, of.Kind, typeName)}
	x.Exchange = Exchange{RPC: rpc, TypeName: typeName, Schema: x.schema.Compiled, Failed: failed}
	if x.schema.Err != nil {
		x.skipRules = true
		if !x.Failed { // a provider may return an error for a resource type that it does not have
			x.broken(SideResponse, objchange.RuleInvalidInput, x.schema.Err)
		}
	}
	return x
}

// take decodes a value of the request.
func (x *exchange) take(into *cty.Value, what string, from *encoded) {
	x.decode(SideRequest, into, what, from)
}

// takeResponse decodes the value of the response. A failed response may have no value, and its
// value is only checked for an apply. A deferred plan or result is not checked:
// docs/specification.md#141-plan.
func (x *exchange) takeResponse(what string, from *encoded) {
	if x.Deferred && x.rpc().SkipDeferred {
		return
	}
	if !x.Failed || from != nil && x.RPC == "ApplyResourceChange" {
		x.decode(SideResponse, &x.Response, what, from)
	}
}

func (x *exchange) decode(side Side, into *cty.Value, what string, from *encoded) {
	if x.schema.Err != nil {
		return
	}
	if from == nil {
		from = &encoded{}
	}
	for _, known := range x.known { // Core often sends or receives the same value twice
		if len(from.MsgPack) > 0 && bytes.Equal(from.MsgPack, known.from.MsgPack) {
			*into = known.value
			return
		}
	}
	v, err := tfconv.Decode6(from, x.schema.Type)
	*into = v
	if err != nil {
		x.skipRules = true
		x.broken(side, objchange.RuleTypeMismatch, fmt.Errorf("the %s does not match the schema: %w", what, err))
		return
	}
	x.known = append(x.known, decoded{from, v})
}

// requiresReplace decodes the paths of a plan. It ignores them in a plan to destroy.
func (x *exchange) requiresReplace(paths []*tftypes.AttributePath) {
	if isSet(x.Config) && x.Config.IsNull() {
		return
	}
	for _, p := range paths {
		path, err := values.PathOnWire(p)
		if err != nil {
			x.broken(SideResponse, objchange.RuleReplacePath, err)
			continue
		}
		x.RequiresReplace = append(x.RequiresReplace, path)
	}
}

// deferred records whether the response is deferred, and whether the request allowed it.
func (x *exchange) deferred(deferred, allowed bool) {
	x.Deferred, x.DeferralForbidden = deferred, !allowed
}

// imported checks that an object imported by ID is not null. For OpenTofu no imported object may be
// null.
func (x *exchange) imported(byIdentity bool) {
	if !x.Failed && !x.Deferred && (!byIdentity || x.Program == OpenTofu) && isSet(x.Response) && x.Response.IsNull() {
		x.broken(SideResponse, objchange.RuleImportCount, errors.New("an import must return one object, but this import returned null"))
	}
}

// broken records a fault that prevents the check of a value.
func (x *exchange) broken(side Side, rule objchange.Rule, err error) {
	if errors.As(err, &x.newer) {
		return
	}
	x.found = append(x.found, x.findings(side, rejected(rule, err.Error()))...)
}

// finish reports all findings and returns the diagnostics to add to the response.
func (x *exchange) finish() []*tfprotov6.Diagnostic {
	if x.newer != nil {
		if x.seen != nil {
			x.seen(x.Exchange, nil, x.newer)
		}
		return nil
	}
	found := x.found
	if !x.skipRules {
		found = append(found, x.Findings()...)
	}
	if len(x.ignored) > 0 {
		for i, f := range found {
			found[i].Violations = x.ignored.Rest(f.TypeName, f.Violations)
		}
		found = slices.DeleteFunc(found, func(f Finding) bool { return len(f.Violations) == 0 })
	}
	if x.seen != nil {
		x.seen(x.Exchange, found, nil)
	}
	return x.report.Diagnostics(found...)
}
