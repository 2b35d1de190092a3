package objchange_test

import (
	"reflect"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A sharing is a row about one attribute or block type, named v: of which argument
// the proposed v is, to the last byte of memory, "both" if it may be either, or
// "neither".
type sharing struct {
	name          string
	schema        *configschema.Block
	prior, config cty.Value // of v
	want          string
}

// testSharings proposes v beside others that make the whole the prior value, the
// configuration or neither of them, if v allows.
func testSharings(t *testing.T, rows []sharing) {
	t.Helper()
	asBefore := neighbours{obj{"id": str("1")}, obj{"id": noStr}, nil}
	asWritten := neighbours{obj{"name": str("n")}, obj{"name": str("m")}, nil}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for beside, whole := range map[string]string{"nothing": row.want, "prior": common(row.want, "prior"), "config": common(row.want, "config"), "neither": "neither"} {
				n := map[string]neighbours{"prior": asBefore, "config": asWritten, "neither": kept.and(asWritten)}[beside]
				prior, config := n.prior(row.prior), n.config(row.config)
				got, err := objchange.ProposedNew(compiled(n.schema(row.schema)), prior, config)
				if err != nil {
					t.Fatal(err)
				}
				expectShared(t, "the whole, beside "+beside, got, prior, config, whole)
				expectShared(t, "v, beside "+beside, got.GetAttr("v"), row.prior, row.config, row.want)
			}
		})
	}
}

// and adds other neighbours.
func (n neighbours) and(o neighbours) neighbours {
	return neighbours{merge(n.before, o.before), merge(n.configured, o.configured), nil}
}

// common is what two are, of the same argument.
func common(a, b string) string {
	switch {
	case a == b || b == "both":
		return a
	case a == "both":
		return b
	}
	return "neither"
}

func expectShared(t *testing.T, what string, got, prior, config cty.Value, want string) {
	t.Helper()
	is := map[string]bool{"prior": isVery(got, prior), "config": isVery(got, config)}
	is["both"], is["neither"] = is["prior"] || is["config"], !is["prior"] && !is["config"]
	if !is[want] {
		t.Errorf("%s: want %s, got %v", what, want, is)
	}
}

// isVery reports whether two values are one: not equal content, but the same.
func isVery(a, b cty.Value) bool {
	x, y := reflect.ValueOf(a).FieldByName("v").Elem(), reflect.ValueOf(b).FieldByName("v").Elem()
	for _, v := range []*reflect.Value{&x, &y} {
		if v.Kind() == reflect.Struct {
			*v = v.Field(0) // of a set, its elements by hash
		}
	}
	switch {
	case x.Kind() != y.Kind():
		return false
	case x.Kind() == reflect.Map || x.Kind() == reflect.Slice:
		return x.Pointer() == y.Pointer()
	}
	return a.RawEquals(b)
}

// Where nothing differs from the configuration or from the prior value, that very
// value is returned, at every depth.
func TestProposedNewReturnsTheVeryValue(t *testing.T) {
	p, same, other := item(str("1"), str("a")), item(noStr, str("a")), item(noStr, str("b"))
	for _, mode := range blockModes {
		schemas := map[string]*configschema.Block{"block": schemaOfBlock(block(mode, itemAttrs)), "attribute": schemaOf(nested(mode, "optional", itemAttrs))}
		for kind, schema := range schemas {
			t.Run(mode.String()+" "+kind, func(t *testing.T) {
				in := func(v cty.Value) cty.Value { return heldIn(mode, v) }
				testSharings(t, []sharing{
					{"nothing changes and nothing is computed", schema, in(same), in(same), "both"},
					{"nothing changes and all is configured", schema, in(p), in(p), "both"},
					{"nothing changes, the id is computed", schema, in(p), in(same), "prior"},
					{"the name changes, no id is computed", schema, in(same), in(other), "config"},
					{"the id is configured anew", schema, in(p), in(item(str("2"), str("a"))), "config"},
				})
				if mode == configschema.NestingSet {
					return
				}
				testSharings(t, []sharing{
					{"the name changes, the id is computed", schema, in(p), in(other), "neither"},
				})
			})
		}
	}
	p2, same2, other2 := item(str("2"), str("c")), item(noStr, str("c")), item(noStr, str("d"))
	single, lists := schemaOf(nested(configschema.NestingSingle, "optional", itemAttrs)), schemaOf(nested(configschema.NestingList, "optional", itemAttrs))
	sets, maps := schemaOfBlock(block(configschema.NestingSet, itemAttrs)), schemaOf(nested(configschema.NestingMap, "optional", itemAttrs))
	tuples := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	deep := schemaOfBlock(block(configschema.NestingSingle, nil, blocks{"v": block(configschema.NestingList, itemAttrs)}))
	open := attrs{"id": attr(cty.String, "computed"), "any": attr(cty.DynamicPseudoType, "optional computed")}
	anyOf := func(id cty.Value) cty.Value { return object(obj{"id": id, "any": noDynamic}) }
	testSharings(t, []sharing{
		{"single: a null of no type", schemaOf(nested(configschema.NestingSingle, "optional", open)), anyOf(str("1")), anyOf(noStr), "prior"},
		{"single: not there", single, noItem, noItem, "both"},
		{"single: null before", single, noItem, same, "config"},
		{"list: empty", lists, emptyItems, emptyItems, "both"},
		{"list: null", lists, nullOf(lists), nullOf(lists), "both"},
		{"list: nothing before", lists, emptyItems, list(same), "config"},
		{"list: unknown before, as the configured ids", lists, cty.UnknownVal(cty.List(itemType)), list(item(str("1"), str("a"))), "config"},
		{"list: nothing changes in two", lists, list(p, p2), list(same, same2), "prior"},
		{"list: the last changes", lists, list(p, p2), list(same, other2), "neither"},
		{"list: the last changes, no id is computed", lists, list(same, same2), list(same, other2), "config"},
		{"list: the first changes, no id is computed", lists, list(same, same2), list(other, same2), "config"},
		{"list: a null element", lists, list(p, noItem), list(same, noItem), "prior"},
		{"list: a null element, all configured", lists, list(p, noItem), list(p, noItem), "both"},
		{"list: longer", lists, list(same), list(same, other2), "config"},
		{"list: shorter", lists, list(p, p2), list(p), "config"},
		{"map: a null element", maps, mapOf(obj{"k": p, "l": noItem}), mapOf(obj{"k": same, "l": noItem}), "prior"},
		{"set: nothing changes in two", sets, set(p, p2), set(same, same2), "prior"},
		{"set: a null element", sets, set(p, noItem), set(same, noItem), "prior"},
		{"set before, and no more", schemaOf(nested(configschema.NestingList, "optional computed", itemAttrs)), list(item(str("1"), str("a"))), nullOf(lists), "config"},
		{"set: one more, no id is computed", sets, set(same), set(same, other2), "config"},
		{"tuple: nothing changes in two", tuples, tuple(p, p2), tuple(same, same2), "prior"},
		{"tuple: the last changes, no id is computed", tuples, tuple(same, same2), tuple(same, item(noStr, num(1))), "config"},
		{"deep: nothing changes", deep, objectOf(list(p, p2)), objectOf(list(same, same2)), "prior"},
		{"deep: no id is computed", deep, objectOf(list(same)), objectOf(list(other)), "config"},
	})
}

// Numbers may be equal and yet be encoded otherwise: a configured one is proposed as it
// is configured, every time.
func TestProposedNewNumbersAsConfigured(t *testing.T) {
	schema := schemaOf(nested(configschema.NestingSingle, "optional", attrs{"n": attr(cty.Number, "optional"), "id": attr(cty.String, "computed"), "name": attr(cty.String, "optional")}))
	of := func(n cty.Value, id, name string) cty.Value {
		v := obj{"n": n, "id": noStr, "name": str(name)}
		if id != "" {
			v["id"] = str(id)
		}
		return objectOf(cty.ObjectVal(v))
	}
	float, decimal := cty.NumberFloatVal(0.1), cty.MustParseNumberVal("0.1")
	if !float.RawEquals(decimal) {
		t.Fatal("they are not equal")
	}
	for range 50 { // the order of attributes is another each time
		for _, name := range []string{"a", "b"} {
			got, err := objchange.ProposedNew(compiled(schema), of(float, "1", "a"), of(decimal, "", name))
			if err != nil {
				t.Fatal(err)
			}
			v := got.GetAttr("v")
			if v.GetAttr("n").AsBigFloat().Cmp(decimal.AsBigFloat()) != 0 || !v.GetAttr("id").RawEquals(str("1")) {
				t.Fatalf("%s: proposed %#v", name, v)
			}
		}
	}
}
