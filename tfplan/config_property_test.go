package tfplan_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/tfplan"
)

// A writer writes configurations as plans contain them: some expressions as references, some not at
// all, and no dynamic blocks.
type writer struct {
	t *rapid.T
	generate.Decider
	hides bool
}

func (w writer) hidden() bool { return w.hides && w.OneIn(4) }

func (w writer) block(schema *configschema.Block, v cty.Value) map[string]any {
	body := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(schema.Attributes)) {
		if expression := w.attribute(schema.Attributes[name], v.GetAttr(name)); expression != nil {
			body[name] = expression
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.BlockTypes)) {
		if blocks := w.blocks(schema.BlockTypes[name], v.GetAttr(name)); blocks != nil {
			body[name] = blocks
		}
	}
	return body
}

func (w writer) attribute(attr *configschema.Attribute, v cty.Value) any {
	asBlocks := attr.NestedType == nil && (v.Type().IsListType() || v.Type().IsSetType()) && v.Type().ElementType().IsObjectType()
	switch {
	case v.IsNull() && !w.hidden(), !v.IsWhollyKnown() && asBlocks && w.hidden():
		return nil
	case !v.IsWhollyKnown() || w.hidden():
		return generate.Pick[any](w.Decider, map[string]any{}, map[string]any{"references": []any{"local.x"}}, map[string]any{"references": []any{"var.x"}})
	}
	text, err := ctyjson.Marshal(shaped(v), shaped(v).Type())
	if err != nil {
		w.t.Fatal(err)
	}
	constant := any(json.RawMessage(text))
	if asBlocks && !v.IsNull() {
		var elems []any
		for elem := range slices.Values(v.AsValueSlice()) {
			if text, err := ctyjson.Marshal(shaped(elem), shaped(elem).Type()); err == nil && !w.hidden() {
				elems = append(elems, json.RawMessage(text))
			}
		}
		if constant = elems; elems == nil && v.LengthInt() > 0 {
			return nil
		}
		if elems == nil {
			constant = []any{}
		}
	}
	return map[string]any{"constant_value": constant}
}

func (w writer) blocks(nested *configschema.NestedBlock, v cty.Value) any {
	switch {
	case !v.IsKnown() || v.IsNull() || nested.Nesting.Single() && w.hidden():
		return nil
	case nested.Nesting.Single():
		return w.block(&nested.Block, v)
	}
	list, keyed := []any{}, map[string]any{}
	for key, elem := range v.Elements() {
		if w.hidden() || !elem.IsKnown() {
			continue
		}
		body := w.block(&nested.Block, elem)
		if list = append(list, body); nested.Nesting.Keyed() {
			keyed[key.AsString()] = body
		}
	}
	if nested.Nesting.Keyed() {
		return keyed
	}
	return list
}

// TestConfigurationsAreCertain checks that a plan that follows its configuration has no findings,
// regardless of how much of the configuration the plan shows and which changes are ignored.
func TestConfigurationsAreCertain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := resource(t)
		d := generate.Decider(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") })
		schema, err := objchange.Compile(r.Schema)
		if err != nil || r.Config.IsNull() || !r.Config.IsKnown() {
			t.Skip(err)
		}
		expressions := writer{t, d, d.OneIn(2)}.block(r.Schema, r.Config)
		if !r.Prior.IsNull() {
			var paths []cty.Path
			for range d(3) {
				if _, path, ok := d.ChangeLeaf(r.Prior); ok {
					paths = append(paths, path[:1+d(len(path))])
				}
			}
			if r.Config, err = objchange.IgnoreChanges(schema, r.Prior, r.Config, paths); err != nil {
				t.Fatal(err)
			}
			r.Plan()
		}
		if d.OneIn(2) {
			r.Planned, _, _ = d.ChangeLeaf(r.Planned)
		}
		r.Planned = unrefined(r.Planned)
		truth := objchange.AssertPlanValid(schema, r.Prior, r.Config, r.Planned)
		report := reportOf(t, r, expressions)
		for _, f := range report.Findings() {
			found := func(v *objchange.Violation) bool {
				return paths.Overlap(v.Shown, f.Shown)
			}
			if strings.HasPrefix(string(f.Rule), "plan-") && f.Rule != objchange.RulePlanAction && f.Rule != objchange.RulePlanContradiction && !slices.ContainsFunc(truth, found) {
				t.Errorf("%s is not found with the configuration, but %v\n%#v", f, truth, r)
			}
		}
	})
}

// TestConfigurationsOfConstants checks that the plan determines a configuration of constants
// completely, except in sets.
func TestConfigurationsOfConstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := generate.Decider(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") })
		r := d.Correct(d.Schema(generate.Scope{Depth: 1 + d(2), NoSets: true, InSet: true}))
		schema, err := objchange.Compile(r.Schema)
		if err != nil || !r.Config.IsWhollyKnown() || r.Config.IsNull() {
			t.Skip(err)
		}
		r.Prior = cty.NullVal(schema.ImpliedType())
		r.Plan()
		r.Planned, _, _ = d.ChangeLeaf(r.Planned)
		r.Planned = unrefined(r.Planned)
		var found []string
		report := reportOf(t, r, writer{t, d, false}.block(r.Schema, r.Config))
		for _, f := range report.Findings() {
			if strings.HasPrefix(string(f.Rule), "plan-") && f.Rule != objchange.RulePlanAction {
				found = append(found, f.Path+" "+string(f.Rule))
			}
		}
		var want []string
		for _, v := range objchange.AssertPlanValid(schema, r.Prior, r.Config, r.Planned) {
			want = append(want, v.PathString()+" "+string(v.Rule))
		}
		if !slices.Equal(found, want) || report.Configuration.Constants < report.Configuration.Configured {
			t.Errorf("found %q, want %q\n%+v%#v", found, want, report.Configuration, r)
		}
	})
}

// reportOf returns the report for a plan that has one change. Without expressions, the plan has no
// configuration.
func reportOf(t *rapid.T, r generate.Resource, expressions map[string]any) *tfplan.Report {
	t.Helper()
	before, _ := written(t, r.Prior)
	after, unknown := written(t, r.Planned)
	action := objchange.PlanAction(r.Prior, r.Planned, false)
	resource := func(name string, value any) map[string]any {
		return map[string]any{"address": "t.x", "mode": "managed", "type": "t", "name": "x", "provider_name": "p", "provider_config_key": "p", name: value}
	}
	document := map[string]any{
		"format_version":   "1.2",
		"resource_changes": []any{resource("change", map[string]any{"actions": []any{action}, "before": before, "after": after, "after_unknown": unknown})},
	}
	if expressions != nil {
		document["configuration"] = map[string]any{"root_module": map[string]any{"resources": []any{resource("expressions", expressions)}}}
	}
	plan, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	schemas := &configschema.ProviderSchemas{Providers: map[string]*configschema.ProviderSchema{
		"p": {ResourceSchemas: map[string]*configschema.Schema{"t": {Block: r.Schema}}},
	}}
	report, err := tfplan.Check(schemas, bytes.NewReader(plan), nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}
