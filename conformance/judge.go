package conformance

import (
	"fmt"
	"maps"
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A Verdict is what is to be said of an answer.
type Verdict string

// The verdicts. Of malformed, crashed and silent ones there is no outcome to judge, so that
// whoever asks gives them.
const (
	VerdictSame        Verdict = "same"        // right
	VerdictValue       Verdict = "value"       // another value
	VerdictAcceptance  Verdict = "verdict"     // accepted where rejected is right, or the reverse; no value where there is one
	VerdictNaming      Verdict = "naming"      // rejected, but with another rule or path
	VerdictMalformed   Verdict = "malformed"   // no answer
	VerdictCrashed     Verdict = "crashed"     // ended instead
	VerdictSilent      Verdict = "silent"      // no answer in time
	VerdictUnsupported Verdict = "unsupported" // not done by it; not counted
)

// A Judgement is a verdict, and what led to it.
type Judgement struct {
	Verdict Verdict
	Want    Outcome   // what is right; of OpComputed the problems of the plan
	Missing []Problem // what is recorded and not answered
	Surplus []Problem // what is answered and not recorded
}

// Right returns the outcome that an answer is held to: that of the specification where
// it asks for another one than Terraform's, else Terraform's. Without either it is
// what the package objchange answers.
func (c *Case) Right() Outcome {
	for _, who := range []string{"spec", "terraform"} {
		if o, ok := c.Want[who]; ok {
			return o
		}
	}
	return Ask(c)
}

// Judge holds an answer to what is right.
func (c *Case) Judge(got Outcome) Judgement {
	if got.Kind == KindUnsupported {
		return Judgement{Verdict: VerdictUnsupported}
	}
	if c.Op == OpComputed {
		return c.judgePlan(got)
	}
	want := c.Right()
	j := Judgement{Verdict: VerdictSame, Want: want}
	switch {
	case want.Kind == KindPanic || want.Kind == KindSkip:
	case want.Kind != got.Kind:
		j.Verdict = VerdictAcceptance
	case want.Kind == KindValue:
		if !want.Value.RawEquals(got.Value) {
			j.Verdict = VerdictValue
		}
	default:
		c.compare(&j, got)
	}
	return j
}

// judgePlan holds a plan to the rules of plans.
func (c *Case) judgePlan(got Outcome) Judgement {
	if got.Kind != KindValue {
		return Judgement{Verdict: VerdictAcceptance, Want: Ask(c)}
	}
	schema, err := objchange.Compile(c.Schema.Block)
	if err != nil {
		return Judgement{Verdict: VerdictAcceptance, Want: Ask(c)}
	}
	broken := found(objchange.AssertPlanValid(schema, c.In["prior"], c.In["config"], got.Value))
	if len(broken.Problems) > 0 {
		return Judgement{Verdict: VerdictValue, Want: broken, Missing: broken.Problems}
	}
	return Judgement{Verdict: VerdictSame, Want: broken}
}

// compare holds problems to the recorded ones.
func (c *Case) compare(j *Judgement, got Outcome) {
	key := keyOf(got.Problems, j.Want.Problems)
	j.Missing = except(j.Want.Problems, got.Problems, key)
	j.Surplus = except(got.Problems, j.Want.Problems, key)
	switch {
	case (len(j.Want.Problems) == 0) != (len(got.Problems) == 0):
		j.Verdict = VerdictAcceptance
	case hasComputedBlock(c.Schema.Block): // Core loses the paths, and stops at the first
	case c.Op == OpApply && len(j.Missing) == 0: // Core stops at the first kind of problem
	case len(j.Missing)+len(j.Surplus) > 0:
		j.Verdict = VerdictNaming
		return
	}
	if j.Verdict == VerdictSame {
		j.Missing, j.Surplus = nil, nil
	}
}

// keyOf returns what is compared of problems: the paths unless on one of the sides none has
// any, and likewise the rules.
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

// hasComputedBlock reports whether there is a computed block type, at any depth.
func hasComputedBlock(b *configschema.Block) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(b.BlockTypes)), func(nb *configschema.NestedBlock) bool {
		return nb.Computed || hasComputedBlock(&nb.Block)
	})
}
