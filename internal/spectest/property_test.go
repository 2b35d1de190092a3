package spectest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// This file tests properties of the returned values (specification.md#35-properties), and that the
// checks accept these values.

// draw draws a world. It fails if the proposal or the plan of the world failed.
func draw(t *rapid.T, worlds *rapid.Generator[generate.World]) generate.World {
	w := worlds.Draw(t, "world")
	if w.Err != nil {
		t.Fatal(w.Err)
	}
	return w
}

// silent checks that there is no violation, enforced or not.
func silent(t *rapid.T, what string, vs objchange.Violations) {
	t.Helper()
	if len(vs) > 0 {
		t.Fatalf("%s: %v", what, vs.Err())
	}
}

// mustEqual checks that two values are equal, including marks and refinements.
func mustEqual(t *rapid.T, what string, got, want cty.Value) {
	t.Helper()
	if !got.RawEquals(want) {
		t.Fatalf("%s:\n got %#v\nwant %#v", what, got, want)
	}
}

func TestEveryMadeValueConforms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		for name, v := range makeAll(t, w) {
			conforms(t, name, w.Schema, v)
		}
	})
}

// makeAll calls all functions that return values of the schema. They must accept all values that
// conform. One exception exists: if nested objects in a collection have dynamic attributes, their
// merged types can differ, so the collection cannot contain them.
func makeAll(t *rapid.T, w generate.World) map[string]cty.Value {
	made := map[string]cty.Value{}
	for _, f := range functions {
		a := f.ask(w.Schema, w.Prior, w.Config, w.Planned)
		switch {
		case strings.HasPrefix(f.name, "Assert") || slices.Contains([]string{"Diff", "PlanAction", "RequiredReplace", "Lifecycle.Check"}, f.name):
		case len(a.found) == 0:
			made[f.name] = a.value
		case a.found[0].Rule != objchange.RuleTypeMismatch || !dynamicInCollection(parts.RootOf(w.Schema)):
			t.Fatalf("%s: %s", f.name, a.found[0])
		}
	}
	return made
}

// dynamicInCollection reports whether a nested attribute has elements with dynamic attributes.
func dynamicInCollection(n parts.Nest) bool {
	for _, a := range n.Attributes {
		if a.NestedType != nil && (a.NestedType.Nesting != configschema.NestingSingle && a.ImpliedType().HasDynamicTypes() || dynamicInCollection(parts.NestOf(a))) {
			return true
		}
	}
	for _, nb := range n.BlockTypes {
		if dynamicInCollection(parts.BlocksOf(nb)) {
			return true
		}
	}
	return false
}

// conforms checks that a value conforms to the schema. It uses AssertStateValid to check the content
// of dynamic blocks, because their implied type does not describe it.
func conforms(t *rapid.T, what string, schema *configschema.Block, v cty.Value) {
	for _, err := range v.Type().TestConformance(schema.ImpliedType()) {
		t.Fatalf("%s: %s in %#v", what, err, v)
	}
	for _, violation := range objchange.AssertStateValid(compiled(schema), v) {
		if violation.Rule == objchange.RuleTypeMismatch || violation.Rule == objchange.RuleInvalidInput {
			t.Fatalf("%s: %s in %#v", what, violation, v)
		}
	}
}

func TestProposalIsFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, withoutSets)
		second := proposeAgain(t, w, w.Proposed)
		if !holdsUnknownElement(w.Config) {
			mustEqual(t, "proposed again", second, w.Proposed)
		}
		mustEqual(t, "proposed a third time", proposeAgain(t, w, second), second)
	})
}

func proposeAgain(t *rapid.T, w generate.World, prior cty.Value) cty.Value {
	again, err := objchange.ProposedNew(compiled(w.Schema), prior, w.Config)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// holdsUnknownElement reports whether an object in a collection is unknown as a whole. If the prior
// value has no element at its index, the proposal of a list contains the unknown object unchanged.
// The next proposal contains an object with unknown attributes instead.
func holdsUnknownElement(v cty.Value) (found bool) {
	cty.Walk(v, func(path cty.Path, v cty.Value) (bool, error) {
		if n := len(path); n > 0 && !v.IsKnown() && v.Type().IsObjectType() {
			_, index := path[n-1].(cty.IndexStep)
			found = found || index
		}
		return true, nil
	})
	return found
}

func TestProposalKeepsConfig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		proposed, ok := makeAll(t, w)["ProposedNew"]
		if !ok {
			return
		}
		eachOutsideSets(w.Config, func(path cty.Path, c cty.Value) {
			if hollow(c) {
				return
			}
			if got := lookUp(proposed, path); got == cty.NilVal || !got.RawEquals(c) && c.IsKnown() {
				t.Fatalf("%s: configured %#v, proposed %#v", written(path), c, got)
			}
		})
	})
}

func TestProposalInventsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		proposed, ok := makeAll(t, w)["ProposedNew"]
		if !ok {
			return
		}
		eachOutsideSets(proposed, func(path cty.Path, got cty.Value) {
			if hollow(got) {
				return
			}
			for _, from := range []cty.Value{w.Prior, w.Config} {
				if v := lookUp(from, path); v != cty.NilVal && (v.RawEquals(got) || !v.IsKnown() && !got.IsKnown()) {
					return
				}
			}
			t.Fatalf("%s: proposed %#v, neither prior nor configured", written(path), got)
		})
	})
}

// eachOutsideSets visits values without elements, and sets of values that are not objects. It skips
// sets of objects.
func eachOutsideSets(v cty.Value, visit func(cty.Path, cty.Value)) {
	cty.Walk(v, func(path cty.Path, v cty.Value) (bool, error) {
		switch ty := v.Type(); {
		case ty.IsSetType() && ty.ElementType().IsObjectType():
			return false, nil
		case len(parts.ElementsOf(v)) > 0 && !ty.IsSetType():
			return true, nil
		}
		visit(path, v)
		return false, nil
	})
}

// hollow reports whether a value is null or empty.
func hollow(v cty.Value) bool {
	return v.IsNull() || v.IsKnown() && !v.Type().IsPrimitiveType() && len(parts.ElementsOf(v)) == 0
}

// lookUp returns the value at a path outside sets. It returns an unknown value inside unknown values,
// and cty.NilVal if the path does not exist.
func lookUp(v cty.Value, path cty.Path) cty.Value {
	for _, step := range path {
		if v.IsNull() {
			return cty.NilVal
		}
		if !v.IsKnown() {
			return cty.DynamicVal
		}
		i := slices.IndexFunc(parts.ElementsOf(v), func(e parts.Entry) bool { return parts.SameStep(e.Step, step) })
		if i < 0 {
			return cty.NilVal
		}
		v = parts.ElementsOf(v)[i].Value
	}
	return v
}

// written formats a path. Nothing is redacted.
func written(path cty.Path) string {
	return objchange.PathString(path)
}

func TestPlanOfNoOpinionsIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, honest)
		silent(t, "plan", objchange.AssertPlanValid(compiled(w.Schema), w.Prior, w.Config, w.Planned))
	})
}

func TestEveryCompletionIsConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, honest)
		f := parts.RootOf(w.Schema).Fields
		partly := rolling(func(d die) cty.Value { return d.Complete(f, w.Planned, 2, false) }).Draw(t, "partly")
		silent(t, "replan", objchange.AssertPlanConsistent(compiled(w.Schema), w.Planned, partly))
		known := rolling(func(d die) cty.Value { return d.Complete(f, partly, 0, false) }).Draw(t, "known")
		silent(t, "apply", objchange.AssertApplyConsistent(compiled(w.Schema), w.Planned, known))
		silent(t, "replan and apply", objchange.AssertApplyConsistent(compiled(w.Schema), partly, known))
		silent(t, "state", objchange.AssertStateValid(compiled(w.Schema), known))
	})
}

func TestEveryValueIsConsistentWithItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, honest)
		silent(t, "plan", objchange.AssertPlanConsistent(compiled(w.Schema), w.Planned, w.Planned))
		silent(t, "state", objchange.AssertApplyConsistent(compiled(w.Schema), w.Prior, w.Prior))
		silent(t, "no change", objchange.AssertStateValid(compiled(w.Schema), w.Prior))
	})
}

func TestSchemaRoundTripKeepsAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		text, err := json.Marshal(w.Schema)
		if err != nil {
			t.Fatal(err)
		}
		var read configschema.Block
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(w.Schema, &read, cmp.Comparer(cty.Type.Equals), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("schema (-written +read):\n%s", diff)
		}
		for _, f := range functions {
			before := f.ask(w.Schema, w.Prior, w.Config, w.Planned)
			equalAnswers(t, f.name, before, f.ask(&read, w.Prior, w.Config, w.Planned))
		}
	})
}

func TestSecondAnswerIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		for _, f := range functions {
			first := f.ask(w.Schema, w.Prior, w.Config, w.Planned)
			equalAnswers(t, f.name, first, f.ask(w.Schema, w.Prior, w.Config, w.Planned))
		}
	})
}

func TestPathsLeadIntoTheValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		vs := objchange.AssertPlanValid(compiled(w.Schema), w.Prior, w.Config, w.Planned)
		vs = append(vs, objchange.AssertPlanConsistent(compiled(w.Schema), w.Config, w.Planned)...)
		vs = append(vs, objchange.AssertStateValid(compiled(w.Schema), w.Planned)...)
		for _, v := range vs {
			_, err := v.Path.Apply(w.Planned)
			if _, configured := v.Path.Apply(w.Config); err != nil && configured != nil {
				t.Errorf("%s: %s", v, err)
			}
		}
	})
}

func TestDiffIsEmptyWhereEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		for _, after := range []cty.Value{w.Prior, w.Config, rolling(func(d die) cty.Value { return d.marked(d.refined(w.Prior)) }).Draw(t, "blurred")} {
			changes, err := objchange.Diff(compiled(w.Schema), w.Prior, after)
			if err != nil {
				t.Fatal(err)
			}
			equal, alike := sharp(w.Prior).RawEquals(sharp(after)), alike(sharp(w.Prior), sharp(after))
			if equal && len(changes) > 0 || !alike && len(changes) == 0 {
				t.Fatalf("equal: %t, but there are the changes %v to %#v", equal, changes, after)
			}
		}
	})
}

// alike reports whether values are equal if the types of null values are ignored.
func alike(a, b cty.Value) bool {
	switch {
	case a.IsNull() || b.IsNull():
		return a.IsNull() && b.IsNull()
	case len(parts.ElementsOf(a)) == 0 || len(parts.ElementsOf(b)) == 0 || a.Type().IsSetType():
		return a.RawEquals(b) || hollow(a) && hollow(b)
	}
	return slices.EqualFunc(parts.ElementsOf(a), parts.ElementsOf(b), func(a, b parts.Entry) bool {
		return parts.SameStep(a.Step, b.Step) && alike(a.Value, b.Value)
	})
}

func TestViolationsAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		for _, f := range functions {
			vs := f.ask(w.Schema, w.Prior, w.Config, w.Planned).found
			for i, v := range vs[:max(0, len(vs)-1)] {
				next := vs[i+1]
				switch c := comparePaths(v.Path, next.Path); {
				case v.Phase != next.Phase:
				case c > 0, c == 0 && v.Rule >= next.Rule && !strings.Contains(v.PathString(), "[*]"):
					t.Errorf("%s: %s before %s", f.name, v, next)
				}
			}
		}
	})
}

// comparePaths compares paths. It treats steps into a set as equal, and ignores all steps after them.
func comparePaths(a, b cty.Path) int {
	for i := range min(len(a), len(b)) {
		if into, ok := a[i].(cty.IndexStep); ok && !into.Key.Type().IsPrimitiveType() {
			return 0
		}
		if parts.SameStep(a[i], b[i]) {
			continue
		}
		x, ok := a[i].(cty.GetAttrStep)
		y, ok2 := b[i].(cty.GetAttrStep)
		switch {
		case ok && ok2:
			return strings.Compare(x.Name, y.Name)
		case ok || ok2:
			return map[bool]int{true: -1, false: 1}[ok]
		}
		return compareKeys(a[i].(cty.IndexStep).Key, b[i].(cty.IndexStep).Key)
	}
	return len(a) - len(b)
}

func compareKeys(a, b cty.Value) int {
	switch {
	case !a.IsKnown() || !b.IsKnown() || a.IsNull() || b.IsNull():
		return 0
	case a.Type() == cty.String:
		return strings.Compare(a.AsString(), b.AsString())
	case a.Type() == cty.Number:
		return a.AsBigFloat().Cmp(b.AsBigFloat())
	}
	return 0
}

// TestLifecycleKeepsOrder checks that a lifecycle reports violations in the order of its checks,
// including violations in set elements.
func TestLifecycleKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		single := objchange.AssertStateValid(compiled(w.Schema), w.Planned)
		all := objchange.Lifecycle{Schema: compiled(w.Schema), Upgraded: w.Planned}.Check()
		for i, v := range all {
			if i >= len(single) || v.Rule != single[i].Rule || !samePath(v, single[i]) {
				t.Fatalf("the lifecycle says\n%v\nand the check\n%v", all.Err(), single.Err())
			}
		}
	})
}
