package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// TestConsistentSetElementNamed checks specification.md#113-sets: the message names the
// first element of the earlier set without a partner, or else of the later set.
func TestConsistentSetElementNamed(t *testing.T) {
	schemas := map[string]*configschema.Block{
		"block":             SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs)),
		"nested attribute":  SchemaOf(Nested(configschema.NestingSet, "optional", ItemAttrs)),
		"set of objects":    SchemaOf(Attr(cty.Set(ItemType), "optional")),
		"in a list of sets": SchemaOf(Attr(cty.List(cty.Set(ItemType)), "optional")),
	}
	a, b, c, d := Item(NoStr, Str("a")), Item(NoStr, Str("b")), Item(NoStr, Str("c")), Item(NoStr, Str("d"))
	tests := []struct {
		name     string
		was, now cty.Value
		named    string
	}{
		{"two missing", Set(a, b, c), Set(a), `the planned element {id = null, name = "b"} is missing`},
		{"one missing, one new", Set(a, c), Set(a, b), `the planned element {id = null, name = "c"} is missing; the closest returned element has name = "b"`},
		{"two new", Set(a), Set(a, d, c), `got an element that was not planned: {id = null, name = "c"}`},
	}
	for kind, schema := range schemas {
		for _, test := range tests {
			t.Run(kind+" "+test.name, func(t *testing.T) {
				was, now := test.was, test.now
				if kind == "in a list of sets" {
					was, now = List(was), List(now)
				}
				for _, v := range objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(was), ObjectOf(now)) {
					if v.Rule == objchange.RuleInconsistentSetElement {
						if v.Message != test.named || !v.Enforced {
							t.Errorf("got %s, want %q", v, test.named)
						}
						return
					}
				}
				t.Error("no inconsistent-set-element")
			})
		}
	}
}
