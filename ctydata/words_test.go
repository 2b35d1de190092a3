package ctydata_test

import "github.com/objchange/objchange/internal/testcty"

// The words of the tests: how schemas and values are written.

type (
	attrs  = testcty.Attrs
	blocks = testcty.Blocks
)

var (
	attr       = testcty.Attr
	blockModes = testcty.BlockModes
	schemaOf   = testcty.SchemaOf
	str        = testcty.Str
	tuple      = testcty.Tuple
)

// canary is what no message may show.
const canary = "CANARY"
