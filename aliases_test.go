package objchange_test

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/testcty"
)

// Short names for the helpers of package testcty.

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
	noDynamic      = testcty.NoDynamic
	emptyItems     = testcty.EmptyItems
	schemaOf       = testcty.SchemaOf
	schemaOfBlock  = testcty.SchemaOfBlock
	wrapIn         = testcty.WrapIn
	wrapTypeIn     = testcty.WrapTypeIn
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
	levels         = testcty.Levels
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
	expectRefusal  = testcty.ExpectRefusal
	expectValue    = testcty.ExpectValue
	tableLines     = testcty.TableLines
)

// wrong returns the expected lines of summary.
func wrong(lines ...string) []string { return lines }

func paths(ps ...cty.Path) []cty.Path { return ps }
