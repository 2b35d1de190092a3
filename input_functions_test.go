package objchange_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
)

// A function of the package that takes a schema and values, among those of a
// prior, a configured and a planned one.
type function struct {
	name  string
	takes []int // which of the three
	call  func(schema *objchange.Block, v []cty.Value) answer
}

// The places of the values.
const (
	thePrior = iota
	theConfig
	thePlanned
)

var functions = []function{
	{"ProposedNew", []int{thePrior, theConfig}, func(s *objchange.Block, v []cty.Value) answer {
		return answerOf(objchange.ProposedNew(s, v[0], v[1]))
	}},
	{"PlannedDataResource", []int{theConfig}, func(s *objchange.Block, v []cty.Value) answer {
		return answerOf(objchange.PlannedDataResource(s, v[0]))
	}},
	{"PlanComputed", []int{theConfig}, func(s *objchange.Block, v []cty.Value) answer {
		return answerOf(objchange.PlanComputed(s, v[0]))
	}},
	{"PrepareComputedBlocks", []int{theConfig}, func(s *objchange.Block, v []cty.Value) answer {
		return answerOf(objchange.PrepareComputedBlocks(s, v[0]))
	}},
	{"NormalizeLegacySDK", []int{thePlanned}, func(s *objchange.Block, v []cty.Value) answer {
		return answerOf(objchange.NormalizeLegacySDK(s, v[0]))
	}},
	{"IgnoreChanges", []int{thePrior, theConfig}, func(s *objchange.Block, v []cty.Value) answer {
		return answerOf(objchange.IgnoreChanges(s, v[0], v[1], somePaths(v...)))
	}},
	{"IgnoreAllChanges", []int{thePrior}, func(s *objchange.Block, v []cty.Value) answer {
		return answerOf(objchange.IgnoreAllChanges(s, v[0]))
	}},
	{"PartialState", []int{thePrior, theConfig, thePlanned}, func(s *objchange.Block, v []cty.Value) answer {
		state, tainted, err := objchange.PartialState(s, v[0], v[1], v[2])
		a := answerOf(state, err)
		a.texts = append(a.texts, fmt.Sprint(tainted))
		return a
	}},
	{"AssertConfigValid", []int{theConfig}, func(s *objchange.Block, v []cty.Value) answer {
		return answer{found: objchange.AssertConfigValid(s, v[0])}
	}},
	{"AssertConfigConsistent", []int{theConfig, thePlanned}, func(s *objchange.Block, v []cty.Value) answer {
		return answer{found: objchange.AssertConfigConsistent(s, v[0], v[1])}
	}},
	{"AssertPlanValid", []int{thePrior, theConfig, thePlanned}, func(s *objchange.Block, v []cty.Value) answer {
		return answer{found: objchange.AssertPlanValid(s, v[0], v[1], v[2])}
	}},
	{"AssertPlanConsistent", []int{theConfig, thePlanned}, func(s *objchange.Block, v []cty.Value) answer {
		return answer{found: objchange.AssertPlanConsistent(s, v[0], v[1])}
	}},
	{"AssertApplyConsistent", []int{theConfig, thePlanned}, func(s *objchange.Block, v []cty.Value) answer {
		return answer{found: objchange.AssertApplyConsistent(s, v[0], v[1])}
	}},
	{"AssertStateValid", []int{thePlanned}, func(s *objchange.Block, v []cty.Value) answer {
		return answer{found: objchange.AssertStateValid(s, v[0])}
	}},
	{"Lifecycle.Check", []int{thePrior, theConfig, thePlanned}, func(s *objchange.Block, v []cty.Value) answer {
		return answer{found: objchange.Lifecycle{
			Schema: s, Upgraded: v[0], Imported: v[0], Prior: v[0], Config: v[1], InitialPlanned: v[2],
			FinalConfig: v[1], FinalPlanned: v[2], New: v[2],
		}.Check()}
	}},
	{"PlanAction", []int{thePrior, thePlanned}, func(_ *objchange.Block, v []cty.Value) answer {
		return answer{texts: []string{string(objchange.PlanAction(v[0], v[1], false)), string(objchange.PlanAction(v[0], v[1], true))}}
	}},
	{"RequiredReplace", []int{thePrior, thePlanned}, func(s *objchange.Block, v []cty.Value) answer {
		required, found := objchange.RequiredReplace(s, v[0], v[1], somePaths(v...))
		a := answer{found: found}
		for _, path := range required {
			a.places = append(a.places, written(path))
		}
		return a
	}},
	{"Diff", []int{thePrior, thePlanned}, func(s *objchange.Block, v []cty.Value) answer {
		changes, err := objchange.Diff(s, v[0], v[1])
		a := answerOf(valueOf(changes), err)
		for _, c := range changes {
			a.texts = append(a.texts, c.String(), c.PathString())
		}
		return a
	}},
}

// An answer is what one function said.
type answer struct {
	value  cty.Value            // of functions that make values
	found  objchange.Violations // of those that judge, or the error
	texts  []string             // what else there is to read
	places []string             // paths, with nothing redacted
}

func answerOf(v cty.Value, err error) answer {
	a := answer{value: v}
	if violation := (*objchange.Violation)(nil); errors.As(err, &violation) {
		a.found = objchange.Violations{violation}
	} else if err != nil {
		a.texts = []string{"not a violation: " + err.Error()}
	}
	return a
}

// valueOf writes changes down as a value.
func valueOf(changes []objchange.Change) cty.Value {
	lines := []cty.Value{}
	for _, c := range changes {
		lines = append(lines, tuple(str(written(c.Path)), str(string(c.Kind)), c.Before, c.After))
	}
	return tuple(lines...)
}

// somePaths returns a few paths of the values, as a user may name them.
func somePaths(values ...cty.Value) (paths []cty.Path) {
	for _, v := range values {
		for _, e := range triedElements(v) {
			paths = append(paths, cty.Path{e.step})
			if inner, _ := e.value.Unmark(); !inner.IsNull() && inner.IsKnown() && inner.CanIterateElements() && inner.LengthInt() < 3 {
				for _, i := range triedElements(inner) {
					paths = append(paths, cty.Path{e.step, i.step})
				}
			}
		}
	}
	return paths
}

// triedElements is elementsOf, or nothing for a set whose elements panic when
// they are compared.
func triedElements(v cty.Value) []entry {
	return attempt(func() []entry { return elementsOf(v) }, nil)
}

// ask calls the function with those of the three values that it takes.
func (f function) ask(schema *objchange.Block, values ...cty.Value) answer {
	return f.call(schema, f.choose(values))
}

func (f function) choose(values []cty.Value) (taken []cty.Value) {
	for _, i := range f.takes {
		taken = append(taken, values[i])
	}
	return taken
}

// said is all text of an answer: violations as JSON, messages and paths.
func (a answer) said() string {
	text, err := json.Marshal(a.found)
	if err != nil {
		return err.Error()
	}
	for _, v := range a.found {
		text = fmt.Appendf(text, "\n%s %s %s", v.Error(), v.Message, v.PathString())
	}
	return string(text) + "\n" + fmt.Sprint(a.texts)
}

// equalAnswers fails where two answers differ in anything, order and the paths
// themselves included.
func equalAnswers(t rapid.TB, what string, want, got answer) {
	t.Helper()
	if (want.value == cty.NilVal) != (got.value == cty.NilVal) || want.value != cty.NilVal && !want.value.RawEquals(got.value) {
		t.Errorf("%s\n got %#v\nwant %#v", what, got.value, want.value)
	}
	if diff := cmp.Diff(want.said(), got.said()); diff != "" {
		t.Errorf("%s\n%s", what, diff)
	} else if !slices.EqualFunc(want.found, got.found, samePath) || !slices.Equal(want.places, got.places) {
		t.Errorf("%s: other paths", what)
	}
}

func samePath(a, b *objchange.Violation) bool { return slices.EqualFunc(a.Path, b.Path, sameStep) }
