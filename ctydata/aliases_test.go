package ctydata_test

import "github.com/objchange/objchange/internal/testcty"

// Short names for the helpers of package testcty.

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

// canary is a secret that no message may show.
const canary = "CANARY"
