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
	"github.com/objchange/objchange/internal/spectest/parts"
)

// breaks returns a function that reports whether a case breaks the rule.
func breaks(rule objchange.Rule) func(*conformance.Case) bool {
	return func(c *conformance.Case) bool {
		return slices.ContainsFunc(conformance.Answer(c).Problems, func(p conformance.Problem) bool { return p.Rule == string(rule) })
	}
}

// TestShrink checks that Shrink keeps only the parts that make the case fail.
func TestShrink(t *testing.T) {
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

// TestShrinkComputed checks that Shrink derives the proposed value anew for each smaller case.
func TestShrinkComputed(t *testing.T) {
	plansConfig := func(c *conformance.Case) bool {
		return c.Compare(conformance.ValueOutcome(c.In["config"])).Verdict == conformance.VerdictValue
	}
	shrunk := 0
	for c := range generated(5, 30) {
		if c.Op != conformance.OpComputed || !plansConfig(c) {
			continue
		}
		shrunk++
		small := shrink(c, plansConfig)
		if n := len(small.Schema.Block.Attributes) + len(small.Schema.Block.BlockTypes); n > 1 {
			t.Errorf("%s is not small enough:\n%s", c.Name(), strings.Join(shown(t, small), "\n"))
		}
	}
	if shrunk < 3 {
		t.Errorf("only %d cases fail", shrunk)
	}
}

// TestShrinkRandom checks that random cases of any operation shrink and still fail in the same
// way.
func TestShrinkRandom(t *testing.T) {
	shrunk := map[objchange.Rule]int{}
	for c := range generated(3, 20) {
		problems := conformance.Answer(c).Problems
		if !c.Op.Checks() || len(problems) == 0 || shrunk[objchange.Rule(problems[0].Rule)] == 1 {
			continue
		}
		rule := objchange.Rule(problems[0].Rule)
		shrunk[rule]++
		small := shrink(c, breaks(rule))
		if !breaks(rule)(small) {
			t.Errorf("%s: the smaller case does not break %s", c.Name(), rule)
		}
		size := len(parts.RootOf(small.Schema.Block).Attributes) + len(parts.RootOf(small.Schema.Block).BlockTypes)
		for _, v := range small.In {
			size = max(size, len(parts.All(v))-5)
		}
		if size > 1 {
			t.Errorf("%s: %s is not small enough:\n%s", c.Name(), rule, strings.Join(shown(t, small), "\n"))
		}
	}
	if len(shrunk) < 7 {
		t.Errorf("only %d rules were broken", len(shrunk))
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
