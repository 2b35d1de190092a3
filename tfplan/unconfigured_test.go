package tfplan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/objchange/objchange/tfplan"
)

// TestNotConfigured checks the finding for an attribute that the configuration does not set and
// that changes. A provider of the legacy SDK plans the Default of an attribute that was removed from
// the configuration, also in blocks. That is no finding.
func TestNotConfigured(t *testing.T) {
	const legacyID = `"id": {"type": "string", "optional": true, "computed": true}, `
	const want = `.limit: planned 3, but the attribute is neither configured nor computed [plan-not-computed]`
	for name, test := range map[string]struct{ id, block, before, after, expressions, want string }{
		"attribute": {"", "", `{"limit": 60}`, `{"limit": 3}`, `{}`, want},
		"created":   {"", "", `null`, `{"limit": 3}`, `{}`, want},
		"in a block": {"", "single", `{"limit": null, "b": {"limit": 60}}`, `{"limit": null, "b": {"limit": 3}}`, `{"b": {}}`,
			strings.Replace(want, ".limit", ".b.limit", 1)},
		"legacy":      {legacyID, "", `{"id": "a", "limit": 60}`, `{"id": "a", "limit": 3}`, `{}`, ""},
		"legacy list": {legacyID, "list", `{"id": "a", "limit": null, "b": [{"limit": 60}]}`, `{"id": "a", "limit": null, "b": [{"limit": 3}]}`, `{"b": [{}]}`, ""},
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
				found = append(found, f.String())
			}
			if got := strings.Join(found, "\n"); got != test.want {
				t.Errorf("found %s, want %s", got, test.want)
			}
		})
	}
}
