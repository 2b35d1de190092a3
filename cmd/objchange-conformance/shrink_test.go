package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/conformance"
)

// breaks returns a function that reports whether a case breaks the rule.
func breaks(rule objchange.Rule) func(*conformance.Case) bool {
	return func(c *conformance.Case) bool {
		return slices.ContainsFunc(conformance.Answer(c).Problems, func(p conformance.Problem) bool { return p.Rule == string(rule) })
	}
}

// TestShrinkKeepsOnlyWhatFails checks that Shrink keeps only the parts that make the case fail.
func TestShrinkKeepsOnlyWhatFails(t *testing.T) {
	const text = `{"schema_name": "server", "block": {
			"attributes": {"name": {"type": "string", "required": true}, "tags": {"type": ["map", "string"], "optional": true}, "token": {"type": "string", "computed": true, "sensitive": true}},
			"block_types": {
				"disk": {"nesting_mode": "list", "max_items": 4, "block": {"attributes": {"device": {"type": "string", "computed": true, "optional": true}, "size": {"type": "number", "optional": true}}}},
				"rule": {"nesting_mode": "set", "block": {"attributes": {"port": {"type": "number", "optional": true}}}}}}}
		{"id": "server/0", "op": "replan", "schema": "server", "in": {
			"initial": {"name": "web", "tags": {"a": "b"}, "token": null, "disk": [{"device": "sda", "size": 1}, {"device": "sdb", "size": 20}], "rule": [{"port": 80}]},
			"final": {"name": "web", "tags": {"a": "b"}, "token": null, "disk": [{"device": "sda", "size": 1}, {"device": "sdb", "size": 21}], "rule": [{"port": 80}]}}}`
	c := readPlain(t, text)
	small := shrink(c, breaks("inconsistent-value"))
	want := []string{
		`{"block_types":{"disk":{"nesting_mode":"list","block":{"attributes":{"size":{"type":"number","optional":true}}}}}}`,
		`initial: {"disk":[{"size":0}]}`, `final: {"disk":[{"size":null}]}`,
	}
	if diff := cmp.Diff(want, shown(t, small)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if same := shrink(c, breaks("plan-count")); same != c {
		t.Error("a case that does not fail is changed")
	}
}

// TestShrinkRecorded checks that recorded cases of any operation shrink to one attribute or block
// type, and still fail in the same way. The proposed value is derived anew for each smaller case.
func TestShrinkRecorded(t *testing.T) {
	plansConfig := func(c *conformance.Case) bool {
		return c.Compare(conformance.ValueOutcome(c.In["config"])).Verdict == conformance.VerdictValue
	}
	shrunk := map[string]int{}
	for c, err := range conformance.Select(func(id string, _ conformance.Op) bool { return strings.HasPrefix(id, "random-20261121-12") }) {
		if err != nil {
			t.Fatal(err)
		}
		problems := conformance.Answer(c).Problems
		what, fails := string(c.Op), plansConfig
		switch {
		case c.Op.Checks() && len(problems) > 0:
			what, fails = problems[0].Rule, breaks(objchange.Rule(problems[0].Rule))
		case c.Op != conformance.OpComputed || !plansConfig(c):
			continue
		}
		if shrunk[what]++; shrunk[what] > 2 {
			continue
		}
		small := shrink(c, fails)
		if n := len(small.Schema.Block.Attributes) + len(small.Schema.Block.BlockTypes); n > 1 || !fails(small) {
			t.Errorf("%s: %s is not small enough:\n%s", c.Name(), what, strings.Join(shown(t, small), "\n"))
		}
	}
	if len(shrunk) < 8 || shrunk[string(conformance.OpComputed)] < 2 {
		t.Errorf("only %v", shrunk)
	}
}

// shown returns the schema and the values of a case.
func shown(t *testing.T, c *conformance.Case) []string {
	t.Helper()
	schema, err := json.Marshal(c.Schema.Block)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{strings.ReplaceAll(string(schema), `,"description_kind":"plain"`, "")}
	for _, name := range c.Op.Arguments() {
		value, err := jsonCodec{}.Encode(c.Schema.Block, c.In[name])
		if err != nil {
			value = fmt.Appendf(nil, "%#v", c.In[name])
		}
		lines = append(lines, name+": "+string(value))
	}
	return lines
}

// readPlain returns the only case in a text. Values are plain JSON. An indented line continues
// the line before.
func readPlain(t *testing.T, text string) *conformance.Case {
	t.Helper()
	for c, err := range conformance.Read(strings.NewReader(strings.ReplaceAll(text, "\n\t\t\t", " ")), jsonCodec{}) {
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	t.Fatal("found no case")
	return nil
}
