package configschema_test

import (
	"github.com/objchange/objchange/internal/testcty"
)

// Short names for the helpers of package testcty.

type (
	attrs  = testcty.Attrs
	blocks = testcty.Blocks
	obj    = testcty.Obj
)

var (
	attr          = testcty.Attr
	block         = testcty.Block
	blockModes    = testcty.BlockModes
	bounded       = testcty.Bounded
	computed      = testcty.Computed
	computedLeaf  = testcty.ComputedLeaf
	dynAttrs      = testcty.DynAttrs
	dynType       = testcty.DynType
	dynamicLeaf   = testcty.DynamicLeaf
	emptyItems    = testcty.EmptyItems
	expectValue   = testcty.ExpectValue
	item          = testcty.Item
	itemAttrs     = testcty.ItemAttrs
	itemType      = testcty.ItemType
	leafAttr      = testcty.LeafAttr
	levels        = testcty.Levels
	nested        = testcty.Nested
	nestedLevels  = testcty.NestedLevels
	noDynamic     = testcty.NoDynamic
	noItem        = testcty.NoItem
	noStr         = testcty.NoStr
	object        = testcty.Object
	schemaOf      = testcty.SchemaOf
	schemaOfBlock = testcty.SchemaOfBlock
	str           = testcty.Str
	writeLeaf     = testcty.WriteLeaf
)
