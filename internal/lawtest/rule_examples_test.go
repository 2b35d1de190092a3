package lawtest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

var update = flag.Bool("update", false, "write the messages of docs/semantics.md anew")

const semantics = "../../docs/semantics.md"

var ruleEntry = regexp.MustCompile("(?s)### ([a-z-]+)\n(.*?)```json\n(.*?)```\n\n```text\n(.*?)```\n")

// TestRuleExamples runs the examples of the rule book: each breaks the rule that it
// stands under, and no rule is without one.
func TestRuleExamples(t *testing.T) {
	book, err := os.ReadFile(semantics)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[objchange.Rule]bool{}
	updated := ruleEntry.ReplaceAllFunc(book, func(entry []byte) []byte {
		m := ruleEntry.FindSubmatch(entry)
		rule, law, message := objchange.Rule(m[1]), string(m[2]), string(m[4])
		seen[rule] = true
		t.Run(string(rule), func(t *testing.T) {
			var example map[string]json.RawMessage
			if err := json.Unmarshal(m[3], &example); err != nil {
				t.Fatal(err)
			}
			found := runExample(t, example)
			if len(found) != 1 || found[0].Rule != rule {
				t.Fatalf("the example breaks %v", found)
			}
			if got := found[0].Error() + "\n"; *update {
				entry = bytes.Replace(entry, []byte("```text\n"+message), []byte("```text\n"+got), 1)
			} else if diff := cmp.Diff(message, got); diff != "" {
				t.Errorf("message (-book +got):\n%s", diff)
			}
			checkEnforced(t, law, found[0].Enforced)
		})
		return entry
	})
	for _, rule := range objchange.Rules() {
		if !seen[rule] {
			t.Errorf("no entry for %s", rule)
		}
	}
	if *update {
		if err := os.WriteFile(semantics, updated, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkEnforced holds what the book says against the example. A rule that is
// enforced in some places only may have an example of either kind.
func checkEnforced(t *testing.T, law string, enforced bool) {
	t.Helper()
	switch {
	case strings.Contains(law, "Not enforced") && enforced:
		t.Error("the book says not enforced")
	case strings.Contains(law, "Enforced.") && !enforced:
		t.Error("the book says enforced")
	case !strings.Contains(strings.ToLower(law), "enforced"):
		t.Error("the book does not say whether Core enforces the rule")
	}
}

// runExample runs the check that the example's values are for.
func runExample(t *testing.T, example map[string]json.RawMessage) objchange.Violations {
	t.Helper()
	schema := &configschema.Block{}
	if err := json.Unmarshal(example["schema"], schema); err != nil {
		t.Fatal(err)
	}
	ty := schema.ImpliedType()
	if raw, ok := example["type"]; ok {
		if err := json.Unmarshal(raw, &ty); err != nil {
			t.Fatal(err)
		}
	}
	value := func(name string) cty.Value {
		var plain any
		if err := json.Unmarshal(example[name], &plain); err != nil {
			t.Fatal(err)
		}
		return exampleValue(t, ty, plain)
	}
	has := func(name string) bool { _, ok := example[name]; return ok }
	switch {
	case has("requires_replace"):
		var names [][]string
		if err := json.Unmarshal(example["requires_replace"], &names); err != nil {
			t.Fatal(err)
		}
		_, found := objchange.RequiredReplace(compiled(schema), value("prior"), value("initial_planned"), []cty.Path{cty.GetAttrPath(names[0][0])})
		return found
	case has("prior"):
		return objchange.AssertPlanValid(compiled(schema), value("prior"), value("config"), value("initial_planned"))
	case has("final_config"):
		return objchange.AssertConfigConsistent(compiled(schema), value("config"), value("final_config"))
	case has("config"):
		return objchange.AssertConfigValid(compiled(schema), value("config"))
	case has("initial_planned"):
		return objchange.AssertPlanConsistent(compiled(schema), value("initial_planned"), value("final_planned"))
	case has("final_planned"):
		return objchange.AssertApplyConsistent(compiled(schema), value("final_planned"), value("new"))
	}
	return objchange.AssertStateValid(compiled(schema), value("new"))
}

// exampleValue reads a value of the type from JSON, in which {"$unknown": true}
// is an unknown value, {"$unknown": {"prefix": "x"}} one with a prefix and
// {"$sensitive": "x"} one that is marked.
func exampleValue(t *testing.T, ty cty.Type, plain any) cty.Value {
	t.Helper()
	switch plain := plain.(type) {
	case nil:
		return cty.NullVal(ty)
	case map[string]any:
		if refined, ok := plain["$unknown"]; ok {
			v := cty.UnknownVal(ty)
			if refinements, ok := refined.(map[string]any); ok {
				v = v.Refine().StringPrefixFull(refinements["prefix"].(string)).NewValue()
			}
			return v
		}
		if marked, ok := plain["$sensitive"]; ok {
			return exampleValue(t, ty, marked).Mark("sensitive")
		}
		if ty.IsObjectType() || ty.IsMapType() {
			return exampleObject(t, ty, plain)
		}
	case []any:
		if len(plain) == 0 {
			break
		}
		var elems []cty.Value
		for i, elem := range plain {
			if ty.IsTupleType() {
				elems = append(elems, exampleValue(t, ty.TupleElementType(i), elem))
			} else {
				elems = append(elems, exampleValue(t, ty.ElementType(), elem))
			}
		}
		switch {
		case ty.IsTupleType():
			return cty.TupleVal(elems)
		case ty.IsSetType():
			return cty.SetVal(elems)
		}
		return cty.ListVal(elems)
	}
	doc, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	if ty == cty.DynamicPseudoType {
		if ty, err = ctyjson.ImpliedType(doc); err != nil {
			t.Fatal(err)
		}
	}
	v, err := ctyjson.Unmarshal(doc, ty)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func exampleObject(t *testing.T, ty cty.Type, plain map[string]any) cty.Value {
	t.Helper()
	parts := map[string]cty.Value{}
	for name, part := range plain {
		if ty.IsMapType() {
			parts[name] = exampleValue(t, ty.ElementType(), part)
		} else {
			parts[name] = exampleValue(t, ty.AttributeType(name), part)
		}
	}
	switch {
	case ty.IsObjectType():
		return cty.ObjectVal(parts)
	case len(parts) == 0:
		return cty.MapValEmpty(ty.ElementType())
	}
	return cty.MapVal(parts)
}
