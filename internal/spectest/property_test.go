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
	. "github.com/objchange/objchange/internal/testcty"
)

// This file tests properties of the returned values (specification.md#35-properties), and that the
// checks accept these values.

// draw draws a resource. It fails if the resource could not be proposed or planned.
func draw(t *rapid.T, worlds *rapid.Generator[generate.Resource]) generate.Resource {
	r := worlds.Draw(t, "resource")
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

// expectNone checks that there is no violation, enforced or not.
func expectNone(t *rapid.T, what string, vs objchange.Violations) {
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

func TestEveryReturnedValueConforms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		for name, v := range returnedValues(t, r) {
			conforms(t, name, r.Schema, v)
		}
	})
}

// returnedValues calls all functions that return values of the schema. They must accept all values
// that conform. One exception exists: if nested objects in a collection have dynamic attributes,
// their merged types can differ, so the collection cannot contain them.
func returnedValues(t *rapid.T, r generate.Resource) map[string]cty.Value {
	made := map[string]cty.Value{}
	for _, f := range functions {
		a := f.run(r.Schema, r.Prior, r.Config, r.Planned)
		switch {
		case strings.HasPrefix(f.name, "Assert") || slices.Contains([]string{"Diff", "PlanAction", "RequiredReplace", "Lifecycle.Check"}, f.name):
		case len(a.found) == 0:
			made[f.name] = a.value
		case a.found[0].Rule != objchange.RuleTypeMismatch || !dynamicInCollection(parts.RootOf(r.Schema)):
			t.Fatalf("%s: %s", f.name, a.found[0])
		}
	}
	return made
}

// dynamicInCollection reports whether a nested attribute has elements with dynamic attributes.
func dynamicInCollection(n parts.Nested) bool {
	for _, a := range n.Attributes {
		if a.NestedType != nil && (a.NestedType.Nesting != configschema.NestingSingle && a.ImpliedType().HasDynamicTypes() || dynamicInCollection(parts.NestedOf(a))) {
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
	for _, violation := range objchange.AssertStateValid(Compiled(schema), v) {
		if violation.Rule == objchange.RuleTypeMismatch || violation.Rule == objchange.RuleInvalidInput {
			t.Fatalf("%s: %s in %#v", what, violation, v)
		}
	}
}

func TestProposalIsFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, resourcesWithoutSets)
		second := proposeAgain(t, r, r.Proposed)
		if !holdsUnknownElement(r.Config) {
			mustEqual(t, "proposed again", second, r.Proposed)
		}
		mustEqual(t, "proposed a third time", proposeAgain(t, r, second), second)
	})
}

func proposeAgain(t *rapid.T, r generate.Resource, prior cty.Value) cty.Value {
	again, err := objchange.ProposedNew(Compiled(r.Schema), prior, r.Config)
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
		r := draw(t, arbitraryResources)
		proposed, ok := returnedValues(t, r)["ProposedNew"]
		if !ok {
			return
		}
		eachOutsideSets(r.Config, func(path cty.Path, c cty.Value) {
			if nullOrEmpty(c) {
				return
			}
			if got := lookUp(proposed, path); got == cty.NilVal || !got.RawEquals(c) && c.IsKnown() {
				t.Fatalf("%s: the proposal does not keep the configured value: configured %#v, proposed %#v", pathString(path), c, got)
			}
		})
	})
}

func TestProposalHasOnlyPriorAndConfigValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		proposed, ok := returnedValues(t, r)["ProposedNew"]
		if !ok {
			return
		}
		eachOutsideSets(proposed, func(path cty.Path, got cty.Value) {
			if nullOrEmpty(got) {
				return
			}
			for _, from := range []cty.Value{r.Prior, r.Config} {
				if v := lookUp(from, path); v != cty.NilVal && (v.RawEquals(got) || !v.IsKnown() && !got.IsKnown()) {
					return
				}
			}
			t.Fatalf("%s: proposed %#v, which is neither the prior nor the configured value", pathString(path), got)
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

// nullOrEmpty reports whether a value is null or empty.
func nullOrEmpty(v cty.Value) bool {
	return v.IsNull() || v.IsKnown() && !v.Type().IsPrimitiveType() && len(parts.ElementsOf(v)) == 0
}

// lookUp returns the value at a path outside sets. It returns an unknown value inside unknown
// values, and cty.NilVal if the path does not exist.
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

// pathString formats a path. Nothing is redacted.
func pathString(path cty.Path) string {
	return objchange.PathString(path)
}

func TestComputedPlanIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, correctResources)
		expectNone(t, "plan", objchange.AssertPlanValid(Compiled(r.Schema), r.Prior, r.Config, r.Planned))
	})
}

func TestEveryCompletionIsConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, correctResources)
		f := parts.RootOf(r.Schema).Fields
		partly := generator(func(d decider) cty.Value { return d.Complete(f, r.Planned, 2, false) }).Draw(t, "partly")
		expectNone(t, "replan", objchange.AssertPlanConsistent(Compiled(r.Schema), r.Planned, partly))
		known := generator(func(d decider) cty.Value { return d.Complete(f, partly, 0, false) }).Draw(t, "known")
		expectNone(t, "apply", objchange.AssertApplyConsistent(Compiled(r.Schema), r.Planned, known))
		expectNone(t, "replan and apply", objchange.AssertApplyConsistent(Compiled(r.Schema), partly, known))
		expectNone(t, "state", objchange.AssertStateValid(Compiled(r.Schema), known))
	})
}

func TestEveryValueIsConsistentWithItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, correctResources)
		expectNone(t, "plan", objchange.AssertPlanConsistent(Compiled(r.Schema), r.Planned, r.Planned))
		expectNone(t, "state", objchange.AssertApplyConsistent(Compiled(r.Schema), r.Prior, r.Prior))
		expectNone(t, "no change", objchange.AssertStateValid(Compiled(r.Schema), r.Prior))
	})
}

func TestSchemaRoundTripKeepsResults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		text, err := json.Marshal(r.Schema)
		if err != nil {
			t.Fatal(err)
		}
		var read configschema.Block
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r.Schema, &read, cmp.Comparer(cty.Type.Equals), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("schema (-written +read):\n%s", diff)
		}
		for _, f := range functions {
			before := f.run(r.Schema, r.Prior, r.Config, r.Planned)
			equalResults(t, f.name, before, f.run(&read, r.Prior, r.Config, r.Planned))
		}
	})
}

func TestFunctionsAreDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		for _, f := range functions {
			first := f.run(r.Schema, r.Prior, r.Config, r.Planned)
			equalResults(t, f.name, first, f.run(r.Schema, r.Prior, r.Config, r.Planned))
		}
	})
}

func TestPathsLeadIntoTheValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		vs := objchange.AssertPlanValid(Compiled(r.Schema), r.Prior, r.Config, r.Planned)
		vs = append(vs, objchange.AssertPlanConsistent(Compiled(r.Schema), r.Config, r.Planned)...)
		vs = append(vs, objchange.AssertStateValid(Compiled(r.Schema), r.Planned)...)
		for _, v := range vs {
			_, err := v.Path.Apply(r.Planned)
			if _, configured := v.Path.Apply(r.Config); err != nil && configured != nil {
				t.Errorf("%s: %s", v, err)
			}
		}
	})
}

func TestDiffIsEmptyWhereEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		for _, after := range []cty.Value{r.Prior, r.Config, generator(func(d decider) cty.Value { return d.marked(d.refined(r.Prior)) }).Draw(t, "blurred")} {
			changes, err := objchange.Diff(Compiled(r.Schema), r.Prior, after)
			if err != nil {
				t.Fatal(err)
			}
			equal, alike := withoutMarksAndRefinements(r.Prior).RawEquals(withoutMarksAndRefinements(after)), equalExceptNullTypes(withoutMarksAndRefinements(r.Prior), withoutMarksAndRefinements(after))
			if equal && len(changes) > 0 || !alike && len(changes) == 0 {
				t.Fatalf("values are equal: %t, but the changes to the value are %v: %#v", equal, changes, after)
			}
		}
	})
}

// equalExceptNullTypes reports whether values are equal if the types of null values are ignored.
func equalExceptNullTypes(a, b cty.Value) bool {
	switch {
	case a.IsNull() || b.IsNull():
		return a.IsNull() && b.IsNull()
	case len(parts.ElementsOf(a)) == 0 || len(parts.ElementsOf(b)) == 0 || a.Type().IsSetType():
		return a.RawEquals(b) || nullOrEmpty(a) && nullOrEmpty(b)
	}
	return slices.EqualFunc(parts.ElementsOf(a), parts.ElementsOf(b), func(a, b parts.Entry) bool {
		return parts.SameStep(a.Step, b.Step) && equalExceptNullTypes(a.Value, b.Value)
	})
}

func TestViolationsAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		for _, f := range functions {
			vs := f.run(r.Schema, r.Prior, r.Config, r.Planned).found
			for i, v := range vs[:max(0, len(vs)-1)] {
				next := vs[i+1]
				switch c := comparePaths(v.Path, next.Path); {
				case v.Phase != next.Phase:
				case c > 0, c == 0 && v.Rule >= next.Rule && !strings.Contains(v.PathString(), "[*]"):
					t.Errorf("%s: wrong order: %s before %s", f.name, v, next)
				}
			}
		}
	})
}

// comparePaths compares paths. It treats steps into a set as equal, and ignores all steps after
// them.
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
		r := draw(t, arbitraryResources)
		single := objchange.AssertStateValid(Compiled(r.Schema), r.Planned)
		all := objchange.Lifecycle{Schema: Compiled(r.Schema), Upgraded: r.Planned}.Check()
		for i, v := range all {
			if i >= len(single) || v.Rule != single[i].Rule || !samePath(v, single[i]) {
				t.Fatalf("the lifecycle reports\n%v\nthe check reports\n%v", all.Err(), single.Err())
			}
		}
	})
}
