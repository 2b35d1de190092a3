package tfcheck

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/values"
	"github.com/objchange/objchange/tfconv"
)

// An exchange collects the values of an Exchange, of either protocol, and its findings.
type exchange struct {
	Exchange
	ctx       context.Context
	checker   *checker
	schema    *catalog.Schema
	found     []Finding // faults found while decoding
	skipRules bool      // a value cannot be decoded, so the rules are not checked
	// newer says that a schema is newer than this package, so nothing is checked. It is nil
	// otherwise.
	newer *catalog.NewerError
}

type (
	dynamicValue = tfprotov6.DynamicValue
	identityData = tfprotov6.ResourceIdentityData
)

// load loads the schema.
func (x *exchange) load() {
	x.schema = x.checker.catalog.Find(x.ctx, catalog.KindOf(x.RPC), x.TypeName)
	x.Schema = x.schema.Compiled
	if x.schema.Err != nil {
		x.skipRules = true
		if !x.Failed { // a provider may return an error for a resource type that it does not have
			x.broken(SideResponse, objchange.RuleInvalidInput, x.schema.Err)
		}
	}
}

// takeResponse decodes the value of the response. A failed response may have no value, and its
// value is only checked for an apply. A deferred plan or result is not checked:
// docs/specification.md#141-plan.
func (x *exchange) takeResponse(from *dynamicValue) {
	if x.Deferred && x.rpc().skipDeferred {
		return
	}
	if !x.Failed || from != nil && x.RPC == "ApplyResourceChange" {
		x.decode(SideResponse, &x.Response, "response", from)
	}
}

func (x *exchange) decode(side Side, into *cty.Value, what string, from *dynamicValue) {
	if x.schema.Err != nil {
		return
	}
	v, err := tfconv.Decode6(from, x.schema.Type)
	*into = v
	if err != nil {
		x.skipRules = true
		x.broken(side, objchange.RuleTypeMismatch, fmt.Errorf("the %s does not match the schema: %w", what, err))
	}
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

// finishImport checks the imported objects, after their number.
func (x *exchange) finishImport(resources []*tfprotov6.ImportedResource, byIdentity bool) []*tfprotov6.Diagnostic {
	resources = slices.DeleteFunc(slices.Clone(resources), func(i *tfprotov6.ImportedResource) bool { return i == nil })
	x.skipRules, x.found = true, x.checkImports(len(resources))
	diags := x.finish()
	for _, imported := range resources {
		one := &exchange{Exchange: x.Exchange, ctx: x.ctx, checker: x.checker}
		one.TypeName, one.DeferralForbidden = imported.TypeName, false // a forbidden deferral was found already
		one.load()
		one.takeResponse(imported.State)
		one.identity(nil, imported.Identity, byIdentity)
		one.imported(byIdentity)
		diags = append(diags, one.finish()...)
	}
	return diags
}

// imported checks that an object imported by ID is not null. For OpenTofu no imported object may be
// null.
func (x *exchange) imported(byIdentity bool) {
	if !x.Failed && !x.Deferred && (!byIdentity || x.Program == OpenTofu) && isSet(x.Response) && x.Response.IsNull() {
		err := errors.New("an import must return one object, but this import returned null")
		x.broken(SideResponse, objchange.RuleImportCount, err)
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
	seen, ignored := x.checker.seen, x.checker.ignored
	if x.newer != nil {
		if seen != nil {
			seen(x.Exchange, nil, x.newer)
		}
		return nil
	}
	found := x.found
	if !x.skipRules {
		found = append(found, x.Findings()...)
	}
	for i, f := range found {
		found[i].Violations = ignored.Rest(f.TypeName, f.Violations)
	}
	found = slices.DeleteFunc(found, func(f Finding) bool { return len(f.Violations) == 0 })
	if seen != nil {
		seen(x.Exchange, found, nil)
	}
	return x.checker.report.diagnostics(found)
}
