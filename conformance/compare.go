package conformance

import (
	"fmt"
	"maps"
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A Verdict is the result of comparing an answer with the right outcome.
type Verdict string

// The verdicts. [Case.Compare] never returns malformed, crashed and silent, because these answers
// have no outcome. The caller that runs the adapter sets them.
const (
	VerdictSame        Verdict = "same"        // right
	VerdictValue       Verdict = "value"       // a wrong value
	VerdictAcceptance  Verdict = "acceptance"  // accepted, not rejected, or the reverse; problems, not a value
	VerdictNaming      Verdict = "naming"      // rejected, but with other rules or paths
	VerdictMalformed   Verdict = "malformed"   // not a valid answer
	VerdictCrashed     Verdict = "crashed"     // the adapter ended without an answer
	VerdictSilent      Verdict = "silent"      // no answer before the timeout
	VerdictUnsupported Verdict = "unsupported" // not implemented; not counted in the score
)

// A Comparison is a verdict and its reasons.
type Comparison struct {
	Verdict Verdict
	Want    Outcome   // the right outcome; for OpComputed, the problems of the plan
	Missing []Problem // problems that are recorded but not in the answer
	Surplus []Problem // problems that are in the answer but not recorded
}

// Expected returns the right outcome of the case. It is the outcome "spec", which is present if
// the specification differs from Terraform, or else the outcome "terraform". If neither is
// recorded, it is the outcome of the package objchange.
func (c *Case) Expected() Outcome {
	for _, who := range []string{"spec", "terraform"} {
		if o, ok := c.Want[who]; ok {
			return o
		}
	}
	return Answer(c)
}

// Compare compares an outcome with the right outcome.
func (c *Case) Compare(got Outcome) Comparison {
	if got.Kind == KindUnsupported {
		return Comparison{Verdict: VerdictUnsupported}
	}
	if c.Op == OpComputed {
		return c.comparePlan(got)
	}
	want := c.Expected()
	result := Comparison{Verdict: VerdictSame, Want: want}
	switch {
	case want.Kind == KindPanic || want.Kind == KindSkip:
	case want.Kind != got.Kind:
		result.Verdict = VerdictAcceptance
	case want.Kind == KindValue:
		if !want.Value.RawEquals(got.Value) {
			result.Verdict = VerdictValue
		}
	default:
		c.compare(&result, got)
	}
	return result
}

// comparePlan checks a plan against the rules for plans.
func (c *Case) comparePlan(got Outcome) Comparison {
	if got.Kind != KindValue {
		return Comparison{Verdict: VerdictAcceptance, Want: Answer(c)}
	}
	schema, err := objchange.Compile(c.Schema.Block)
	if err != nil {
		return Comparison{Verdict: VerdictAcceptance, Want: Answer(c)}
	}
	broken := found(objchange.AssertPlanValid(schema, c.In["prior"], c.In["config"], got.Value))
	if len(broken.Problems) > 0 {
		return Comparison{Verdict: VerdictValue, Want: broken, Missing: broken.Problems}
	}
	return Comparison{Verdict: VerdictSame, Want: broken}
}

// compare compares the problems with the recorded problems, and sets the verdict.
func (c *Case) compare(result *Comparison, got Outcome) {
	key := keyOf(got.Problems, result.Want.Problems)
	result.Missing = except(result.Want.Problems, got.Problems, key)
	result.Surplus = except(got.Problems, result.Want.Problems, key)
	switch {
	case (len(result.Want.Problems) == 0) != (len(got.Problems) == 0):
		result.Verdict = VerdictAcceptance
	case hasComputedBlock(c.Schema.Block): // Core omits the paths, and stops at the first problem
	case c.Op == OpApply && len(result.Missing) == 0: // Core stops at the first kind of problem
	case c.Op == OpPlan && len(result.Missing) == 0 && onlyWriteOnly(result.Want.Problems): // Core stops there
	case len(result.Missing)+len(result.Surplus) > 0:
		result.Verdict = VerdictNaming
		return
	}
	if result.Verdict == VerdictSame {
		result.Missing, result.Surplus = nil, nil
	}
}

// onlyWriteOnly reports whether all problems are write-only values that are not null.
func onlyWriteOnly(problems []Problem) bool {
	other := func(p Problem) bool { return p.Rule != string(objchange.RuleWriteOnlyNotNull) }
	return !slices.ContainsFunc(problems, other)
}

// keyOf returns the function that makes the comparison key of a problem. The key has the path
// if both sides have paths, and the rule if both sides have rules.
func keyOf(got, want []Problem) func(Problem) string {
	both := func(has func(Problem) bool) bool {
		return slices.ContainsFunc(got, has) && slices.ContainsFunc(want, has)
	}
	paths := both(func(p Problem) bool { return p.Path != nil })
	rules := both(func(p Problem) bool { return p.Rule != "" })
	return func(p Problem) (key string) {
		if paths && p.Path != nil {
			key = fmt.Sprintf("%q", *p.Path)
		}
		if rules {
			key += " " + p.Rule
		}
		return key
	}
}

// except returns the problems that are not among the others.
func except(problems, others []Problem, key func(Problem) string) (rest []Problem) {
	has := map[string]bool{}
	for _, p := range others {
		has[key(p)] = true
	}
	for _, p := range problems {
		if !has[key(p)] {
			rest = append(rest, p)
		}
	}
	return rest
}

// hasComputedBlock reports whether the block has a computed block type, at any depth.
func hasComputedBlock(b *configschema.Block) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(b.BlockTypes)), func(nb *configschema.NestedBlock) bool {
		return nb.Computed || hasComputedBlock(&nb.Block)
	})
}
