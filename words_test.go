package objchange_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// The words of the tests: how schemas and values are written, and how answers are
// held to what they should be.

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

// summary writes violations as "path rule", with a "?" where they are not enforced.
func summary(vs objchange.Violations) []string {
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

// expect compares violations with lines as summary writes them.
func expect(t *testing.T, got objchange.Violations, want ...string) {
	t.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, summary(got)); diff != "" {
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

// expectRefusal expects the one violation as the error of a function, and no value.
func expectRefusal(t *testing.T, got cty.Value, err error, rule objchange.Rule, place string) {
	t.Helper()
	expectRefused(t, answerOf(got, err), place+" "+string(rule))
}

// blockModes are the nesting modes of blocks; nested attributes have all but group.
var (
	blockModes     = []objchange.NestingMode{objchange.NestingSingle, objchange.NestingGroup, objchange.NestingList, objchange.NestingSet, objchange.NestingMap}
	attributeModes = []objchange.NestingMode{objchange.NestingSingle, objchange.NestingList, objchange.NestingSet, objchange.NestingMap}
)

// Most tests are about objects with an id that the provider chooses and a name
// that the user may.
var (
	itemAttrs   = attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional")}
	itemType    = cty.Object(map[string]cty.Type{"id": cty.String, "name": cty.String})
	noItem      = cty.NullVal(itemType)
	unknownItem = cty.UnknownVal(itemType)
)

func item(id, name cty.Value) cty.Value { return object(obj{"id": id, "name": name}) }

// dynAttrs have a name that may be of any type, too.
var (
	dynAttrs   = attrs{"id": attr(cty.String, "computed"), "name": attr(cty.DynamicPseudoType, "optional")}
	dynType    = cty.Object(map[string]cty.Type{"id": cty.String, "name": cty.DynamicPseudoType})
	noDynamic  = cty.NullVal(cty.DynamicPseudoType)
	emptyItems = cty.ListValEmpty(itemType)
)

// schemaOf and schemaOfBlock make a schema of one thing, named v.
func schemaOf(a *objchange.Attribute) *objchange.Block {
	return &objchange.Block{Attributes: attrs{"v": a}}
}

func schemaOfBlock(nb *objchange.NestedBlock) *objchange.Block {
	return &objchange.Block{BlockTypes: blocks{"v": nb}}
}

// heldIn makes a value in the nesting mode that holds one object.
func heldIn(mode objchange.NestingMode, v cty.Value) cty.Value {
	switch mode {
	case objchange.NestingList:
		return list(v)
	case objchange.NestingSet:
		return set(v)
	case objchange.NestingMap:
		return mapOf(obj{"k": v})
	}
	return v
}

// typeHeldIn returns the type of values in the nesting mode.
func typeHeldIn(mode objchange.NestingMode, ty cty.Type) cty.Type {
	return heldIn(mode, cty.UnknownVal(ty)).Type()
}

// objectOf makes a value of such a schema, from that of v, and nullOf the null of v.
func objectOf(v cty.Value) cty.Value { return object(obj{"v": v}) }

func nullOf(schema *objchange.Block) cty.Value {
	return cty.NullVal(schema.ImpliedType().AttributeType("v"))
}

// wrong is what summary should write.
func wrong(lines ...string) []string { return lines }

// secretAttrs are a write-only attribute and one beside it.
var (
	secretAttrs   = attrs{"wo": attr(cty.String, "optional writeonly"), "name": attr(cty.String, "optional")}
	secretType    = cty.Object(map[string]cty.Type{"wo": cty.String, "name": cty.String})
	unknownSecret = cty.UnknownVal(secretType)
)

func secret(wo, name cty.Value) cty.Value { return object(obj{"wo": wo, "name": name}) }

// pathToV leads to v.
var pathToV = cty.GetAttrPath("v")

func paths(ps ...cty.Path) []cty.Path { return ps }

// Attributes that most tests have no more to say of.
var (
	leafAttr     = attr(cty.String, "optional")
	computedLeaf = attr(cty.String, "computed")
	dynamicLeaf  = attr(cty.DynamicPseudoType, "optional")
	writeLeaf    = attr(cty.String, "optional writeonly")
)

// bounded sets a block type's MinItems and MaxItems.
func bounded(nb *objchange.NestedBlock, low, high int) *objchange.NestedBlock {
	nb.MinItems, nb.MaxItems = low, high
	return nb
}

// expectRefused expects one violation, and no value.
func expectRefused(t *testing.T, a answer, line string) {
	t.Helper()
	expect(t, a.found, line)
	if a.value != cty.NilVal {
		t.Errorf("a value besides the error: %#v", a.value)
	}
}
