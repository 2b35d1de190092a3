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
	. "github.com/objchange/objchange/internal/testcty"
)

func TestMarksDoNotChangeResults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		marked := generator(func(d decider) generate.Resource {
			return generate.Resource{Schema: r.Schema, Prior: d.marked(r.Prior), Config: d.marked(r.Config), Planned: d.marked(r.Planned)}
		}).Draw(t, "marked")
		for _, f := range functions {
			want := f.run(r.Schema, r.Prior, r.Config, r.Planned)
			got := f.run(r.Schema, marked.Prior, marked.Config, marked.Planned)
			if want.value != cty.NilVal && got.value != cty.NilVal {
				mustEqual(t, f.name, unmarked(got.value), want.value)
			}
			plain, found := findingsOf(want.found).sortedLines(), findingsOf(got.found).sortedLines()
			if f.name == "AssertPlanConsistent" || f.name == "AssertApplyConsistent" {
				plain = mergedFindings(marked, want.found)
			}
			if diff := cmp.Diff(plain, found); diff != "" || !slices.Equal(want.paths, got.paths) {
				t.Errorf("%s (-plain +marked):\n%s", f.name, diff)
			}
		}
	})
}

// mergedFindings returns the expected findings of a consistency check of marked values. If either
// value of an attribute of a block contains marks, all its violations become one.
func mergedFindings(r generate.Resource, vs objchange.Violations) []string {
	v := &findings{}
	for _, violation := range vs {
		single := objchange.Violations{violation}
		at := attributePath(r.Schema, violation.Path)
		if at != nil && strings.HasPrefix(string(violation.Rule), "inconsistent-") &&
			(lookUp(r.Config, at).ContainsMarked() || lookUp(r.Planned, at).ContainsMarked()) {
			single = objchange.Violations{{Rule: objchange.RuleInconsistentSensitive, Path: at, Severity: objchange.Rejected}}
		}
		v.lines = append(v.lines, findingsOf(single).lines...)
	}
	return v.sortedLines()
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

// TestProposalKeepsMarks checks that a value in the proposal keeps its own marks and the marks of
// the values that contain it.
func TestProposalKeepsMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		everywhere := func(v cty.Value, mark string) cty.Value {
			return transform(v, func(v cty.Value) cty.Value { return v.Mark(mark) })
		}
		proposed, err := objchange.ProposedNew(Compiled(r.Schema), everywhere(r.Prior, "prior"), everywhere(r.Config, "config"))
		if err != nil {
			return // TestEveryReturnedValueConforms checks the error
		}
		eachPlace(r.Config, nil, func(path cty.Path, c cty.Value) {
			if got := lookUp(proposed, path); !c.IsNull() && (got == cty.NilVal || !got.HasMark("config")) {
				t.Errorf("%s: proposed %#v without the configuration's mark", pathString(path), got)
			}
		})
		eachOutsideSets(proposed, func(path cty.Path, got cty.Value) {
			bare, marks := got.Unmark()
			if nullOrEmpty(bare) {
				return
			}
			for mark, from := range map[string]cty.Value{"prior": r.Prior, "config": r.Config} {
				_, has := marks[mark]
				if v := lookUp(from, path); has && (v == cty.NilVal || v.IsKnown() && !v.RawEquals(unmarked(bare))) {
					t.Errorf("%s: proposed %#v, which has a mark of the %s value but does not come from it", pathString(path), got, mark)
				}
			}
			if len(marks) == 0 && hasPath(r.Config, path) {
				t.Errorf("%s: proposed %#v without a mark", pathString(path), got)
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
