package configschema

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
)

// TestMarshalRefusesLargeSchemas checks that schemas and types that are small in memory,
// because they share pointers, but very large or endless as JSON are an error. Visiting all paths
// would take exponential time.
func TestMarshalRefusesLargeSchemas(t *testing.T) {
	var block Block
	for range 40 {
		nb := &NestedBlock{Block: block, Nesting: NestingList}
		block = Block{BlockTypes: map[string]*NestedBlock{"a": nb, "b": nb}}
	}
	ty := cty.String
	for range 40 {
		ty = cty.Tuple([]cty.Type{ty, ty})
	}
	cycle := &NestedBlock{Nesting: NestingList}
	cycle.BlockTypes = map[string]*NestedBlock{"a": cycle, "b": cycle}
	nested := &Attribute{NestedType: &Object{Nesting: NestingList}}
	nested.NestedType.Attributes = map[string]*Attribute{"a": nested, "b": nested}
	for _, v := range []json.Marshaler{block, Attribute{Type: ty}, cycle, nested} {
		if _, err := v.MarshalJSON(); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("%T: the error is %v", v, err)
		}
	}
}

func TestDeepestValidSchemaHasJSON(t *testing.T) {
	block := Block{Attributes: map[string]*Attribute{"x": {Type: cty.Map(cty.List(cty.Bool))}}}
	for range maxDepth { // the deepest valid schema
		block = Block{BlockTypes: map[string]*NestedBlock{"b": {Nesting: NestingList, Block: block}}}
	}
	text, err := json.Marshal(block)
	if err != nil {
		t.Fatal(err)
	}
	var again Block
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(block, again, cmp.Comparer(cty.Type.Equals)); diff != "" {
		t.Error(diff)
	}
}

func TestJSONThatCanBeReadCanBeWrittenAtAnyDepth(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	tests := []struct{ name, head, open, inside, end, tail string }{
		{"blocks", ``, `{"block_types": {"b": {"nesting_mode": "set", "block": `, `{}`, `}}}`, ``},
		{"nested attributes", `{"attributes": {"a": `, `{"nested_type": {"nesting_mode": "set", "attributes": {"b": `, `{"type": "bool"}`, `}}}`, `}}`},
		{"list types", `{"attributes": {"a": {"type": `, `["list", `, `"bool"`, `]`, `}}}`},
		{"tuple types", `{"attributes": {"a": {"type": `, `["tuple", [`, `"bool"`, `]]`, `}}}`},
		{"object types", `{"attributes": {"a": {"type": `, `["object", {"a": `, `"bool"`, `}]`, `}}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			deepest := 0
			for depth := range 300 {
				text := test.head + strings.Repeat(test.open, depth) + test.inside + strings.Repeat(test.end, depth) + test.tail
				var block Block
				if err := json.Unmarshal([]byte(text), &block); err != nil {
					if !strings.Contains(err.Error(), "too large") {
						t.Fatalf("%d levels: %s", depth, err)
					}
					continue
				}
				deepest = depth
				if _, err := json.Marshal(block); err != nil {
					t.Fatalf("%d levels: %s", depth, err)
				}
			}
			if deepest < 64 || deepest > 256 {
				t.Errorf("the deepest schema that can be read has %d levels, want 64 to 256", deepest)
			}
		})
	}
}

func TestDeepUnknownFieldIsAnError(t *testing.T) {
	const depth = 1_000_000
	var block Block
	err := json.Unmarshal([]byte(`{"x": `+strings.Repeat("[", depth)+strings.Repeat("]", depth)+`}`), &block)
	if err == nil {
		t.Error("no error")
	}
}
