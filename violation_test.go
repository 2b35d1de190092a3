package objchange_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// TestViolationsInSetsAreInSetOrder checks specification.md#72-order for set elements, and that each
// path contains its own element. The order of other paths is a property in internal/spectest.
func TestViolationsInSetsAreInSetOrder(t *testing.T) {
	elems := valuesOf(20, func(i int) cty.Value { return Item(UnknownStr, Str(fmt.Sprintf("n%02d", i))) })
	slices.Reverse(elems)
	var got []string
	for _, v := range objchange.AssertStateValid(Compiled(SchemaOf(Nested(configschema.NestingSet, "computed", ItemAttrs))), ObjectOf(Set(elems...))) {
		got = append(got, v.Path[1].(cty.IndexStep).Key.GetAttr("name").AsString())
	}
	if len(got) != 20 || !slices.IsSorted(got) {
		t.Errorf("set elements in order %q", got)
	}
}

// TestSameRuleAtSamePathIsReportedOnce checks specification.md#72-order: the same rule at the same
// path is reported once.
func TestSameRuleAtSamePathIsReportedOnce(t *testing.T) {
	schema := SchemaOf(Attr(cty.String, "optional"))
	two := ObjectOf(Num(1))
	Expect(t, objchange.AssertPlanValid(Compiled(schema), two, two, two), ".v type-mismatch")
	Expect(t, objchange.AssertApplyConsistent(Compiled(schema), two, two), ".v type-mismatch")
	Expect(t, objchange.AssertPlanValid(Compiled(schema), cty.NilVal, cty.NilVal, cty.NilVal), " invalid-input")
	tuples := SchemaOfBlock(Block(configschema.NestingList, Attrs{"wo": Attr(cty.String, "optional writeonly"), "any": Attr(cty.DynamicPseudoType, "optional")}))
	Expect(t, objchange.AssertPlanValid(Compiled(tuples), ObjectOf(Str("a")), ObjectOf(Str("b")), ObjectOf(Str("c"))), ".v type-mismatch")
	maps := SchemaOf(Attr(cty.Map(cty.String), "optional"))
	Expect(t, objchange.AssertPlanConsistent(Compiled(maps), ObjectOf(MapOf(Obj{"a": Str("1"), "b": Str("2")})), ObjectOf(MapOf(Obj{"c": Str("1"), "d": Str("2"), "e": Str("3")}))), ".v inconsistent-key")
}

// manyViolations breaks rules of all checks at many paths.
func manyViolations() objchange.Violations {
	schema := &configschema.Block{Attributes: Attrs{}, BlockTypes: Blocks{}}
	was, now, config, planned := Obj{}, Obj{}, Obj{}, Obj{}
	add := func(name string, v, other cty.Value) {
		was[name], now[name], config[name], planned[name] = v, other, v, other
	}
	for i := range 8 {
		name := fmt.Sprintf("attr%d", i)
		schema.Attributes[name] = Attr(cty.Map(cty.String), "optional")
		add(name, MapOf(Obj{"a": Str("1"), "b": Str("2"), "c": Str("3")}), MapOf(Obj{"a": Str("x"), "b": UnknownStr, "d": Str("3")}))
		name = fmt.Sprintf("blocks%d", i)
		mode := BlockModes[i%len(BlockModes)]
		schema.BlockTypes[name] = Block(mode, Attrs{"id": Attr(cty.String, "optional"), "name": Attr(cty.String, "optional")},
			Blocks{"in": Block(configschema.NestingSet, ItemAttrs), "more": Block(configschema.NestingMap, ItemAttrs)})
		deep := func(text string) cty.Value {
			return WrapIn(mode, Object(Obj{"id": Str(text), "name": Str(text), "in": Set(Item(Str(text), Str(text)), Item(UnknownStr, Str("z"+text))),
				"more": MapOf(Obj{"k": Item(Str(text), Str(text)), text: Item(UnknownStr, Str(text))})}))
		}
		add(name, deep("p"), deep("q"))
	}
	null := cty.NullVal(schema.ImpliedType())
	strings := SchemaOf(Attr(cty.String, "optional"))
	return slices.Concat(objchange.AssertPlanValid(Compiled(schema), null, Object(config), Object(planned)),
		objchange.AssertPlanValid(Compiled(strings), ObjectOf(Num(1)), ObjectOf(cty.True), ObjectOf(List(Num(1)))),
		objchange.AssertPlanConsistent(Compiled(schema), Object(was), Object(now)),
		objchange.AssertApplyConsistent(Compiled(schema), Object(was), Object(now)),
		objchange.AssertStateValid(Compiled(schema), Object(now)))
}

// TestViolationsAreDeterministicConcurrently checks specification.md#72-order: the order does not
// depend on the order of maps.
func TestViolationsAreDeterministicConcurrently(t *testing.T) {
	text := func(vs objchange.Violations) string {
		encoded, err := json.Marshal(vs)
		if err != nil {
			t.Error(err)
		}
		return string(encoded)
	}
	first := manyViolations()
	if len(first) < 100 {
		t.Fatalf("only %d violations", len(first))
	}
	want := text(first)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for range 25 {
				if got := text(manyViolations()); got != want {
					t.Errorf("violations differ (-first +now):\n%s", cmp.Diff(want, got))
					return
				}
			}
		})
	}
	group.Wait()
}

func TestViolationText(t *testing.T) {
	schema := SchemaOf(Nested(configschema.NestingSet, "optional", ItemAttrs))
	found := objchange.AssertStateValid(Compiled(schema), ObjectOf(Set(Item(UnknownStr, Str("a")))))
	if len(found) != 1 {
		t.Fatal(found)
	}
	const message = "the value is unknown, but a state must be wholly known"
	if got, want := found[0].Error(), ".v[*].id: "+message+" [state-unknown]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	encoded, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"rule":"state-unknown","path":".v[*].id","message":"` + message + `","severity":"rejected"}]`; string(encoded) != want {
		t.Errorf("got  %s\nwant %s", encoded, want)
	}
	found[0].Phase, found[0].Severity = objchange.PhaseRead, objchange.Unchecked
	encoded, err = json.Marshal(found[0])
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"rule":"state-unknown","path":".v[*].id","message":"` + message + `","severity":"unchecked","phase":"read"}`; string(encoded) != want {
		t.Errorf("got  %s\nwant %s", encoded, want)
	}
	root := objchange.AssertStateValid(Compiled(schema), cty.DynamicVal)
	if got, want := root[0].Error(), message+" [state-unknown]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestErrJoinsViolations(t *testing.T) {
	schema := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs))
	if err := objchange.AssertStateValid(Compiled(schema), ObjectOf(EmptyItems)).Err(); err != nil {
		t.Errorf("without violations: got error %v", err)
	}
	found := objchange.AssertApplyConsistent(Compiled(schema), ObjectOf(List(Item(NoStr, Str("a")), Item(NoStr, Str("b")))), ObjectOf(List(Item(NoStr, Str("x")), Item(UnknownStr, Str("b")))))
	Expect(t, found, ".v[0].name inconsistent-value", ".v[1].id state-unknown")
	err := found.Err()
	if want := found[0].Error() + "\n" + found[1].Error(); err.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", err, want)
	}
	var first *objchange.Violation
	if !errors.As(err, &first) || first != found[0] {
		t.Errorf("got %v, want the first violation", first)
	}
	for _, v := range found {
		if !errors.Is(err, v) {
			t.Errorf("the error does not unwrap to %s", v)
		}
	}
}

func TestViolationsRejected(t *testing.T) {
	schema := &configschema.Block{Attributes: ItemAttrs, BlockTypes: Blocks{"a": Block(configschema.NestingList, ItemAttrs), "x": Block(configschema.NestingList, ItemAttrs)}}
	none := cty.NullVal(EmptyItems.Type())
	found := objchange.AssertStateValid(Compiled(schema), Object(Obj{"id": UnknownStr, "name": UnknownStr, "a": none, "x": none}))
	Expect(t, found, ".a state-null-blocks?", ".id state-unknown", ".name state-unknown", ".x state-null-blocks?")
	Expect(t, found.Rejected(), ".id state-unknown", ".name state-unknown")
	Expect(t, found[:1].Rejected())
	if err := found[:1].Rejected().Err(); err != nil {
		t.Errorf("without a rejected violation: got error %v", err)
	}
	if err := objchange.Violations(nil).Err(); err != nil {
		t.Errorf("without violations: got error %v", err)
	}
}

// TestViolationIsPathError checks that errors.As finds a cty.PathError in a violation.
func TestViolationIsPathError(t *testing.T) {
	schema := SchemaOf(Attr(cty.Map(cty.String), "optional"))
	found := objchange.AssertApplyConsistent(Compiled(schema), ObjectOf(MapOf(Obj{"k": Str("a")})), ObjectOf(MapOf(Obj{"k": Str("b")})))
	for name, err := range map[string]error{"one": found[0], "all": found.Err()} {
		var at cty.PathError
		if !errors.As(err, &at) || !at.Path.Equals(cty.GetAttrPath("v").IndexString("k")) || at.Error() != found[0].Message {
			t.Errorf("%s: %#v", name, at)
		}
	}
	if (*objchange.Violation)(nil).Unwrap() != nil {
		t.Error("no violation has a cause")
	}
}

// TestInputErrorHasEveryProblem checks that the error of a function that returns a value has
// all problems of its input, and that its text has the first, and the paths of the others up to a limit.
func TestInputErrorHasEveryProblem(t *testing.T) {
	schema := Compiled(&configschema.Block{Attributes: ItemAttrs})
	_, err := objchange.ProposedNew(schema, NoDynamic, Object(Obj{"idd": NoStr}))
	var unusable *objchange.InputError
	if !errors.As(err, &unusable) {
		t.Fatalf("%T is not an *InputError", err)
	}
	Expect(t, unusable.Problems, ".id type-mismatch", ".idd type-mismatch", ".name type-mismatch")
	if unwrapped := unusable.Unwrap(); len(unwrapped) != 3 || unwrapped[0] != error(unusable.Problems[0]) {
		t.Errorf("the error unwraps to %v", unwrapped)
	}
	const want = ".id: the config value lacks the attribute, which must be present with type string, as in the schema's EmptyValue " +
		"[type-mismatch]; also at .idd, .name"
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	many := slices.Repeat(unusable.Problems, 10)
	if text := (&objchange.InputError{Problems: many}).Error(); !strings.HasSuffix(text, ", .idd, .name and 9 more") {
		t.Error(text)
	}
	for _, none := range []*objchange.InputError{nil, {}, {Problems: objchange.Violations{nil}}} {
		if none.Error() != "no problem" || len(none.Unwrap()) > 0 {
			t.Errorf("the error must have no problems: %v", none)
		}
	}
}

// wrong returns the expected lines of Summary.
func wrong(lines ...string) []string { return lines }
