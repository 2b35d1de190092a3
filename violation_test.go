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
)

// TestViolationsAreInPathOrder checks specification.md#72-order: violations are in order of path, then
// rule.
func TestViolationsAreInPathOrder(t *testing.T) {
	numbered := func(n int, of func(i int) cty.Value) []cty.Value {
		elems := make([]cty.Value, n)
		for i := range elems {
			elems[i] = of(i)
		}
		return elems
	}
	unknownAt := func(elems []cty.Value, at ...int) []cty.Value {
		for _, i := range at {
			elems[i] = unknownStr
		}
		return elems
	}
	same := func(int) cty.Value { return str("a") }
	names := attrs{}
	values := obj{}
	for _, name := range []string{"b", "B", "a_b", "ab", "a", "é", "a1", "a10", "a9", "Z"} {
		names[name] = attr(cty.String, "computed")
		values[name] = unknownStr
	}
	keys := obj{}
	for _, key := range []string{"b", "B", "", "10", "9", "é", "a b", "ab"} {
		keys[key] = unknownStr
	}
	tests := []struct {
		name  string
		found objchange.Violations
		want  []string
	}{
		{"names by bytes", objchange.AssertStateValid(compiled(&configschema.Block{Attributes: names}), object(values)),
			wrong(".B state-unknown", ".Z state-unknown", ".a state-unknown", ".a1 state-unknown", ".a10 state-unknown", ".a9 state-unknown",
				".a_b state-unknown", ".ab state-unknown", ".b state-unknown", ".é state-unknown")},
		{"keys by bytes", objchange.AssertStateValid(compiled(schemaOf(attr(cty.Map(cty.String), "computed"))), objectOf(mapOf(keys))),
			wrong(`.v[""] state-unknown`, `.v["10"] state-unknown`, `.v["9"] state-unknown`, `.v["B"] state-unknown`, `.v["a b"] state-unknown`,
				`.v["ab"] state-unknown`, `.v["b"] state-unknown`, `.v["é"] state-unknown`)},
		{"indexes by number", objchange.AssertStateValid(compiled(schemaOf(attr(cty.List(cty.String), "computed"))), objectOf(list(unknownAt(numbered(120, same), 2, 10, 9, 110)...))),
			wrong(".v[2] state-unknown", ".v[9] state-unknown", ".v[10] state-unknown", ".v[110] state-unknown")},
		{"shorter paths first", objchange.AssertPlanConsistent(compiled(schemaOf(attr(cty.List(cty.String), "optional"))), objectOf(list(str("a"), str("b"))), objectOf(list(str("x")))),
			wrong(".v inconsistent-key", ".v[0] inconsistent-value")},
		{"step by step", objchange.AssertStateValid(compiled(schemaOfBlock(block(configschema.NestingList, attrs{"m": attr(cty.Map(cty.String), "computed"), "a": attr(cty.String, "computed")}))),
			objectOf(list(object(obj{"m": mapOf(obj{"k": unknownStr}), "a": unknownStr}), object(obj{"m": cty.UnknownVal(cty.Map(cty.String)), "a": unknownStr})))),
			wrong(".v[0].a state-unknown", `.v[0].m["k"] state-unknown`, ".v[1].a state-unknown", ".v[1].m state-unknown")},
		{"equal paths by rule", objchange.AssertStateValid(compiled(schemaOf(attr(cty.String, "optional writeonly"))), objectOf(unknownStr)),
			wrong(".v state-unknown", ".v write-only-not-null")},
		{"by rule at the root", objchange.AssertPlanConsistent(compiled(schemaOf(attr(cty.Set(cty.String), "optional"))), objectOf(set(str("a"))), objectOf(set(str("b"), str("c")))),
			wrong(".v inconsistent-count", ".v inconsistent-set-element")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { expect(t, test.found, test.want...) })
	}

	// Set elements are in set order, and each path contains its own element.
	elems := numbered(20, func(i int) cty.Value { return item(unknownStr, str(fmt.Sprintf("n%02d", i))) })
	slices.Reverse(elems)
	var got []string
	for _, v := range objchange.AssertStateValid(compiled(schemaOf(nested(configschema.NestingSet, "computed", itemAttrs))), objectOf(set(elems...))) {
		got = append(got, v.Path[1].(cty.IndexStep).Key.GetAttr("name").AsString())
	}
	if len(got) != 20 || !slices.IsSorted(got) {
		t.Errorf("set elements in order %q", got)
	}
}

// TestSameRuleAtSamePathIsReportedOnce checks specification.md#72-order: the same rule at the same
// path is reported once.
func TestSameRuleAtSamePathIsReportedOnce(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional"))
	two := objectOf(num(1))
	expect(t, objchange.AssertPlanValid(compiled(schema), two, two, two), ".v type-mismatch")
	expect(t, objchange.AssertApplyConsistent(compiled(schema), two, two), ".v type-mismatch")
	expect(t, objchange.AssertPlanValid(compiled(schema), cty.NilVal, cty.NilVal, cty.NilVal), " invalid-input")
	tuples := schemaOfBlock(block(configschema.NestingList, attrs{"wo": attr(cty.String, "optional writeonly"), "any": attr(cty.DynamicPseudoType, "optional")}))
	expect(t, objchange.AssertPlanValid(compiled(tuples), objectOf(str("a")), objectOf(str("b")), objectOf(str("c"))), ".v type-mismatch")
	maps := schemaOf(attr(cty.Map(cty.String), "optional"))
	expect(t, objchange.AssertPlanConsistent(compiled(maps), objectOf(mapOf(obj{"a": str("1"), "b": str("2")})), objectOf(mapOf(obj{"c": str("1"), "d": str("2"), "e": str("3")}))), ".v inconsistent-key")
}

// manyViolations breaks rules of all checks at many paths.
func manyViolations() objchange.Violations {
	schema := &configschema.Block{Attributes: attrs{}, BlockTypes: blocks{}}
	was, now, config, planned := obj{}, obj{}, obj{}, obj{}
	add := func(name string, v, other cty.Value) {
		was[name], now[name], config[name], planned[name] = v, other, v, other
	}
	for i := range 8 {
		name := fmt.Sprintf("attr%d", i)
		schema.Attributes[name] = attr(cty.Map(cty.String), "optional")
		add(name, mapOf(obj{"a": str("1"), "b": str("2"), "c": str("3")}), mapOf(obj{"a": str("x"), "b": unknownStr, "d": str("3")}))
		name = fmt.Sprintf("blocks%d", i)
		mode := blockModes[i%len(blockModes)]
		schema.BlockTypes[name] = block(mode, attrs{"id": attr(cty.String, "optional"), "name": attr(cty.String, "optional")},
			blocks{"in": block(configschema.NestingSet, itemAttrs), "more": block(configschema.NestingMap, itemAttrs)})
		deep := func(text string) cty.Value {
			return wrapIn(mode, object(obj{"id": str(text), "name": str(text), "in": set(item(str(text), str(text)), item(unknownStr, str("z"+text))),
				"more": mapOf(obj{"k": item(str(text), str(text)), text: item(unknownStr, str(text))})}))
		}
		add(name, deep("p"), deep("q"))
	}
	null := cty.NullVal(schema.ImpliedType())
	strings := schemaOf(attr(cty.String, "optional"))
	return slices.Concat(objchange.AssertPlanValid(compiled(schema), null, object(config), object(planned)),
		objchange.AssertPlanValid(compiled(strings), objectOf(num(1)), objectOf(cty.True), objectOf(list(num(1)))),
		objchange.AssertPlanConsistent(compiled(schema), object(was), object(now)),
		objchange.AssertApplyConsistent(compiled(schema), object(was), object(now)),
		objchange.AssertStateValid(compiled(schema), object(now)))
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
	schema := schemaOf(nested(configschema.NestingSet, "optional", itemAttrs))
	found := objchange.AssertStateValid(compiled(schema), objectOf(set(item(unknownStr, str("a")))))
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
	if want := `[{"rule":"state-unknown","path":".v[*].id","message":"` + message + `","enforced":true}]`; string(encoded) != want {
		t.Errorf("got  %s\nwant %s", encoded, want)
	}
	found[0].Phase, found[0].Enforced = objchange.PhaseRead, false
	encoded, err = json.Marshal(found[0])
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"rule":"state-unknown","path":".v[*].id","message":"` + message + `","enforced":false,"phase":"read"}`; string(encoded) != want {
		t.Errorf("got  %s\nwant %s", encoded, want)
	}
	root := objchange.AssertStateValid(compiled(schema), cty.DynamicVal)
	if got, want := root[0].Error(), message+" [state-unknown]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestViolationsErr(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	if err := objchange.AssertStateValid(compiled(schema), objectOf(emptyItems)).Err(); err != nil {
		t.Errorf("without violations: got error %v", err)
	}
	found := objchange.AssertApplyConsistent(compiled(schema), objectOf(list(item(noStr, str("a")), item(noStr, str("b")))), objectOf(list(item(noStr, str("x")), item(unknownStr, str("b")))))
	expect(t, found, ".v[0].name inconsistent-value", ".v[1].id state-unknown")
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

func TestViolationsEnforced(t *testing.T) {
	schema := &configschema.Block{Attributes: itemAttrs, BlockTypes: blocks{"a": block(configschema.NestingList, itemAttrs), "x": block(configschema.NestingList, itemAttrs)}}
	none := cty.NullVal(emptyItems.Type())
	found := objchange.AssertStateValid(compiled(schema), object(obj{"id": unknownStr, "name": unknownStr, "a": none, "x": none}))
	expect(t, found, ".a state-null-blocks?", ".id state-unknown", ".name state-unknown", ".x state-null-blocks?")
	expect(t, found.Enforced(), ".id state-unknown", ".name state-unknown")
	expect(t, found[:1].Enforced())
	if err := found[:1].Enforced().Err(); err != nil {
		t.Errorf("without an enforced violation: got error %v", err)
	}
	if err := objchange.Violations(nil).Err(); err != nil {
		t.Errorf("without violations: got error %v", err)
	}
}

// TestViolationIsPathError checks that errors.As finds a cty.PathError in a violation.
func TestViolationIsPathError(t *testing.T) {
	schema := schemaOf(attr(cty.Map(cty.String), "optional"))
	found := objchange.AssertApplyConsistent(compiled(schema), objectOf(mapOf(obj{"k": str("a")})), objectOf(mapOf(obj{"k": str("b")})))
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
// all problems of its input, and that its text names all missing attributes in one line.
func TestInputErrorHasEveryProblem(t *testing.T) {
	schema := compiled(&configschema.Block{Attributes: itemAttrs})
	_, err := objchange.ProposedNew(schema, noDynamic, object(obj{"idd": noStr}))
	var unusable *objchange.InputError
	if !errors.As(err, &unusable) {
		t.Fatalf("%T is not an *InputError", err)
	}
	expect(t, unusable.Problems, ".id type-mismatch", ".idd type-mismatch", ".name type-mismatch")
	if unwrapped := unusable.Unwrap(); len(unwrapped) != 3 || unwrapped[0] != error(unusable.Problems[0]) {
		t.Errorf("the error unwraps to %v", unwrapped)
	}
	const want = ".id: the config value lacks the attribute, which must be present with type string, as in the schema's EmptyValue; " +
		"also missing: .name; not in the schema: .idd [type-mismatch]"
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	for _, none := range []*objchange.InputError{nil, {}, {Problems: objchange.Violations{nil}}} {
		if none.Error() != "no problem" || len(none.Unwrap()) > 0 {
			t.Errorf("the error must have no problems: %v", none)
		}
	}
}

// TestViolationRules checks that every reported rule is in the list of rules.
func TestViolationRules(t *testing.T) {
	for _, v := range manyViolations() {
		if !slices.Contains(objchange.Rules(), v.Rule) || v.Rule.Info().Meaning == "" || strings.TrimSpace(v.Message) == "" {
			t.Errorf("%s has the rule %q, described as %q", v, v.Rule, v.Rule.Info().Meaning)
		}
	}
}
