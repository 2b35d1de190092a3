package objchange_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// Short words to write schemas and values in the tests.

type (
	attrs  = map[string]*objchange.Attribute
	blocks = map[string]*objchange.NestedBlock
	obj    = map[string]cty.Value
)

// attr makes an attribute with flags such as "optional computed sensitive".
func attr(ty cty.Type, flags string) *objchange.Attribute {
	a := &objchange.Attribute{Type: ty}
	setFlags(a, flags)
	return a
}

// nested makes a nested attribute.
func nested(mode objchange.NestingMode, flags string, inner attrs) *objchange.Attribute {
	a := &objchange.Attribute{NestedType: &objchange.Object{Nesting: mode, Attributes: inner}}
	setFlags(a, flags)
	return a
}

func setFlags(a *objchange.Attribute, flags string) {
	for _, flag := range strings.Fields(flags) {
		switch flag {
		case "required":
			a.Required = true
		case "optional":
			a.Optional = true
		case "computed":
			a.Computed = true
		case "sensitive":
			a.Sensitive = true
		case "writeonly":
			a.WriteOnly = true
		default:
			panic("unknown flag " + flag)
		}
	}
}

// block makes a nested block type, with blocks in it if inner has them.
func block(mode objchange.NestingMode, inner attrs, more ...blocks) *objchange.NestedBlock {
	nb := &objchange.NestedBlock{Nesting: mode, Block: objchange.Block{Attributes: inner}}
	for _, m := range more {
		nb.BlockTypes = m
	}
	return nb
}

// computed makes the block type a computed one.
func computed(nb *objchange.NestedBlock) *objchange.NestedBlock {
	nb.Computed = true
	return nb
}

// object, list, set, tuple and mapOf make values; str and num the leaves.
func object(parts obj) cty.Value         { return cty.ObjectVal(parts) }
func list(elems ...cty.Value) cty.Value  { return cty.ListVal(elems) }
func set(elems ...cty.Value) cty.Value   { return cty.SetVal(elems) }
func tuple(elems ...cty.Value) cty.Value { return cty.TupleVal(elems) }
func mapOf(parts obj) cty.Value          { return cty.MapVal(parts) }
func str(s string) cty.Value             { return cty.StringVal(s) }
func num(i int64) cty.Value              { return cty.NumberIntVal(i) }

var (
	noStr      = cty.NullVal(cty.String)
	noNum      = cty.NullVal(cty.Number)
	unknownStr = cty.UnknownVal(cty.String)
	unknownNum = cty.UnknownVal(cty.Number)
)

// brief writes violations as "path rule", with a "?" where they are not enforced.
func brief(vs objchange.Violations) []string {
	lines := []string{}
	for _, v := range vs {
		line := v.PathString() + " " + string(v.Rule)
		if !v.Enforced {
			line += "?"
		}
		lines = append(lines, line)
	}
	return lines
}

// expect compares violations with lines as brief writes them.
func expect(t *testing.T, got objchange.Violations, want ...string) {
	t.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, brief(got)); diff != "" {
		t.Errorf("violations (-want +got):\n%s%v", diff, got.Err())
	}
}

// expectValue compares values, refinements and marks included.
func expectValue(t *testing.T, got cty.Value, err error, want cty.Value) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if !want.RawEquals(got) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}
