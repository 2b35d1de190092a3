package spectest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
)

func TestMarksChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		marked := rolling(func(d die) generate.World {
			return generate.World{Schema: w.Schema, Prior: d.marked(w.Prior), Config: d.marked(w.Config), Planned: d.marked(w.Planned)}
		}).Draw(t, "marked")
		for _, f := range functions {
			want := f.ask(w.Schema, w.Prior, w.Config, w.Planned)
			got := f.ask(w.Schema, marked.Prior, marked.Config, marked.Planned)
			if want.value != cty.NilVal && got.value != cty.NilVal {
				mustEqual(t, f.name, unmarked(got.value), want.value)
			}
			plain, found := verdictOf(want.found).said(), verdictOf(got.found).said()
			if f.name == "AssertPlanConsistent" || f.name == "AssertApplyConsistent" {
				plain = gathered(marked, want.found)
			}
			if diff := cmp.Diff(plain, found); diff != "" || !slices.Equal(want.places, got.places) {
				t.Errorf("%s (-plain +marked):\n%s", f.name, diff)
			}
		}
	})
}

// gathered returns the expected findings of a consistency check of marked values. If either value of
// an attribute of a block contains marks, all its violations become one.
func gathered(w generate.World, vs objchange.Violations) []string {
	v := &verdict{}
	for _, violation := range vs {
		single := objchange.Violations{violation}
		at := attributePath(w.Schema, violation.Path)
		if at != nil && strings.HasPrefix(string(violation.Rule), "inconsistent-") &&
			(lookUp(w.Config, at).ContainsMarked() || lookUp(w.Planned, at).ContainsMarked()) {
			single = objchange.Violations{{Rule: objchange.RuleInconsistentSensitive, Path: at, Enforced: true}}
		}
		v.lines = append(v.lines, verdictOf(single).lines...)
	}
	return v.said()
}

// attributePath returns the shortest prefix of the path that is the path of an attribute. It returns
// nil for the path of a block.
func attributePath(schema *configschema.Block, path cty.Path) cty.Path {
	for i := range path {
		if schema.AttributeByPath(path[:i+1]) != nil {
			return path[:i+1]
		}
	}
	return nil
}

// TestProposalKeepsMarks checks that a value in the proposal keeps its own marks and the marks of the
// values that contain it.
func TestProposalKeepsMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		everywhere := func(v cty.Value, mark string) cty.Value {
			return transform(v, func(v cty.Value) cty.Value { return v.Mark(mark) })
		}
		proposed, err := objchange.ProposedNew(compiled(w.Schema), everywhere(w.Prior, "prior"), everywhere(w.Config, "config"))
		if err != nil {
			return // TestEveryMadeValueConforms checks the error
		}
		eachPlace(w.Config, nil, func(path cty.Path, c cty.Value) {
			if got := lookUp(proposed, path); !c.IsNull() && (got == cty.NilVal || !got.HasMark("config")) {
				t.Errorf("%s: proposed %#v without the configuration's mark", written(path), got)
			}
		})
		eachOutsideSets(proposed, func(path cty.Path, got cty.Value) {
			bare, marks := got.Unmark()
			if hollow(bare) {
				return
			}
			for mark, from := range map[string]cty.Value{"prior": w.Prior, "config": w.Config} {
				_, has := marks[mark]
				if v := lookUp(from, path); has && (v == cty.NilVal || v.IsKnown() && !v.RawEquals(unmarked(bare))) {
					t.Errorf("%s: proposed %#v, of which the %s value knows nothing", written(path), got, mark)
				}
			}
			if len(marks) == 0 && reaches(w.Config, path) {
				t.Errorf("%s: proposed %#v without a mark", written(path), got)
			}
		})
	})
}

// eachPlace visits a value and all its parts. It skips the elements of sets.
func eachPlace(v cty.Value, path cty.Path, visit func(cty.Path, cty.Value)) {
	visit(path, v)
	if v.Type().IsSetType() {
		return
	}
	for _, e := range parts.ElementsOf(v) {
		eachPlace(e.Value, append(path.Copy(), e.Step), visit)
	}
}
