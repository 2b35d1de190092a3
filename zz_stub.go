package objchange

import "github.com/zclconf/go-cty/cty"

func AssertPlanValid(schema *Block, prior, config, planned cty.Value) Violations  { return nil }
func AssertPlanConsistent(schema *Block, initial, final cty.Value) Violations     { return nil }
func AssertApplyConsistent(schema *Block, planned, applied cty.Value) Violations { return nil }
func AssertStateValid(schema *Block, state cty.Value) Violations { return nil }
