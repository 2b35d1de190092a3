package tfplan_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfplan"
)

const configs = "testdata/config/"

// TestPlansFollowTheirConfiguration checks which parts of the configuration the plans of Terraform determine, and
// that these plans have no findings that Terraform rejects.
func TestPlansFollowTheirConfiguration(t *testing.T) {
	const writeOnly = ".wo write-only-constant"
	for plan, test := range map[string]struct {
		want  tfplan.Coverage
		found []string
	}{
		"blocks-as-attributes": {tfplan.Coverage{Configured: 11, Constants: 6}, nil},
		"constants":            {tfplan.Coverage{Configured: 62, Constants: 51}, []string{writeOnly}},
		"dynamic-blocks":       {tfplan.Coverage{Configured: 8, Constants: 2}, nil},
		"ephemeral":            {tfplan.Coverage{Configured: 2}, nil},
		"ignore-changes":       {tfplan.Coverage{Configured: 14, Constants: 12}, nil},
		"import":               {tfplan.Coverage{Configured: 1, Constants: 1}, nil},
		"json":                 {tfplan.Coverage{Configured: 16, Constants: 12}, nil},
		"legacy":               {tfplan.Coverage{Configured: 4, Constants: 3}, nil},
		"replace":              {tfplan.Coverage{Configured: 3, Constants: 3}, nil},
		"sdk-create": {tfplan.Coverage{Configured: 27, Constants: 24}, []string{writeOnly,
			".lower plan-not-config, tolerated", ".sattr plan-not-config, tolerated", ".tags plan-not-config, tolerated"}},
		"sdk-update": {tfplan.Coverage{Configured: 18, Constants: 17}, []string{writeOnly}},
	} {
		report, err := tfplan.Check(schemasIn(t, configs+"schemas.json"), open(t, configs+plan+".json"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if report.Configuration != test.want {
			t.Errorf("%s: %s, want %s", plan, report.Configuration, test.want)
		}
		var found []string
		for _, f := range report.Findings() {
			text := fmt.Sprintf("%s %s", f.Path, f.Rule)
			if f.Severity != objchange.Unchecked {
				text += ", " + string(f.Severity)
			}
			if f.Severity != objchange.LegacySDK { // see TestUnconfiguredChangeIsFound
				found = append(found, text)
			}
		}
		if !slices.Equal(found, test.found) {
			t.Errorf("%s: found %q, want %q", plan, found, test.found)
		}
	}
}

// TestTamperedPlanHasFinding checks that a modified plan of Terraform has a finding if the configuration is
// certain.
func TestTamperedPlanHasFinding(t *testing.T) {
	const constant, dynamic, ignored, asBlocks = "constants", "dynamic-blocks", "ignore-changes", "blocks-as-attributes"
	for _, test := range []struct{ plan, address, path, value, want string }{
		{constant, "probe_thing.ops", "s2", `"zz"`, `.s2 plan-not-config`},
		{constant, "probe_thing.ops", "n", `3`, `.n plan-not-config`},
		{constant, "probe_thing.ops", "ls", `["a"]`, `.ls plan-not-config`},
		{constant, "probe_thing.none", "s", `"x"`, `.s plan-not-computed`},
		{constant, "probe_thing.none", "bl", `[{"a": "x", "n": null, "c": null, "oc": null, "lo": null, "inner": []}]`, ``}, // perhaps dynamic
		{constant, "probe_thing.a", "bl", `[]`, `.bl plan-count`},
		{constant, "probe_thing.a", "bl.0.inner.0.a", `"y"`, `.bl[0].inner[0].a plan-not-config`},
		{constant, "probe_thing.a", "bm.k.a", `"y"`, `.bm["k"].a plan-not-config`},
		{constant, "probe_thing.a", "bs", `null`, `.bs plan-absent`},
		{constant, "probe_thing.a", "bset.0.a", `"y"`, `.bset plan-set-element`},
		{constant, "probe_thing.a", "ns.a", `"y"`, `.ns.a plan-not-config`},
		{constant, "probe_thing.a", "nl", `[]`, `.nl plan-count`},
		{constant, "probe_thing.a", "s", `"y"`, ``}, // a function
		{constant, "probe_thing.a", "oc", `"y"`, ``},
		{constant, "probe_thing.a", "wo", `"y"`, `.wo write-only-not-null`}, // once
		{constant, "terraform_data.dynamic", "input.a.1", `"y"`, `.input plan-not-config`},
		{"json", "probe_thing.a", "s", `"y"`, `.s plan-not-config`},
		{"json", "probe_thing.a", "s2", `"y"`, ``}, // a template
		{"json", "probe_thing.a", "nl.0.a", `"y"`, ``},
		{dynamic, "probe_thing.a", "bl", `[]`, `.bl plan-count`},
		{dynamic, "probe_thing.a", "bl.0.a", `"y"`, ``},
		{dynamic, "probe_thing.b", "bl.0.a", `"y"`, `.bl[0].a plan-not-config`},
		{ignored, "probe_thing.u", "n", `3`, `.n plan-not-config`},
		{ignored, "probe_thing.u", "n", `1`, ``}, // as before
		{ignored, "probe_thing.u", "ms.b", `"z"`, `.ms plan-not-config`},
		{ignored, "probe_thing.u", "nl.0.n", `3`, `.nl[0].n plan-not-config`},
		{ignored, "probe_thing.r", "s", `"old"`, `.s plan-not-config`}, // a replacement ignores nothing
		{asBlocks, "old_thing.a", "lo.0.a", `"y"`, `.lo plan-not-config`},
		{asBlocks, "old_thing.dynref", "lo.0.a", `"y"`, ``},
		{"legacy", "old_thing.a", "s", `null`, `.s plan-not-config, legacy-sdk`}, // equivalent to ""
		{"legacy", "old_thing.a", "ls", `null`, `.ls plan-not-config, legacy-sdk`},
		{"legacy", "old_thing.a", "bl.0.a", `""`, `.bl[0].a plan-not-computed, legacy-sdk`},
		{"legacy", "old_thing.a", "s", `"y"`, `.s plan-not-config`},
	} {
		plan := tampered(t, configs+test.plan+".json", test.address, test.path, test.value)
		report, err := tfplan.Check(schemasIn(t, configs+"schemas.json"), bytes.NewReader(plan), nil)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for r, f := range report.Findings() {
			if f.Rule == objchange.RuleWriteOnlyConstant {
				continue
			}
			text := fmt.Sprintf("%s %s", f.Path, f.Rule)
			if f.Severity == objchange.LegacySDK {
				found = append(found, text+", legacy-sdk")
				continue
			}
			found = append(found, text)
			legacy, set := r.Type == "old_thing", f.Rule == objchange.RulePlanSetElement
			if r.Address != test.address || (f.Severity == objchange.Tolerated) != legacy || (f.Severity == objchange.Rejected) == (legacy || set) {
				t.Errorf("%s: %+v", r, f)
			}
		}
		if got := strings.Join(found, "\n"); got != test.want {
			t.Errorf("%s %s = %s:\n%s\nwant:\n%s", test.address, test.path, test.value, got, test.want)
		}
	}
}

// TestIgnoredChangesAreValid checks that a plan that follows its configuration is valid for any
// ignore_changes.
func TestIgnoredChangesAreValid(t *testing.T) {
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
			if f.Rule != objchange.RulePlanAction {
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

// TestUnconfiguredChangeIsFound checks the finding for an attribute that the configuration does not set and
// that changes. A provider of the legacy SDK plans the Default of an attribute that was removed from
// the configuration, also in blocks.
func TestUnconfiguredChangeIsFound(t *testing.T) {
	const legacyID = `"id": {"type": "string", "optional": true, "computed": true}, `
	for name, test := range map[string]struct{ id, block, before, after, expressions, want string }{
		"attribute": {"", "", `{"limit": 60}`, `{"limit": 3}`, `{}`, ".limit plan-not-computed"},
		"created":   {"", "", `null`, `{"limit": 3}`, `{}`, ".limit plan-not-computed"},
		"in a block": {"", "single", `{"limit": null, "b": {"limit": 60}}`, `{"limit": null, "b": {"limit": 3}}`, `{"b": {}}`,
			".b.limit plan-not-computed"},
		"legacy":      {legacyID, "", `{"id": "a", "limit": 60}`, `{"id": "a", "limit": 3}`, `{}`, ".limit plan-not-computed, legacy-sdk"},
		"legacy list": {legacyID, "list", `{"id": "a", "limit": null, "b": [{"limit": 60}]}`, `{"id": "a", "limit": null, "b": [{"limit": 3}]}`, `{"b": [{}]}`, ".b[0].limit plan-not-computed, legacy-sdk"},
		"legacy set":  {legacyID, "set", `{"id": "a", "limit": null, "b": [{"limit": 60}]}`, `{"id": "a", "limit": null, "b": [{"limit": 3}]}`, `{"b": [{}]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			const limit = `"limit": {"type": "number", "optional": true}`
			blocks := ""
			if test.block != "" {
				blocks = `, "block_types": {"b": {"nesting_mode": "` + test.block + `", "block": {"attributes": {` + limit + `}}}}`
			}
			action := `"update"`
			if test.before == "null" {
				action = `"create"`
			}
			plan := fmt.Sprintf(`{"format_version": "1.2", "resource_changes": [{"address": "t.x", "mode": "managed", "type": "t", "name": "x",
				"provider_name": "p", "change": {"actions": [%s], "before": %s, "after": %s, "after_unknown": {}}}],
				"configuration": {"provider_config": {"p": {"name": "p", "full_name": "p"}}, "root_module": {"resources": [
				{"address": "t.x", "mode": "managed", "type": "t", "name": "x", "provider_config_key": "p", "expressions": %s}]}}}`,
				action, test.before, test.after, test.expressions)
			schemas := schemasOf(t, `{"attributes": {`+test.id+limit+`}`+blocks+`}`)
			report, err := tfplan.Check(schemas, strings.NewReader(plan), nil)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, f := range report.Findings() {
				text := fmt.Sprintf("%s %s", f.Path, f.Rule)
				if f.Severity == objchange.LegacySDK {
					text += ", legacy-sdk"
				}
				found = append(found, text)
			}
			if got := strings.Join(found, "\n"); got != test.want {
				t.Errorf("found %s, want %s", got, test.want)
			}
		})
	}
}
