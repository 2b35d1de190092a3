package objchange_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// makers are the functions that make values, each with one argument open.
var makers = map[string]maker{
	"ProposedNew, prior": func(schema *objchange.Block, v cty.Value) (cty.Value, error) {
		return objchange.ProposedNew(schema, v, schema.EmptyValue())
	},
	"ProposedNew, config": func(schema *objchange.Block, v cty.Value) (cty.Value, error) {
		return objchange.ProposedNew(schema, schema.EmptyValue(), v)
	},
	"ProposedNew, both": func(schema *objchange.Block, v cty.Value) (cty.Value, error) {
		return objchange.ProposedNew(schema, v, v)
	},
	"PlannedDataResource":   objchange.PlannedDataResource,
	"PlanComputed":          objchange.PlanComputed,
	"PrepareComputedBlocks": objchange.PrepareComputedBlocks,
	"NormalizeLegacySDK":    objchange.NormalizeLegacySDK,
}

// expectRefusal checks that the error is one violation of the rule at the place.
func expectRefusal(t *testing.T, got cty.Value, err error, rule objchange.Rule, place string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, but %#v", got)
	}
	var violation *objchange.Violation
	if !errors.As(err, &violation) {
		t.Fatalf("no *Violation: %s", err)
	}
	if violation.Rule != rule || violation.PathString() != place {
		t.Errorf("got %s at %q, want %s at %q: %s", violation.Rule, violation.PathString(), rule, place, err)
	}
	if !violation.Enforced {
		t.Error("not enforced")
	}
	if got != cty.NilVal {
		t.Errorf("a value besides the error: %#v", got)
	}
}

func TestInvalidSchemaIsRefused(t *testing.T) {
	for name, schema := range map[string]*objchange.Block{
		"nil":              nil,
		"nil attribute":    withAttr(nil),
		"nil block type":   withBlock(nil),
		"no mode":          withBlock(block(0, itemAttrs)),
		"invalid at depth": withBlock(block(objchange.NestingList, attrs{"a": nested(0, "optional", itemAttrs)})),
	} {
		for what, f := range makers {
			t.Run(name+"/"+what, func(t *testing.T) {
				got, err := f(schema, noDynamic)
				expectRefusal(t, got, err, objchange.RuleInvalidInput, "")
			})
		}
	}
	_, err := objchange.PlanComputed(withBlock(block(objchange.NestingList, attrs{"a": attr(cty.NilType, "optional")})), noDynamic)
	if err == nil || !strings.Contains(err.Error(), ".v.a: ") {
		t.Errorf("the error does not say where the schema is wrong: %v", err)
	}
}

func TestZeroValueIsRefused(t *testing.T) {
	schema := withAttr(leafAttr)
	for what, f := range makers {
		if what == "NormalizeLegacySDK" || what == "ProposedNew, prior" {
			continue // a missing value is null there
		}
		t.Run(what, func(t *testing.T) {
			for _, value := range []cty.Value{cty.NilVal, asV(cty.NilVal)} {
				got, err := f(schema, value)
				expectRefusal(t, got, err, objchange.RuleInvalidInput, "")
			}
		})
	}
}

// semantics.md#data-sources: what an unknown prior value gives is what the
// placeholder of a data source is.
func TestUnknownPriorIsPlaceholder(t *testing.T) {
	schema := &objchange.Block{
		Attributes: attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional"), "v": nested(objchange.NestingSet, "optional", itemAttrs)},
		BlockTypes: blocks{"b": block(objchange.NestingList, itemAttrs)},
	}
	config := object(obj{"id": noStr, "name": str("a"), "v": set(item(noStr, str("a"))), "b": list(item(noStr, str("b")))})
	for _, config := range []cty.Value{config, schema.EmptyValue(), cty.NullVal(schema.ImpliedType()), cty.DynamicVal} {
		want, err := objchange.PlannedDataResource(schema, config)
		if err != nil {
			t.Fatal(err)
		}
		for _, prior := range []cty.Value{cty.UnknownVal(schema.ImpliedType()), cty.DynamicVal} {
			got, err := objchange.ProposedNew(schema, prior, config)
			expectValue(t, got, err, want)
		}
	}
	// Unknown values inside stay what they are.
	schema = withAttr(leafAttr)
	got, err := objchange.ProposedNew(schema, asV(unknownStr), asV(str("c")))
	expectValue(t, got, err, asV(str("c")))
}

// semantics.md#any-value: whatever has a prior value takes the zero cty.Value
// for null.
func TestZeroPriorIsNull(t *testing.T) {
	schema := withAttr(leafAttr)
	null, config := cty.NullVal(schema.ImpliedType()), asV(str("c"))
	for name, f := range map[string]func(prior cty.Value) (any, error){
		"ProposedNew":      func(p cty.Value) (any, error) { return objchange.ProposedNew(schema, p, config) },
		"IgnoreChanges":    func(p cty.Value) (any, error) { return objchange.IgnoreChanges(schema, p, config, []cty.Path{nil}) },
		"IgnoreAllChanges": func(p cty.Value) (any, error) { return objchange.IgnoreAllChanges(schema, p) },
		"AssertPlanValid": func(p cty.Value) (any, error) {
			return nil, objchange.AssertPlanValid(schema, p, config, config).Err()
		},
		"RequiredReplace": func(p cty.Value) (any, error) {
			paths, found := objchange.RequiredReplace(schema, p, config, []cty.Path{cty.GetAttrPath("v")})
			return len(paths), found.Err()
		},
		"PartialState": func(p cty.Value) (any, error) {
			state, tainted, err := objchange.PartialState(schema, p, config, cty.NilVal)
			return []any{state, tainted}, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := f(null)
			got, again := f(cty.NilVal)
			if err != nil || again != nil || !cmp.Equal(got, want, cmp.Comparer(cty.Value.RawEquals)) {
				t.Errorf("got %#v, %v; of null %#v, %v", got, again, want, err)
			}
		})
	}
}

// semantics.md#type-mismatch: what conforms when its type does.
func TestTypeMismatchIsRefused(t *testing.T) {
	single, lists := objchange.NestingSingle, objchange.NestingList
	plain := cty.Object(map[string]cty.Type{"id": cty.String, "in": itemType})
	short, long := object(obj{"id": noStr}), object(obj{"id": noStr, "name": noStr, "more": noStr})
	wrong := item(noStr, cty.True)
	tests := []struct {
		name   string
		schema *objchange.Block
		value  cty.Value // the whole
		place  string
	}{
		{"not an object", withAttr(leafAttr), str("x"), ""},
		{"a map instead of an object", withAttr(leafAttr), mapOf(obj{"v": noStr}), ""},
		{"null of another type", withAttr(leafAttr), noStr, ""},
		{"missing attribute", withAttr(leafAttr), cty.EmptyObjectVal, ".v"},
		{"extra attribute", withAttr(leafAttr), object(obj{"v": noStr, "w": noStr}), ".w"},
		{"missing block", withBlock(block(lists, itemAttrs)), cty.EmptyObjectVal, ".v"},
		{"an attribute of another type", withAttr(leafAttr), asV(num(1)), ".v"},
		{"null of another type at an attribute", withAttr(leafAttr), asV(noNum), ".v"},
		{"unknown of another type at an attribute", withAttr(leafAttr), asV(unknownNum), ".v"},
		{"null of the dynamic type at an attribute", withAttr(leafAttr), asV(noDynamic), ".v"},
		{"in a null", withAttr(leafAttr), cty.NullVal(cty.Object(map[string]cty.Type{"v": cty.Bool})), ".v"},
		{"list instead of set", withAttr(attr(cty.Set(cty.String), "optional")), asV(list(str("a"))), ".v"},
		{"wrong element type: at the collection", withAttr(attr(cty.List(cty.String), "optional")), asV(list(num(1))), ".v"},
		{"inside an attribute's object", withAttr(attr(plain, "optional")), asV(object(obj{"id": noStr, "in": wrong})), ".v.in.name"},
		{"missing inside an attribute's object", withAttr(attr(plain, "optional")), asV(object(obj{"id": noStr, "in": short})), ".v.in.name"},
		{"extra inside an attribute's object", withAttr(attr(plain, "optional")), asV(object(obj{"id": noStr, "in": long})), ".v.in.more"},
		{"a collection in an attribute's object", withAttr(attr(cty.Object(map[string]cty.Type{"l": cty.List(itemType)}), "optional")), asV(object(obj{"l": list(wrong)})), ".v.l"},
		{"inside an attribute's tuple", withAttr(attr(cty.Tuple([]cty.Type{cty.String, cty.Bool}), "optional")), asV(tuple(noStr, num(1))), ".v[1]"},
		{"an attribute's tuple of another length", withAttr(attr(cty.Tuple([]cty.Type{cty.String, cty.Bool}), "optional")), asV(tuple(noStr)), ".v"},
		{"inside a single-nested attribute", withAttr(nested(single, "optional", itemAttrs)), asV(wrong), ".v.name"},
		{"missing in a single-nested attribute", withAttr(nested(single, "optional", itemAttrs)), asV(short), ".v.name"},
		{"extra in a single-nested attribute", withAttr(nested(single, "optional", itemAttrs)), asV(long), ".v.more"},
		{"inside a list-nested attribute: at the collection", withAttr(nested(lists, "optional", itemAttrs)), asV(list(wrong)), ".v"},
		{"inside a set-nested attribute: at the collection", withAttr(nested(objchange.NestingSet, "optional", itemAttrs)), asV(set(wrong)), ".v"},
		{"inside a map-nested attribute: at the collection", withAttr(nested(objchange.NestingMap, "optional", itemAttrs)), asV(mapOf(obj{"k": wrong})), ".v"},
		{"another collection in a nested attribute", withAttr(nested(lists, "optional", itemAttrs)), asV(set(item(noStr, noStr))), ".v"},
		{"a tuple in a nested attribute", withAttr(nested(lists, "optional", itemAttrs)), asV(tuple(item(noStr, noStr))), ".v"},
		{"inside a single block", withBlock(block(single, itemAttrs)), asV(wrong), ".v.name"},
		{"inside a group block", withBlock(block(objchange.NestingGroup, itemAttrs)), asV(wrong), ".v.name"},
		{"inside a list block: at the collection", withBlock(block(lists, itemAttrs)), asV(list(wrong)), ".v"},
		{"inside a set block: at the collection", withBlock(block(objchange.NestingSet, itemAttrs)), asV(set(wrong)), ".v"},
		{"inside a map block: at the collection", withBlock(block(objchange.NestingMap, itemAttrs)), asV(mapOf(obj{"k": wrong})), ".v"},
		{"a tuple where the block is a list", withBlock(block(lists, itemAttrs)), asV(tuple(item(noStr, noStr))), ".v"},
		{"an object where the block is a map", withBlock(block(objchange.NestingMap, itemAttrs)), asV(object(obj{"k": item(noStr, noStr)})), ".v"},
		{"single in single", withBlock(block(single, nil, blocks{"w": block(single, itemAttrs)})), asV(object(obj{"w": wrong})), ".v.w.name"},
		{"several: the first in path order", &objchange.Block{Attributes: attrs{"a": leafAttr, "b": leafAttr, "c": leafAttr}}, object(obj{"c": num(1), "b": num(1), "a": noStr}), ".b"},
	}
	for _, test := range tests {
		for what, f := range makers {
			t.Run(test.name+"/"+what, func(t *testing.T) {
				got, err := f(test.schema, test.value)
				expectRefusal(t, got, err, objchange.RuleTypeMismatch, test.place)
			})
		}
	}
}

// The inside of dynamic blocks is judged when the walk arrives there.
func TestTypeMismatchInDynamicBlocks(t *testing.T) {
	lists, maps := withBlock(block(objchange.NestingList, dynAttrs)), withBlock(block(objchange.NestingMap, dynAttrs))
	within := withBlock(block(objchange.NestingMap, nil, blocks{"w": lists.BlockTypes["v"]}))
	good, wrong := item(noStr, num(1)), object(obj{"id": cty.True, "name": num(1)})
	tests := []struct {
		name   string
		schema *objchange.Block
		value  cty.Value // of v
		place  string
	}{
		{"an element with a wrong attribute", lists, tuple(good, wrong), ".v"},
		{"an element with a missing attribute", lists, tuple(object(obj{"id": noStr})), ".v"},
		{"an element that is no object", lists, tuple(str("x")), ".v"},
		{"a list, not a tuple", lists, list(good), ".v"},
		{"an object, not a tuple", lists, object(obj{"k": good}), ".v"},
		{"a string", lists, str("x"), ".v"},
		{"a key with a wrong attribute", maps, object(obj{"k": good, "l": wrong}), ".v"},
		{"a key that holds no object", maps, object(obj{"k": str("x")}), ".v"},
		{"a map, not an object", maps, mapOf(obj{"k": good}), ".v"},
		{"a tuple, not an object", maps, tuple(good), ".v"},
		{"at depth, a key being an attribute step", within, object(obj{"k": object(obj{"w": tuple(wrong)})}), ".v.k.w"},
	}
	for _, test := range tests {
		for what, f := range makers {
			if what == "ProposedNew, prior" || what == "NormalizeLegacySDK" {
				continue // the walk does not arrive there
			}
			t.Run(test.name+"/"+what, func(t *testing.T) {
				got, err := f(test.schema, asV(test.value))
				expectRefusal(t, got, err, objchange.RuleTypeMismatch, test.place)
			})
		}
	}
}

// The elements of a nested attribute are in a list or map, which cannot hold
// what a dynamically typed attribute makes of them once it has merged.
func TestMergedElementsOfDifferentTypesAreRefused(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
	lists, maps := withAttr(nested(objchange.NestingList, "optional", in)), withAttr(nested(objchange.NestingMap, "optional", in))
	deep := withBlock(block(objchange.NestingMap, lists.Attributes))
	tests := []struct {
		name          string
		schema        *objchange.Block
		prior, config cty.Value // of v
		place         string
	}{
		{"list", lists, list(anyOf(num(1))), list(anyOf(noDynamic), anyOf(noDynamic)), ".v"},
		{"map", maps, mapOf(obj{"k": anyOf(num(1))}), mapOf(obj{"k": anyOf(noDynamic), "l": anyOf(noDynamic)}), ".v"},
		{"in a dynamic block", deep, object(obj{"k": object(obj{"v": list(anyOf(num(1)))})}), object(obj{"k": object(obj{"v": list(anyOf(noDynamic), anyOf(noDynamic))})}), ".v.k.v"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(test.schema, asV(test.prior), asV(test.config))
			expectRefusal(t, got, err, objchange.RuleTypeMismatch, test.place)
		})
	}
	testMergings(t, []merging{
		{"list, all of the prior type", lists, list(anyOf(num(1)), anyOf(num(2))), list(anyOf(noDynamic), anyOf(noDynamic)), list(anyOf(num(1)), anyOf(num(2)))},
		{"list, shorter", lists, list(anyOf(num(1)), anyOf(num(2))), list(anyOf(noDynamic)), list(anyOf(num(1)))},
		{"map, all of the prior type", maps, mapOf(obj{"k": anyOf(num(1))}), mapOf(obj{"k": anyOf(noDynamic)}), mapOf(obj{"k": anyOf(num(1))})},
	})
}
