package audit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/configschema"
)

// TestExamplesOfRulesBreakTheirRules checks that the examples of the rules reference break their
// rules with the given messages.
func TestExamplesOfRulesBreakTheirRules(t *testing.T) {
	for _, rule := range []objchange.Rule{objchange.RulePlanAction, objchange.RulePlanContradiction, objchange.RuleWriteOnlyConstant} {
		t.Run(string(rule), func(t *testing.T) {
			entry, ok := rulebook.Find(rule)
			if !ok {
				t.Fatal("the rule has no entry")
			}
			var example map[string]json.RawMessage
			if err := json.Unmarshal([]byte(entry.Example), &example); err != nil {
				t.Fatal(err)
			}
			schemas := schemasOf(t, example["schema"])
			delete(example, "schema")
			r, err := runAudit(planOf(t, example), nil, schemas)
			if err != nil {
				t.Fatal(err)
			}
			says := func(f report.Finding) bool {
				text := fmt.Sprintf("%s: %s [%s]", f.Path, f.Message, f.Rule)
				return text == entry.Message || text == ": "+entry.Message
			}
			found := r.Subjects[0].Findings
			if !slices.ContainsFunc(found, says) {
				t.Errorf("%s is not found, but %+v", entry.Message, found)
			}
			for _, f := range found {
				contradicts := rule == objchange.RulePlanAction || rule == objchange.RulePlanContradiction
				if f.Rule == rule && f.Counts(report.FailOnCore) != contradicts {
					t.Errorf("the severity is %s", f.Severity)
				}
			}
		})
	}
}

// TestInvalidByteEqualsReplacementCharacter checks that an invalid byte in a document equals
// U+FFFD, which Terraform writes for such bytes.
func TestInvalidByteEqualsReplacementCharacter(t *testing.T) {
	schemas := schemasOf(t, json.RawMessage(`{"attributes": {"id": {"type": "string", "optional": true, "computed": true}}}`))
	plan := planOf(t, map[string]json.RawMessage{
		"after": json.RawMessage(`{"id": "a?"}`), "planned_values": json.RawMessage(`{"id": "a\ufffd"}`),
	})
	r, err := runAudit(bytes.ReplaceAll(plan, []byte("a?"), []byte("a\xff")), nil, schemas)
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Subjects[0]; s.Status != report.Checked || len(s.Findings) > 0 {
		t.Errorf("%+v", s)
	}
}

func schemasOf(t *testing.T, block json.RawMessage) *configschema.ProviderSchemas {
	t.Helper()
	schemas, err := configschema.ParseProviderSchemas(fmt.Appendf(nil,
		`{"format_version": "1.0", "provider_schemas": {"p": {"resource_schemas": {"t": {"block": %s}}}}}`, block))
	if err != nil {
		t.Fatal(err)
	}
	return schemas
}

// planOf returns a plan with one change made from the parts of an example.
func planOf(t *testing.T, example map[string]json.RawMessage) []byte {
	t.Helper()
	part := func(name, otherwise string) json.RawMessage {
		if given, ok := example[name]; ok {
			return given
		}
		return json.RawMessage(otherwise)
	}
	resource := map[string]any{"address": "t.x", "mode": "managed", "type": "t", "name": "x", "provider_name": "p"}
	with := func(name string, value any) map[string]any {
		copied := map[string]any{name: value}
		maps.Copy(copied, resource)
		return copied
	}
	plan := map[string]any{
		"format_version": "1.2",
		"resource_changes": []any{with("change", map[string]json.RawMessage{
			"actions": part("actions", `["create"]`), "before": part("before", `null`), "after": part("after", `null`),
		})},
		"configuration": map[string]any{"root_module": map[string]any{
			"resources": []any{with("expressions", part("expressions", `{}`))},
		}},
	}
	if planned, ok := example["planned_values"]; ok {
		plan["planned_values"] = map[string]any{"root_module": map[string]any{"resources": []any{with("values", planned)}}}
	}
	return encode(t, plan)
}

// TestMissingValuesInMapsAreFoundWithoutKeys checks that missing values in nested blocks and attributes are found,
// and that keys of maps are hidden.
func TestMissingValuesInMapsAreFoundWithoutKeys(t *testing.T) {
	schemas := schemasOf(t, json.RawMessage(`{
		"attributes": {"keys": {"optional": true, "nested_type": {"nesting_mode": "map", "attributes": {
			"a": {"type": "string", "optional": true}, "b": {"type": "string", "computed": true}}}}},
		"block_types": {"door": {"nesting_mode": "map", "block": {
			"block_types": {"lock": {"nesting_mode": "single", "block": {"attributes": {"code": {"type": "string", "optional": true}}}}}}}}}`))
	r, err := runAudit(planOf(t, map[string]json.RawMessage{
		"after": json.RawMessage(`{"keys": {"hush": {"b": "x"}, "none": null}, "door": {"hush": {"lock": {}}, "shut": {"lock": null}, "left": {}}}`),
	}), nil, schemas)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range r.Subjects[0].Findings {
		paths = append(paths, f.Path)
	}
	want := []string{".door[(sensitive)].lock.code", ".door[(sensitive)].lock", ".keys[(sensitive)].a"}
	if !slices.Equal(paths, want) {
		t.Errorf("%q, want %q", paths, want)
	}
}
