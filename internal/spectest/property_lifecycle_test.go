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
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
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
			addLeaves(leaves, at+wayTo(cty.Path{e.Step}), e.Value)
		}
	}
}

// wayTo returns a text that is different for each path.
func wayTo(path cty.Path) string {
	var b strings.Builder
	for _, s := range path {
		fmt.Fprintf(&b, "/%#v", s)
	}
	return b.String()
}

func TestDiffLeadsFromBeforeToAfter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		before, after := sharp(w.Prior), sharp(w.Planned)
		changes, err := objchange.Diff(compiled(w.Schema), before, after)
		if err != nil {
			t.Fatal(err)
		}
		got := leafMap(before)
		for _, c := range changes {
			if setAbove(before, c.Path) < len(c.Path) || setAbove(after, c.Path) < len(c.Path) {
				continue
			}
			at := wayTo(c.Path)
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
		w := draw(t, wild)
		planned := pickOf(t, w.Planned, w.Prior)
		changes, err := objchange.Diff(compiled(w.Schema), w.Prior, planned)
		if err != nil {
			t.Fatal(err)
		}
		noOp := objchange.PlanAction(w.Prior, planned, false) == objchange.ActionNoOp
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
		w := draw(t, honest)
		var paths []cty.Path
		for name := range w.Schema.ImpliedType().AttributeTypes() {
			paths = append(paths, cty.GetAttrPath(name))
		}
		ignored, err := objchange.IgnoreChanges(compiled(w.Schema), w.Prior, w.Config, paths)
		if err != nil {
			t.Fatal(err)
		}
		again, err := objchange.IgnoreChanges(compiled(w.Schema), w.Prior, ignored, paths)
		if err != nil || !again.RawEquals(ignored) {
			t.Errorf("ignored twice: %#v, %v", again, err)
		}
		if w.Prior.IsNull() || w.Config.IsNull() {
			return
		}
		want, err1 := objchange.IgnoreAllChanges(compiled(w.Schema), w.Prior)
		got, err2 := objchange.IgnoreAllChanges(compiled(w.Schema), ignored)
		if err1 != nil || err2 != nil || !got.RawEquals(want) {
			t.Errorf("got  %#v, %v\nwant %#v, %v", got, err2, want, err1)
		}
	})
}

// TestIgnorePathsOneByOne checks that one call with many paths is the same as many calls with one
// path, and that an error is about the first invalid path in path order. The test stops if a value no
// longer conforms. This can happen because parts of unknown dynamic blocks have no type.
func TestIgnorePathsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		all := append(parts.All(w.Prior), parts.All(w.Config)...)
		var paths []cty.Path
		for range rapid.IntRange(0, 2*len(all)).Draw(t, "paths") {
			paths = append(paths, all[rapid.IntRange(0, len(all)-1).Draw(t, "part")].Path)
		}
		want, wrong := w.Config, []cty.Path(nil)
		for _, path := range paths {
			next, err := objchange.IgnoreChanges(compiled(w.Schema), w.Prior, want, []cty.Path{path})
			if err != nil {
				wrong = append(wrong, path)
			} else if want = next; breaksRule(objchange.AssertStateValid(compiled(w.Schema), want), objchange.RuleTypeMismatch) {
				return
			}
		}
		got, err := objchange.IgnoreChanges(compiled(w.Schema), w.Prior, w.Config, paths)
		switch {
		case len(wrong) == 0 && err == nil:
			mustEqual(t, "ignored at once", got, want)
		case len(wrong) == 0 || err == nil:
			t.Fatalf("at once: %v, one by one: %v", err, wrong)
		default:
			first := slices.MinFunc(wrong, comparePaths)
			if blamed := answerOf(got, err).found[0].Path; comparePaths(blamed, first) != 0 {
				t.Fatalf("blamed %#v, not %#v", blamed, first)
			}
		}
	})
}

func breaksRule(found objchange.Violations, rule objchange.Rule) bool {
	return slices.ContainsFunc(found, func(v *objchange.Violation) bool { return v.Rule == rule })
}

func TestPartialStateIsState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		returned := pickOf(t, cty.NilVal, w.Proposed, w.Planned)
		state, _, err := objchange.PartialState(compiled(w.Schema), w.Prior, w.Planned, returned)
		if err != nil {
			t.Fatal(err)
		}
		if state.RawEquals(w.Prior) {
			return // the prior state is kept, and it can be any value
		}
		if !state.IsWhollyKnown() {
			t.Errorf("not wholly known: %#v", state)
		}
		if errs := state.Type().TestConformance(w.Schema.ImpliedType()); len(errs) > 0 {
			t.Errorf("does not conform: %v", errs)
		}
		if err := objchange.AssertStateValid(compiled(w.Schema), state).Enforced().Err(); err != nil {
			t.Error(err)
		}
	})
}

// drawRun generates the values of a run that creates, updates, replaces or deletes an object. The new
// state has any values for the unknown values of the plan.
func drawRun(t *rapid.T) objchange.Lifecycle {
	w := draw(t, honest)
	l := objchange.Lifecycle{Schema: compiled(w.Schema), Upgraded: w.Prior, Prior: w.Prior, Config: w.Config, InitialPlanned: w.Planned}
	switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
	case kind == 0: // delete
		l.Config = cty.NullVal(w.Config.Type())
		l.InitialPlanned, l.New = l.Config, l.Config
		return l
	case kind == 1: // replacement: planned as a create
		created := generate.World{Schema: w.Schema, Prior: cty.NullVal(w.Config.Type()), Config: w.Config}
		if created.Plan(); created.Err != nil {
			t.Fatal(created.Err)
		}
		l.InitialPlanned = created.Planned
	}
	f := parts.RootOf(w.Schema).Fields
	if rapid.Bool().Draw(t, "replanned") {
		l.FinalPlanned = l.InitialPlanned
	}
	l.New = rolling(func(d die) cty.Value { return d.Complete(f, l.InitialPlanned, 0, false) }).Draw(t, "new")
	return l
}

// withoutConfigPhase removes the violations of the configuration phase, because generated
// configurations can be incomplete.
func withoutConfigPhase(vs objchange.Violations) objchange.Violations {
	return slices.DeleteFunc(vs, func(v *objchange.Violation) bool { return v.Phase == objchange.PhaseConfig })
}

func TestGoodRunBreaksNoRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawRun(t)
		silent(t, "run", withoutConfigPhase(l.Check()))
		if objchange.AssertConfigValid(l.Schema, l.Config) == nil {
			silent(t, "run with its configuration", l.Check())
		}
	})
}

// TestBrokenLeafOfNewStateIsCaught checks that a changed leaf in the new state is reported with the
// expected rule, path and phase if the plan contained a known value.
func TestBrokenLeafOfNewStateIsCaught(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawRun(t)
		changed := drawChange(t, l.New)
		if !changed.ok {
			return
		}
		planned := l.InitialPlanned
		l.New = changed.value
		vs := withoutConfigPhase(l.Check())
		path, rules := brokenAt(generate.World{Schema: l.Schema.Block(), Planned: planned}, changed.path)
		rules = append(rules, objchange.RuleInconsistentRefinement) // if the plan was unknown with refinements
		for _, v := range vs {
			if v.Phase != objchange.PhaseApply || comparePaths(v.Path, path) != 0 || !slices.Contains(rules, v.Rule) {
				t.Errorf("%s, but the leaf %s has changed", v, written(changed.path))
			}
		}
		promised, err := changed.path.Apply(planned)
		if len(vs) == 0 && err == nil && promised.IsKnown() {
			t.Errorf("the leaf %s was planned, has changed, and nobody noticed", written(changed.path))
		}
	})
}

// TestBrokenLeafOfConfigIsCaught checks that a configured leaf that differs from the plan is reported
// in the plan phase.
func TestBrokenLeafOfConfigIsCaught(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawRun(t)
		l.FinalPlanned = cty.NilVal
		changed := drawChange(t, l.Config)
		if !changed.ok {
			return
		}
		l.Config = changed.value
		vs := withoutConfigPhase(l.Check())
		for _, v := range vs {
			if v.Phase != objchange.PhasePlan {
				t.Errorf("%s, but the configured leaf %s has changed", v, written(changed.path))
			}
		}
		prior, err := changed.path.Apply(l.Prior)
		planned, errPlanned := changed.path.Apply(l.InitialPlanned)
		likePrior := err == nil && errPlanned == nil && prior.RawEquals(planned)
		inSet := setAbove(l.Config, changed.path) < len(changed.path)
		if len(vs) == 0 && !inSet && !likePrior && !inWriteOnly(l.Schema.Block(), changed.path) {
			t.Errorf("the configured leaf %s has changed, and nobody noticed", written(changed.path))
		}
	})
}

// TestRulesAreBrokenInTheirPhases checks that each violation is in a phase that Rule.Info names.
func TestRulesAreBrokenInTheirPhases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawRun(t)
		l.Upgraded = l.Prior
		for _, v := range []*cty.Value{&l.Upgraded, &l.Prior, &l.Config, &l.InitialPlanned, &l.New} {
			if changed := drawChange(t, *v); changed.ok {
				*v = changed.value
			}
		}
		for _, v := range l.Check() {
			if !slices.Contains(v.Rule.Info().Phases, v.Phase) {
				t.Errorf("%s in phase %s: %s", v.Rule, v.Phase, v)
			}
		}
	})
}

func inWriteOnly(schema *configschema.Block, path cty.Path) bool {
	for i := range path {
		if attr := schema.AttributeByPath(path[:i+1]); attr != nil && attr.WriteOnly {
			return true
		}
	}
	return false
}
