package tfplan_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfplan"
)

var update = flag.Bool("update", false, "write the golden files anew")

const configs = "testdata/config/"

// TestConfigurations checks which parts of the configuration the plans of Terraform determine, and
// that these plans have no findings that Terraform rejects.
func TestConfigurations(t *testing.T) {
	plans, err := filepath.Glob(configs + "*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, plan := range plans {
		name := strings.TrimSuffix(filepath.Base(plan), ".json")
		if name == "schemas" || strings.HasSuffix(name, ".tf") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			for _, c := range configured(t, plan) {
				fmt.Fprintf(&out, "%s %s: %d constants of %d\n%s", c.Address, c.Actions, c.Configuration.Constants, c.Configuration.Configured, parts(c.Config))
			}
			report, err := tfplan.Check(schemasIn(t, configs+"schemas.json"), open(t, plan), nil)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&out, report.Configuration)
			for r, f := range report.Findings() {
				fmt.Fprintf(&out, "%s: %s (tolerated: %v)\n", r, f, f.Tolerated)
				if f.Enforced {
					t.Errorf("%s: %s", r, f)
				}
			}
			golden := strings.TrimSuffix(plan, ".json") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(out.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if out.String() != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", &out, want)
			}
		})
	}
}

// TestTampered checks that a modified plan of Terraform has a finding if the configuration is
// certain.
func TestTampered(t *testing.T) {
	const constant, dynamic, ignored, asBlocks = "constants", "dynamic-blocks", "ignore-changes", "blocks-as-attributes"
	for _, test := range []struct{ plan, address, path, value, want string }{
		{constant, "probe_thing.ops", "s2", `"zz"`, `.s2: planned "zz", but the configuration has "xy" [plan-not-config]`},
		{constant, "probe_thing.ops", "n", `3`, `.n: planned 3, but the configuration has 2 [plan-not-config]`},
		{constant, "probe_thing.ops", "ls", `["a"]`, `.ls: at [1], planned nothing, but the configuration has "b" [plan-not-config]`},
		{constant, "probe_thing.none", "s", `"x"`, `.s: planned "x", but the attribute is neither configured nor computed [plan-not-computed]`},
		{constant, "probe_thing.none", "bl", `[{"a": "x", "n": null, "c": null, "oc": null, "lo": null, "inner": []}]`, ``}, // perhaps dynamic
		{constant, "probe_thing.a", "bl", `[]`, `.bl: the plan has 0 elements, but the configuration has 2 [plan-count]`},
		{constant, "probe_thing.a", "bl.0.inner.0.a", `"y"`, `.bl[0].inner[0].a: planned "y", but the configuration has "z" [plan-not-config]`},
		{constant, "probe_thing.a", "bm.k.a", `"y"`, `.bm["k"].a: planned "y", but the configuration has "x" [plan-not-config]`},
		{constant, "probe_thing.a", "bs", `null`, `.bs: the configured object is missing in the plan [plan-absent]`},
		{constant, "probe_thing.a", "bset.0.a", `"y"`, `.bset: a planned element matches no configured element: {a = "y", c = (unknown), inner = [], lo = null, n = null, oc = (unknown)}; the closest configured element has a = "1" [plan-set-element]`},
		{constant, "probe_thing.a", "ns.a", `"y"`, `.ns.a: planned "y", but the configuration has "x" [plan-not-config]`},
		{constant, "probe_thing.a", "nl", `[]`, `.nl: the plan has 0 elements, but the configuration has 2 [plan-count]`},
		{constant, "probe_thing.a", "s", `"y"`, ``}, // a function
		{constant, "probe_thing.a", "oc", `"y"`, ``},
		{constant, "probe_thing.a", "wo", `"y"`, `.wo: a write-only attribute must be null in plans and states [write-only-not-null]`}, // once
		{constant, "terraform_data.dynamic", "input.a.1", `"y"`, `.input: at .a[1], planned "y", but the configuration has "x" [plan-not-config]`},
		{"json", "probe_thing.a", "s", `"y"`, `.s: planned "y", but the configuration has "const" [plan-not-config]`},
		{"json", "probe_thing.a", "s2", `"y"`, ``}, // a template
		{"json", "probe_thing.a", "nl.0.a", `"y"`, ``},
		{"references", "probe_thing.a", "s", `"y"`, ``},
		{"modules", "module.one.module.in.probe_thing.deep", "s2", `"y"`, ``}, // a variable
		{dynamic, "probe_thing.a", "bl", `[]`, `.bl: the plan has 0 elements, but the configuration has 1 [plan-count]`},
		{dynamic, "probe_thing.a", "bl.0.a", `"y"`, ``},
		{dynamic, "probe_thing.b", "bl.0.a", `"y"`, `.bl[0].a: planned "y", but the configuration has "static" [plan-not-config]`},
		{ignored, "probe_thing.u", "n", `3`, `.n: planned 3, but the configuration has 2 and the prior state has 1 [plan-not-config]`},
		{ignored, "probe_thing.u", "n", `1`, ``}, // as before
		{ignored, "probe_thing.u", "ms.b", `"z"`, `.ms: at ["b"], planned "z", but the configuration has "y2" and the prior state has "y" [plan-not-config]`},
		{ignored, "probe_thing.u", "nl.0.n", `3`, `.nl[0].n: planned 3, but the configuration has 2 [plan-not-config]`},
		{ignored, "probe_thing.r", "s", `"old"`, `.s: planned "old", but the configuration has "new" [plan-not-config]`}, // a replacement ignores nothing
		{asBlocks, "old_thing.a", "lo.0.a", `"y"`, `.lo: at [0].a, planned "y", but the configuration has "x" [plan-not-config]`},
		{asBlocks, "old_thing.dynref", "lo.0.a", `"y"`, ``},
		{"legacy", "old_thing.a", "s", `null`, ``}, // equivalent to ""
		{"legacy", "old_thing.a", "ls", `null`, ``},
		{"legacy", "old_thing.a", "bl.0.a", `""`, ``},
		{"legacy", "old_thing.a", "s", `"y"`, `.s: planned "y", but the configuration has "" [plan-not-config]`},
	} {
		plan := tampered(t, configs+test.plan+".json", test.address, test.path, test.value)
		report, err := tfplan.Check(schemasIn(t, configs+"schemas.json"), bytes.NewReader(plan), nil)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for r, f := range report.Findings() {
			if f.Rule == tfplan.RuleWriteOnlyConstant {
				continue
			}
			found = append(found, f.String())
			legacy, set := r.Type == "old_thing", f.Rule == objchange.RulePlanSetElement
			if r.Address != test.address || f.Tolerated != legacy || f.Enforced == (legacy || set) {
				t.Errorf("%s: %+v", r, f)
			}
		}
		if got := strings.Join(found, "\n"); got != test.want {
			t.Errorf("%s %s = %s:\n%s\nwant:\n%s", test.address, test.path, test.value, got, test.want)
		}
	}
}

// TestIgnoredChanges checks that a plan that follows its configuration is valid for any
// ignore_changes.
func TestIgnoredChanges(t *testing.T) {
	schemas := schemasOf(t, `{"attributes": {
		"text": {"type": "string", "optional": true}, "made": {"type": "string", "optional": true, "computed": true},
		"tags": {"type": ["map", "string"], "optional": true},
		"one": {"optional": true, "nested_type": {"nesting_mode": "single", "attributes": {
			"a": {"type": "string", "optional": true}, "b": {"type": "string", "optional": true, "computed": true}}}},
		"many": {"optional": true, "nested_type": {"nesting_mode": "map", "attributes": {
			"a": {"type": "string", "optional": true}, "b": {"type": "string", "optional": true, "computed": true}}}}
	}, "block_types": {"disk": {"nesting_mode": "list", "block": {"attributes": {"a": {"type": "string", "optional": true}}}}}}`)
	for _, test := range []struct{ name, attribute, before, after, unknown, expression, want string }{
		{"as before", "text", `"x"`, `"x"`, `false`, `{"constant_value": "y"}`, ``},
		{"neither", "text", `"x"`, `"z"`, `false`, `{"constant_value": "y"}`, `.text [plan-not-config]`},
		{"null before, and computed", "made", `null`, `null`, `true`, `{"constant_value": "y"}`, ``},
		{"not null before", "made", `"x"`, `null`, `true`, `{"constant_value": "y"}`, `.made [plan-not-config]`},
		{"a key", "tags", `{"a": "x"}`, `{"a": "x", "b": "y"}`, `{}`, `{"constant_value": {"a": "z", "b": "y"}}`, ``},
		{"a key that is new", "tags", `{"a": "x"}`, `{"a": "x"}`, `{}`, `{"constant_value": {"a": "x", "b": "y"}}`, ``},
		{"a removed key", "tags", `{"a": "x", "b": "y"}`, `{"a": "x"}`, `{}`, `null`, ``},
		{"another key", "tags", `{"a": "x"}`, `{"c": "x"}`, `{}`, `{"constant_value": {"a": "x"}}`, `.tags [plan-not-config]`},
		{"a computed attribute of a nested attribute", "one", `{"a": "x", "b": null}`, `{"a": "x"}`, `{"b": true}`, `null`, ``},
		{"an attribute of a nested attribute that is not computed", "one", `{"a": "x", "b": null}`, `{"a": "y", "b": null}`, `{}`, `null`, `.one.a [plan-not-config]`},
		{"a removed key with a computed attribute", "many", `{"k": {"a": "x", "b": null}, "l": {"a": "x", "b": null}}`, `{"k": {"a": "x"}}`, `{"k": {"b": true}}`, `null`, ``},
		{"a new block", "disk", `[{"a": "x"}]`, `[{"a": "x"}]`, `[{}]`, `[{"a": {"constant_value": "x"}}, {}]`, ``},
		{"a removed block", "disk", `[{"a": "x"}, {"a": "y"}]`, `[{"a": "x"}]`, `[{}]`, `[{"a": {"constant_value": "x"}}, {}]`, `.disk [plan-count]`},
	} {
		object := func(value string) string {
			all := map[string]json.RawMessage{"text": null, "made": null, "tags": null, "one": null, "many": null, "disk": json.RawMessage("[]")}
			all[test.attribute] = json.RawMessage(value)
			text, err := json.Marshal(all)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		plan := fmt.Sprintf(`{"format_version": "1.2",
			"resource_changes": [{"address": "t.x", "mode": "managed", "type": "t", "provider_name": "p",
				"change": {"actions": ["update"], "before": %s, "after": %s, "after_unknown": {%q: %s}}}],
			"configuration": {"root_module": {"resources": [{"address": "t.x", "mode": "managed", "type": "t", "expressions": {%q: %s}}]}}}`,
			object(test.before), object(test.after), test.attribute, test.unknown, test.attribute, test.expression)
		report, err := tfplan.Check(schemas, strings.NewReader(plan), nil)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range report.Findings() {
			if f.Rule != tfplan.RulePlanAction {
				found = append(found, fmt.Sprintf("%s [%s]", f.Path, f.Rule))
			}
		}
		if got := strings.Join(found, "\n"); got != test.want {
			t.Errorf("%s: found %s, want %s", test.name, got, test.want)
		}
	}
}

var null = json.RawMessage("null")

// tampered returns the plan with another value in a planned object.
func tampered(t *testing.T, plan, address, path, value string) []byte {
	t.Helper()
	text, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	document := decoded(t, string(text)).(map[string]any)
	for _, r := range document["resource_changes"].([]any) {
		if r := r.(map[string]any); r["address"] == address {
			change := r["change"].(map[string]any)
			change["after"] = with(change["after"], strings.Split(path, "."), decoded(t, value))
			change["after_unknown"] = with(change["after_unknown"], strings.Split(path, "."), false)
		}
	}
	text, err = json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// with returns data with another value at the end of the steps.
func with(data any, steps []string, value any) any {
	if len(steps) == 0 {
		return value
	}
	switch data := data.(type) {
	case []any:
		i, _ := strconv.Atoi(steps[0])
		data[i] = with(data[i], steps[1:], value)
	case map[string]any:
		data[steps[0]] = with(data[steps[0]], steps[1:], value)
	}
	return data
}

// configured returns the changes of a plan.
func configured(t *testing.T, plan string) (changes []*tfplan.Change) {
	t.Helper()
	for c, err := range tfplan.Read(schemasIn(t, configs+"schemas.json"), open(t, plan)) {
		if err != nil || c.Err != nil {
			t.Fatal(err, c.Err)
		}
		changes = append(changes, c)
	}
	return changes
}

// parts writes the attributes and blocks of an object that are not null or empty.
func parts(object cty.Value) string {
	if object == cty.NilVal {
		return "  is not configured\n"
	}
	var out strings.Builder
	object, _ = object.Unmark()
	parts := object.AsValueMap()
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		part, _ := parts[name].Unmark()
		if !part.IsKnown() || !part.IsNull() && (!part.CanIterateElements() || part.LengthInt() > 0) {
			fmt.Fprintf(&out, "  %s = %s\n", name, brief(parts[name]))
		}
	}
	return out.String()
}

// FuzzConfigurations checks that any configuration results in a report or an error.
func FuzzConfigurations(f *testing.F) {
	schemas := schemasIn(f, configs+"schemas.json")
	plans, err := filepath.Glob(configs + "*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, plan := range plans {
		text, err := os.ReadFile(plan)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, plan []byte) {
		report, err := tfplan.Check(schemas, bytes.NewReader(plan), nil)
		if wrong := new(tfplan.Error); (report == nil) == (err == nil) || err != nil && !errors.As(err, &wrong) {
			t.Errorf("%v, %v", report, err)
		}
	})
}

// TestSensitiveInUnknown checks that a sensitive value, or a value that contains one, may become
// unknown.
func TestSensitiveInUnknown(t *testing.T) {
	schema, err := objchange.Compile(schemasOf(t, `{"attributes": {"tags": {"type": ["map", "string"], "computed": true}}}`).Providers["p"].ResourceSchemas["t"].Block)
	if err != nil {
		t.Fatal(err)
	}
	v, err := tfplan.ValueOf(schema, map[string]any{}, map[string]any{"tags": true}, map[string]any{"tags": map[string]any{"a": true}})
	if err != nil || !v.GetAttr("tags").HasMark(tfplan.Sensitive) {
		t.Errorf("%#v, %v", v, err)
	}
}
