package spectest

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
	. "github.com/objchange/objchange/internal/testcty"
)

var update = flag.Bool("update", false, "write the messages in docs/rules and the cases in docs/specification.md")

var ruleEntry = regexp.MustCompile("(?s)\n## ([a-z-]+)\n(.*?)```json\n(.*?)```\n\n```text\n(.*?)```\n")

// TestEachRuleHasAnExample checks that each rule of the package has an example in docs/rules, that each
// example breaks only this rule, and that the document contains the message.
func TestEachRuleHasAnExample(t *testing.T) {
	seen := map[objchange.Rule]bool{}
	for _, name := range []string{"input", "config", "plan", "apply", "state"} {
		file := "../../docs/rules/" + name + ".md"
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		updated := ruleEntry.ReplaceAllFunc(page, func(entry []byte) []byte {
			m := ruleEntry.FindSubmatch(entry)
			rule, text, message := objchange.Rule(m[1]), string(m[2]), string(m[4])
			seen[rule] = true
			t.Run(string(rule), func(t *testing.T) {
				found := readExample(t, string(rule), m[3]).check(t)
				if len(found) != 1 || found[0].Rule != rule {
					t.Fatalf("the example must break only its rule, but got %v", found)
				}
				if got := found[0].Error() + "\n"; *update {
					entry = bytes.Replace(entry, []byte("```text\n"+message), []byte("```text\n"+got), 1)
				} else if diff := cmp.Diff(message, got); diff != "" {
					t.Errorf("message (-document +got):\n%s", diff)
				}
				checkEnforced(t, text, found[0].Severity == objchange.Rejected)
			})
			return entry
		})
		if *update {
			if err := os.WriteFile(file, updated, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, rule := range LibraryRules() {
		if !seen[rule] {
			t.Errorf("%s has no example", rule)
		}
	}
}

// checkEnforced checks the statement about enforcement in the document. If Core enforces a rule only
// in some places, the example may be enforced or not.
func checkEnforced(t *testing.T, text string, enforced bool) {
	t.Helper()
	switch {
	case strings.Contains(text, "Not enforced") && enforced:
		t.Error("the document says not enforced")
	case strings.Contains(text, "Enforced.") && !enforced:
		t.Error("the document says enforced")
	case !strings.Contains(strings.ToLower(text), "enforced"):
		t.Error("the document does not say whether Core enforces the rule")
	}
}

// check runs the check that the names of the values select (P-15.3).
func (e example) check(t *testing.T) objchange.Violations {
	t.Helper()
	schema, value := Compiled(e.schema), func(name string) cty.Value { return e.value(t, name) }
	switch {
	case e.has("requires_replace"):
		_, found := objchange.RequiredReplace(schema, value("prior"), value("initial_planned"), e.paths(t, "requires_replace"))
		return found
	case e.has("prior"):
		return objchange.AssertPlanValid(schema, value("prior"), value("config"), value("initial_planned"))
	case e.has("final_config"):
		return objchange.AssertConfigConsistent(schema, value("config"), value("final_config"))
	case e.has("config"):
		return objchange.AssertConfigValid(schema, value("config"))
	case e.has("initial_planned"):
		return objchange.AssertPlanConsistent(schema, value("initial_planned"), value("final_planned"))
	case e.has("final_planned"):
		return objchange.AssertApplyConsistent(schema, value("final_planned"), value("new"))
	}
	return objchange.AssertStateValid(schema, value("new"))
}

// exampleValue reads a value of the type from JSON in the format of P-15.1.
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
