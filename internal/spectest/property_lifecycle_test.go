package spectest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"

	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
	. "github.com/objchange/objchange/internal/testcty"
)

// This file tests functions that describe or check a whole change.

// leafMap returns the leaves of a value that are not null and not in a set, by path.
func leafMap(v cty.Value) map[string]string {
	leaves := map[string]string{}
	addLeaves(leaves, "", v)
	return leaves
}

func addLeaves(leaves map[string]string, at string, v cty.Value) {
	switch {
	case v.Type().IsSetType():
	case !v.IsKnown():
		leaves[at] = "?"
	case !v.IsNull() && v.Type() == cty.Number: // equal numbers may differ in precision
		leaves[at] = v.AsBigFloat().Text('f', -1)
	case !v.IsNull() && v.Type().IsPrimitiveType():
		leaves[at] = fmt.Sprintf("%#v", v)
	default:
		for _, e := range parts.ElementsOf(v) {
			addLeaves(leaves, at+pathKey(cty.Path{e.Step}), e.Value)
		}
	}
}

// pathKey returns a text that is different for each path.
func pathKey(path cty.Path) string {
	var b strings.Builder
	for _, s := range path {
		fmt.Fprintf(&b, "/%#v", s)
	}
	return b.String()
}

func TestDiffLeadsFromBeforeToAfter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		before, after := withoutMarksAndRefinements(r.Prior), withoutMarksAndRefinements(r.Planned)
		changes, err := objchange.Diff(Compiled(r.Schema), before, after)
		if err != nil {
			t.Fatal(err)
		}
		got := leafMap(before)
		for _, c := range changes {
			if setAbove(before, c.Path) < len(c.Path) || setAbove(after, c.Path) < len(c.Path) {
				continue
			}
			at := pathKey(c.Path)
			for leaf := range got {
				if leaf == at || strings.HasPrefix(leaf, at+"/") {
					delete(got, leaf)
				}
			}
			if !c.After.IsNull() {
				addLeaves(got, at, c.After)
			}
		}
		if diff := cmp.Diff(leafMap(after), got); diff != "" {
			t.Errorf("changes %v (-after +applied):\n%s", changes, diff)
		}
	})
}

func TestNoOpIsEmptyDiff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		planned := pickOf(t, r.Planned, r.Prior)
		changes, err := objchange.Diff(Compiled(r.Schema), r.Prior, planned)
		if err != nil {
			t.Fatal(err)
		}
		noOp := objchange.PlanAction(r.Prior, planned, false) == objchange.ActionNoOp
		if want := len(changes) == 0 && planned.IsWhollyKnown(); noOp != want {
			t.Errorf("no-op: %t, changes: %v, wholly known: %t", noOp, changes, planned.IsWhollyKnown())
		}
	})
}

func pickOf(t *rapid.T, things ...cty.Value) cty.Value {
	return things[rapid.IntRange(0, len(things)-1).Draw(t, "which")]
}

func TestIgnoreEveryPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, correctResources)
		var paths []cty.Path
		for name := range r.Schema.ImpliedType().AttributeTypes() {
			paths = append(paths, cty.GetAttrPath(name))
		}
		ignored, err := objchange.IgnoreChanges(Compiled(r.Schema), r.Prior, r.Config, paths)
		if err != nil {
			t.Fatal(err)
		}
		again, err := objchange.IgnoreChanges(Compiled(r.Schema), r.Prior, ignored, paths)
		if err != nil || !again.RawEquals(ignored) {
			t.Errorf("the second call changed the result: %#v, %v", again, err)
		}
		if r.Prior.IsNull() || r.Config.IsNull() {
			return
		}
		want, err1 := objchange.IgnoreAllChanges(Compiled(r.Schema), r.Prior)
		got, err2 := objchange.IgnoreAllChanges(Compiled(r.Schema), ignored)
		if err1 != nil || err2 != nil || !got.RawEquals(want) {
			t.Errorf("got  %#v, %v\nwant %#v, %v", got, err2, want, err1)
		}
	})
}

// TestIgnoreManyPaths checks that one call with many paths is the same as many calls with one path,
// and that an error is about the first invalid path in path order. The test stops if a value no
// longer conforms. This can happen because parts of unknown dynamic blocks have no type.
func TestIgnoreManyPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		all := append(parts.All(r.Prior), parts.All(r.Config)...)
		var paths []cty.Path
		for range rapid.IntRange(0, 2*len(all)).Draw(t, "paths") {
			paths = append(paths, all[rapid.IntRange(0, len(all)-1).Draw(t, "part")].Path)
		}
		want, wrong := r.Config, []cty.Path(nil)
		for _, path := range paths {
			next, err := objchange.IgnoreChanges(Compiled(r.Schema), r.Prior, want, []cty.Path{path})
			if err != nil {
				wrong = append(wrong, path)
			} else if want = next; breaksRule(objchange.AssertStateValid(Compiled(r.Schema), want), objchange.RuleTypeMismatch) {
				return
			}
		}
		got, err := objchange.IgnoreChanges(Compiled(r.Schema), r.Prior, r.Config, paths)
		switch {
		case len(wrong) == 0 && err == nil:
			mustEqual(t, "ignored at once", got, want)
		case len(wrong) == 0 || err == nil:
			t.Fatalf("error of one call with all paths: %v; rejected single paths: %v", err, wrong)
		default:
			first := slices.MinFunc(wrong, comparePaths)
			if blamed := resultOf(got, err).found[0].Path; comparePaths(blamed, first) != 0 {
				t.Fatalf("the error is about %#v, want %#v", blamed, first)
			}
		}
	})
}

func breaksRule(found objchange.Violations, rule objchange.Rule) bool {
	return slices.ContainsFunc(found, func(v *objchange.Violation) bool { return v.Rule == rule })
}

func TestPartialStateIsState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		returned := pickOf(t, cty.NilVal, r.Proposed, r.Planned)
		state, _, err := objchange.PartialState(Compiled(r.Schema), r.Prior, r.Planned, returned)
		if err != nil {
			t.Fatal(err)
		}
		if state.RawEquals(r.Prior) {
			return // the prior state is kept, and it can be any value
		}
		if !state.IsWhollyKnown() {
			t.Errorf("not wholly known: %#v", state)
		}
		if errs := state.Type().TestConformance(r.Schema.ImpliedType()); len(errs) > 0 {
			t.Errorf("does not conform: %v", errs)
		}
		if err := objchange.AssertStateValid(Compiled(r.Schema), state).Rejected().Err(); err != nil {
			t.Error(err)
		}
	})
}

// drawLifecycle generates the values of a run that creates, updates, replaces or deletes an object.
// The new state has any values for the unknown values of the plan.
func drawLifecycle(t *rapid.T) objchange.Lifecycle {
	r := draw(t, correctResources)
	l := objchange.Lifecycle{Schema: Compiled(r.Schema), Upgraded: r.Prior, Prior: r.Prior, Config: r.Config, InitialPlanned: r.Planned}
	switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
	case kind == 0: // delete
		l.Config = cty.NullVal(r.Config.Type())
		l.InitialPlanned, l.New = l.Config, l.Config
		return l
	case kind == 1: // replacement: planned as a create
		created := generate.Resource{Schema: r.Schema, Prior: cty.NullVal(r.Config.Type()), Config: r.Config}
		if created.Plan(); created.Err != nil {
			t.Fatal(created.Err)
		}
		l.InitialPlanned = created.Planned
	}
	f := parts.RootOf(r.Schema).Fields
	if rapid.Bool().Draw(t, "replanned") {
		l.FinalPlanned = l.InitialPlanned
	}
	l.New = generator(func(d decider) cty.Value { return d.Complete(f, l.InitialPlanned, 0, false) }).Draw(t, "new")
	return l
}

// withoutConfigPhase removes the violations of the configuration phase, because generated
// configurations can be incomplete.
func withoutConfigPhase(vs objchange.Violations) objchange.Violations {
	return slices.DeleteFunc(vs, func(v *objchange.Violation) bool { return v.Phase == objchange.PhaseConfig })
}

func TestCorrectRunBreaksNoRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLifecycle(t)
		expectNone(t, "run", withoutConfigPhase(l.Check()))
		if objchange.AssertConfigValid(l.Schema, l.Config) == nil {
			expectNone(t, "run with its configuration", l.Check())
		}
	})
}

// TestRulesAreBrokenInTheirPhases checks that each violation is in a phase that Rule.Info names.
func TestRulesAreBrokenInTheirPhases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLifecycle(t)
		l.Upgraded = l.Prior
		for _, v := range []*cty.Value{&l.Upgraded, &l.Prior, &l.Config, &l.InitialPlanned, &l.New} {
			if changed := drawChange(t, *v); changed.ok {
				*v = changed.value
			}
		}
		for _, v := range l.Check() {
			if !slices.Contains(v.Rule.Info().Phases, v.Phase) {
				t.Errorf("%s must not be reported in phase %s: %s", v.Rule, v.Phase, v)
			}
		}
	})
}
