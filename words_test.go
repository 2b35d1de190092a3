package objchange_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/testcty"
)

// The words of the tests: how schemas and values are written, and how answers are
// held to what they should be.

type (
	attrs  = testcty.Attrs
	blocks = testcty.Blocks
	obj    = testcty.Obj
)

var (
	attr           = testcty.Attr
	nested         = testcty.Nested
	block          = testcty.Block
	computed       = testcty.Computed
	object         = testcty.Object
	list           = testcty.List
	set            = testcty.Set
	tuple          = testcty.Tuple
	mapOf          = testcty.MapOf
	str            = testcty.Str
	num            = testcty.Num
	noStr          = testcty.NoStr
	noNum          = testcty.NoNum
	unknownStr     = testcty.UnknownStr
	unknownNum     = testcty.UnknownNum
	blockModes     = testcty.BlockModes
	attributeModes = testcty.AttributeModes
	itemAttrs      = testcty.ItemAttrs
	itemType       = testcty.ItemType
	noItem         = testcty.NoItem
	unknownItem    = testcty.UnknownItem
	item           = testcty.Item
	dynAttrs       = testcty.DynAttrs
	dynType        = testcty.DynType
	noDynamic      = testcty.NoDynamic
	emptyItems     = testcty.EmptyItems
	schemaOf       = testcty.SchemaOf
	schemaOfBlock  = testcty.SchemaOfBlock
	heldIn         = testcty.HeldIn
	typeHeldIn     = testcty.TypeHeldIn
	objectOf       = testcty.ObjectOf
	nullOf         = testcty.NullOf
	secretAttrs    = testcty.SecretAttrs
	secretType     = testcty.SecretType
	unknownSecret  = testcty.UnknownSecret
	secret         = testcty.Secret
	pathToV        = testcty.PathToV
	leafAttr       = testcty.LeafAttr
	computedLeaf   = testcty.ComputedLeaf
	dynamicLeaf    = testcty.DynamicLeaf
	writeLeaf      = testcty.WriteLeaf
	bounded        = testcty.Bounded
	expectValue    = testcty.ExpectValue
	levels         = testcty.Levels
	nestedLevels   = testcty.NestedLevels
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

// expectRefusal expects the one violation as the error of a function, and no value.
func expectRefusal(t *testing.T, got cty.Value, err error, rule objchange.Rule, place string) {
	t.Helper()
	expectRefused(t, answerOf(got, err), place+" "+string(rule))
}

// wrong is what summary should write.
func wrong(lines ...string) []string { return lines }

func paths(ps ...cty.Path) []cty.Path { return ps }

// expectRefused expects one violation, and no value.
func expectRefused(t *testing.T, a answer, line string) {
	t.Helper()
	expect(t, a.found, line)
	if a.value != cty.NilVal {
		t.Errorf("a value besides the error: %#v", a.value)
	}
}

// compiled compiles a schema that has a meaning; nil stays nil.
func compiled(block *configschema.Block) *objchange.Schema {
	if block == nil {
		return nil
	}
	schema, err := objchange.Compile(block)
	if err != nil {
		panic(err)
	}
	return schema
}
