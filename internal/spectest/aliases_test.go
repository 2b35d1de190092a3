package spectest

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/testcty"
)

// This file declares short names for the helpers of package testcty.

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
	itemAttrs      = testcty.ItemAttrs
	itemType       = testcty.ItemType
	item           = testcty.Item
	dynAttrs       = testcty.DynAttrs
	noDynamic      = testcty.NoDynamic
	schemaOf       = testcty.SchemaOf
	schemaOfBlock  = testcty.SchemaOfBlock
	wrapIn         = testcty.WrapIn
	wrapTypeIn     = testcty.WrapTypeIn
	objectOf       = testcty.ObjectOf
	pathToV        = testcty.PathToV
	leafAttr       = testcty.LeafAttr
	dynamicLeaf    = testcty.DynamicLeaf
	writeLeaf      = testcty.WriteLeaf
	bounded        = testcty.Bounded
	levels         = testcty.Levels
	nestedLevels   = testcty.NestedLevels
	cyclic         = testcty.Cyclic
	boxType        = testcty.BoxType
	panicType      = testcty.PanicType
	box            = testcty.Box
	panicValue     = testcty.PanicValue
	similarSchema  = testcty.SimilarSchema
	similarElement = testcty.SimilarElement
	compiled       = testcty.Compiled
	summary        = testcty.Summary
	expect         = testcty.Expect
	expectPhases   = testcty.ExpectPhases
	expectValue    = testcty.ExpectValue
	tableLines     = testcty.TableLines
)

// expectRejected checks that the function reported the violation and returned no value.
func expectRejected(t *testing.T, a result, line string) {
	t.Helper()
	expect(t, a.found, line)
	if a.value != cty.NilVal {
		t.Errorf("got a value and an error: %#v", a.value)
	}
}

// pathList returns its arguments as a slice of paths.
func pathList(lines ...string) []string { return lines }
