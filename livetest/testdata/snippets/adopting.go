// Package snippet is what the Go in docs/adopting.md presumes.
package snippet

import (
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

var (
	proposer               *tfconv.Proposer
	prior, config, planned cty.Value
)

var _ = objchange.AssertPlanValid
