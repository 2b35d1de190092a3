package objchange_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// semantics.md#what-is-not-shown: no message shows a sensitive or marked value.
// Here they all hold the canary, which must not sing.
const canary = "canary"

// showsCanary reports whether the canary is in anything that a violation shows.
func showsCanary(t *testing.T, v *objchange.Violation) bool {
	t.Helper()
	encoded, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	shown := []string{v.Message, v.PathString(), v.Error(), string(encoded), objchange.Violations{v}.Err().Error()}
	return strings.Contains(strings.Join(shown, "\n"), canary)
}

// expectHidden expects violations as summary writes them, and no canary.
func expectHidden(t *testing.T, found objchange.Violations, want ...string) {
	t.Helper()
	expect(t, found, want...)
	for _, v := range found {
		if showsCanary(t, v) {
			t.Errorf("a sensitive value shows in: %s", v)
		}
	}
}

// expectShown expects that the canary is shown, so that it means something
// where it is not.
func expectShown(t *testing.T, found objchange.Violations) {
	t.Helper()
	for _, v := range found {
		if showsCanary(t, v) {
			return
		}
	}
	t.Errorf("nothing is shown in: %v", found)
}

// places are where an attribute can be sensitive, itself and around or inside
// the values that a message would show.
func places(name *configschema.Attribute, outer string) map[string]*configschema.Block {
	inner := attrs{"id": attr(cty.String, "computed"), "name": name}
	schemas := map[string]*configschema.Block{}
	for _, mode := range attributeModes {
		schemas["nested "+mode.String()] = schemaOf(nested(mode, outer, inner))
	}
	for _, mode := range blockModes {
		schemas["block "+mode.String()] = schemaOfBlock(block(mode, inner))
		schemas["block in block "+mode.String()] = schemaOfBlock(block(configschema.NestingGroup, nil, blocks{"in": block(mode, inner)}))
	}
	return schemas
}

// fill makes the value of v that holds one item, wherever it goes.
func fill(schema *configschema.Block, v cty.Value) cty.Value {
	if a := schema.Attributes["v"]; a != nil {
		return heldIn(a.NestedType.Nesting, v)
	}
	nb := schema.BlockTypes["v"]
	if in := nb.BlockTypes["in"]; in != nil {
		return heldIn(nb.Nesting, object(obj{"in": heldIn(in.Nesting, v)}))
	}
	return heldIn(nb.Nesting, v)
}

// everyMessage breaks each rule whose message shows values.
func everyMessage(schema *configschema.Block) objchange.Violations {
	of := func(name cty.Value) cty.Value { return objectOf(fill(schema, item(noStr, name))) }
	null := cty.NullVal(schema.ImpliedType())
	one, two := str(canary+"1"), str(canary+"2")
	long := unknownStr.Refine().StringPrefixFull(canary + "3").NewValue()
	found := objchange.AssertPlanValid(compiled(schema), of(str(canary+"0")), of(one), of(two))
	found = append(found, objchange.AssertPlanValid(compiled(schema), null, of(noStr), of(two))...)
	found = append(found, objchange.AssertPlanValid(compiled(schema), null, of(one), of(long))...)
	for _, check := range []func(*objchange.Schema, cty.Value, cty.Value) objchange.Violations{objchange.AssertPlanConsistent, objchange.AssertApplyConsistent} {
		found = append(found, check(compiled(schema), of(one), of(two))...)
		found = append(found, check(compiled(schema), of(noStr), of(two))...)
		found = append(found, check(compiled(schema), of(one), of(noStr))...)
		found = append(found, check(compiled(schema), of(long), of(two))...)
		if schema.Attributes["v"] != nil { // the nested attribute itself
			found = append(found, check(compiled(schema), objectOf(nullOf(schema)), of(two))...)
			found = append(found, check(compiled(schema), of(one), objectOf(nullOf(schema)))...)
			found = append(found, check(compiled(schema), objectOf(cty.UnknownVal(nullOf(schema).Type()).RefineNotNull()), objectOf(nullOf(schema)))...)
		}
	}
	if schema.Attributes["v"] != nil {
		found = append(found, objchange.AssertPlanValid(compiled(schema), null, objectOf(nullOf(schema)), of(two))...)
	}
	return found
}

func TestSensitiveAttributesAreHidden(t *testing.T) {
	optional, hidden := attr(cty.String, "optional"), attr(cty.String, "optional sensitive")
	for name, schema := range places(optional, "optional") {
		t.Run(name+", nothing sensitive", func(t *testing.T) { expectShown(t, everyMessage(schema)) })
	}
	for variant, schemas := range map[string]map[string]*configschema.Block{
		"itself, or inside what is shown": places(hidden, "optional"),
		"above":                           places(optional, "optional sensitive"),
	} {
		for name, schema := range schemas {
			if variant == "above" && !strings.HasPrefix(name, "nested") {
				continue
			}
			t.Run(name+", "+variant, func(t *testing.T) {
				found := everyMessage(schema)
				if len(found) < 8 {
					t.Errorf("only %d violations", len(found))
				}
				for _, v := range found {
					if showsCanary(t, v) {
						t.Errorf("a sensitive value shows in: %s", v)
					}
				}
			})
		}
	}
	// Sensitive is what is deep inside, or far above.
	deep := func(flags, innerFlags string) *configschema.Block {
		return schemaOf(nested(configschema.NestingSet, flags, attrs{"in": nested(configschema.NestingList, "optional", attrs{
			"more": nested(configschema.NestingSingle, "optional", attrs{"name": attr(cty.String, innerFlags)})})}))
	}
	of := func(name string) cty.Value {
		return objectOf(set(object(obj{"in": list(object(obj{"more": object(obj{"name": str(name)})}))})))
	}
	null := cty.NullVal(of("").Type())
	expectShown(t, objchange.AssertPlanConsistent(compiled(deep("optional", "optional")), of(canary), of("x")))
	expectHidden(t, objchange.AssertPlanConsistent(compiled(deep("optional", "optional sensitive")), of(canary), of("x")), ".v inconsistent-set-element")
	expectHidden(t, objchange.AssertPlanConsistent(compiled(deep("optional sensitive", "optional")), of(canary), of("x")), ".v inconsistent-sensitive")
	expectHidden(t, objchange.AssertPlanValid(compiled(deep("optional", "optional sensitive")), null, of("x"), of(canary)), ".v plan-set-element?")
	expectHidden(t, objchange.AssertPlanValid(compiled(deep("optional sensitive", "optional")), null, of(canary), of("x")), ".v plan-set-element?")
}

// A markShape is a schema, the values of a plan and where they may be marked.
type markShape struct {
	name                   string
	schema                 *configschema.Block
	prior, config, planned cty.Value // of v
	marks                  []cty.Path
}

func markShapes() []markShape {
	p, c, n := str(canary+"-p"), str(canary+"-c"), str(canary+"-n")
	v := cty.GetAttrPath("v")
	whole := []cty.Path{{}, v}
	texts := schemaOf(attr(cty.List(cty.String), "optional"))
	both := schemaOf(nested(configschema.NestingSet, "optional", attrs{"name": attr(cty.String, "optional"), "more": attr(cty.String, "optional")}))
	pair := func(a, b cty.Value) cty.Value { return object(obj{"name": a, "more": b}) }
	shapes := []markShape{
		{"attribute", schemaOf(attr(cty.String, "optional")), p, c, n, whole},
		{"attribute not configured", schemaOf(attr(cty.String, "optional")), p, noStr, n, whole},
		{"attribute made null", schemaOf(attr(cty.String, "optional")), p, c, noStr, whole},
		{"attribute without prior", schemaOf(attr(cty.String, "optional")), noStr, c, n, whole},
		{"list", texts, list(p, p), list(c, c), list(n, n), append(whole, v.IndexInt(1))},
		{"map of the dynamic type", schemaOf(attr(cty.DynamicPseudoType, "optional")), mapOf(obj{"k": p}), mapOf(obj{"k": c}), mapOf(obj{"k": n}), append(whole, v.IndexString("k"))},
		{"set", schemaOf(attr(cty.Set(cty.String), "optional")), set(p), set(c), set(n), whole},
		{"nested attribute not configured", schemaOf(nested(configschema.NestingList, "optional", itemAttrs)), list(item(noStr, p)), nullOf(schemaOf(nested(configschema.NestingList, "optional", itemAttrs))),
			list(item(noStr, n)), append(whole, v.IndexInt(0), v.IndexInt(0).GetAttr("name"))},
		{"a sibling in a set", both, set(pair(p, p)), set(pair(c, c)), set(pair(n, n)), whole},
		{"blocks of the dynamic type", schemaOfBlock(block(configschema.NestingMap, dynAttrs)), object(obj{"k": item(noStr, p)}), object(obj{"k": item(noStr, c)}), object(obj{"k": item(noStr, n)}),
			append(whole, v.GetAttr("k"), v.GetAttr("k").GetAttr("name"))},
	}
	steps := map[configschema.NestingMode]cty.Path{configschema.NestingSingle: v, configschema.NestingGroup: v, configschema.NestingList: v.IndexInt(0), configschema.NestingMap: v.IndexString("k")}
	for _, mode := range blockModes {
		marks := whole
		if at, ok := steps[mode]; ok {
			marks = append(whole, at, at.GetAttr("name"))
		}
		shapes = append(shapes, markShape{mode.String() + " blocks", schemaOfBlock(block(mode, itemAttrs)), heldIn(mode, item(noStr, p)), heldIn(mode, item(noStr, c)), heldIn(mode, item(noStr, n)), marks})
		if mode != configschema.NestingGroup {
			shapes = append(shapes, markShape{mode.String() + " nested attribute", schemaOf(nested(mode, "optional", itemAttrs)), heldIn(mode, item(noStr, p)), heldIn(mode, item(noStr, c)), heldIn(mode, item(noStr, n)), marks})
		}
	}
	return shapes
}

// markedAt returns the value with a mark at the path, if there is anything.
func markedAt(v cty.Value, path cty.Path) cty.Value {
	return v.MarkWithPaths([]cty.PathValueMarks{{Path: path, Marks: cty.NewValueMarks("secret")}})
}

// allPlaces writes where violations are, shown or not, and their rules.
func allPlaces(vs objchange.Violations) []string {
	lines := []string{}
	for _, v := range vs {
		lines = append(lines, fmt.Sprintf("%s %s %t", objchange.PathString(v.Path), v.Rule, v.Enforced))
	}
	return lines
}

// semantics.md#what-is-not-shown: marks in any argument hide the values of all,
// and change nothing else.
func TestMarkedValuesAreHidden(t *testing.T) {
	for _, s := range markShapes() {
		for i, argument := range []string{"prior", "config", "planned"} {
			for _, path := range s.marks {
				args := [3]cty.Value{objectOf(s.prior), objectOf(s.config), objectOf(s.planned)}
				marked := args
				if marked[i] = markedAt(args[i], path); !marked[i].ContainsMarked() {
					continue // there is nothing to mark
				}
				name := objchange.PathString(path)
				t.Run(s.name+"/"+argument+" marked at "+name, func(t *testing.T) {
					bare := objchange.AssertPlanValid(compiled(s.schema), args[0], args[1], args[2])
					expectShown(t, bare)
					found := objchange.AssertPlanValid(compiled(s.schema), marked[0], marked[1], marked[2])
					if diff := cmp.Diff(allPlaces(bare), allPlaces(found)); diff != "" {
						t.Errorf("marks change what is found (-without +with):\n%s", diff)
					}
					expectHidden(t, found, summary(found)...)
					if i == 0 {
						return
					}
					for _, check := range []func(*objchange.Schema, cty.Value, cty.Value) objchange.Violations{objchange.AssertPlanConsistent, objchange.AssertApplyConsistent} {
						expectShown(t, check(compiled(s.schema), args[1], args[2]))
						found := check(compiled(s.schema), marked[1], marked[2])
						if len(found) == 0 {
							t.Error("marks make all well")
						}
						expectHidden(t, found, summary(found)...)
					}
				})
			}
		}
	}
	// Inside a set, marks are the set's.
	schema := schemaOf(nested(configschema.NestingSet, "optional", pairAttrs))
	of := func(name, more cty.Value) cty.Value { return objectOf(set(object(obj{"name": name, "more": more}))) }
	expectHidden(t, objchange.AssertPlanConsistent(compiled(schema), of(str(canary), str("a").Mark("m")), of(str("x"), str("a"))), ".v inconsistent-sensitive")
	expectHidden(t, objchange.AssertPlanValid(compiled(schema), of(noStr, noStr), of(str("x"), str("a").Mark("m")), of(str(canary), str("a"))), ".v plan-set-element?")
	expectHidden(t, objchange.AssertPlanValid(compiled(schema), of(str(canary), str("q").Mark("m")), of(str("x"), str("a")), of(str(canary+"2"), str("a"))), ".v plan-set-element?")
}

// Marks alone break no rule.
func TestMarksAreIgnored(t *testing.T) {
	for _, s := range markShapes() {
		for _, path := range s.marks {
			bare := objectOf(s.config)
			marked := markedAt(bare, path)
			for _, v := range [][2]cty.Value{{bare, marked}, {marked, bare}, {marked, marked}} {
				t.Run(s.name+objchange.PathString(path), func(t *testing.T) {
					expect(t, objchange.AssertPlanValid(compiled(s.schema), objectOf(s.prior), v[0], v[1]))
					expect(t, objchange.AssertPlanValid(compiled(s.schema), v[0], v[1], v[0]))
					expect(t, objchange.AssertPlanConsistent(compiled(s.schema), v[0], v[1]))
					expect(t, objchange.AssertApplyConsistent(compiled(s.schema), v[0], v[1]))
					expect(t, objchange.AssertStateValid(compiled(s.schema), v[1]))
				})
			}
		}
	}
}

// pairAttrs are two plain attributes.
var pairAttrs = attrs{"name": attr(cty.String, "optional"), "more": attr(cty.String, "optional")}

// semantics.md#what-is-not-shown: keys of a map below something sensitive are
// hidden in text and JSON. The path itself holds them.
func TestKeysBelowSensitiveAreHidden(t *testing.T) {
	text, hidden := attr(cty.String, "optional"), attr(cty.String, "optional sensitive")
	texts, hiddenTexts := attr(cty.Map(cty.String), "optional"), attr(cty.Map(cty.String), "optional sensitive")
	k := func(v cty.Value) cty.Value { return mapOf(obj{canary: v}) }
	name := func(v cty.Value) cty.Value { return object(obj{"name": v}) }
	a, b := str("a"), str("b")
	secretMap := schemaOf(nested(configschema.NestingMap, "optional sensitive", attrs{"name": text}))
	plainMap := schemaOf(nested(configschema.NestingMap, "optional", attrs{"name": text}))
	inList := schemaOf(nested(configschema.NestingList, "optional", attrs{"name": hiddenTexts}))
	deep := schemaOf(nested(configschema.NestingList, "optional sensitive", attrs{"name": nested(configschema.NestingMap, "optional", attrs{"name": text})}))
	data := schemaOf(nested(configschema.NestingSingle, "optional", attrs{"name": attr(cty.DynamicPseudoType, "optional sensitive")}))
	mapBlocks, objects := schemaOfBlock(block(configschema.NestingMap, attrs{"name": text})), schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	secretWrite := schemaOf(nested(configschema.NestingMap, "optional sensitive", attrs{"name": attr(cty.String, "optional writeonly")}))
	plainWrite := schemaOf(nested(configschema.NestingMap, "optional", attrs{"name": attr(cty.String, "optional writeonly")}))
	dyn := func(v cty.Value) cty.Value { return object(obj{canary: item(noStr, v)}) }
	tests := []struct {
		name  string
		found objchange.Violations
		want  string
	}{
		{"planned, sensitive above", objchange.AssertPlanValid(compiled(secretMap), objectOf(nullOf(secretMap)), objectOf(k(name(a))), objectOf(k(name(b)))), ".v[(sensitive)].name plan-not-config"},
		{"planned, sensitive far above", objchange.AssertPlanValid(compiled(deep), objectOf(nullOf(deep)), objectOf(list(name(k(name(a))))), objectOf(list(name(k(name(b)))))), ".v[0].name[(sensitive)].name plan-not-config"},
		{"planned, prior marked", objchange.AssertPlanValid(compiled(plainMap), objectOf(k(name(a)).Mark("m")), objectOf(k(name(a))), objectOf(k(name(b)))), ".v[(sensitive)].name plan-not-config"},
		{"planned, config marked", objchange.AssertPlanValid(compiled(plainMap), objectOf(nullOf(plainMap)), objectOf(k(name(a)).Mark("m")), objectOf(k(name(b)))), ".v[(sensitive)].name plan-not-config"},
		{"planned, itself marked", objchange.AssertPlanValid(compiled(plainMap), objectOf(nullOf(plainMap)), objectOf(k(name(a))), objectOf(k(name(b)).Mark("m"))), ".v[(sensitive)].name plan-not-config"},
		{"planned, root marked", objchange.AssertPlanValid(compiled(plainMap), objectOf(nullOf(plainMap)), objectOf(k(name(a))).Mark("m"), objectOf(k(name(b)))), ".v[(sensitive)].name plan-not-config"},
		{"planned blocks, prior marked", objchange.AssertPlanValid(compiled(mapBlocks), objectOf(k(name(a)).Mark("m")), objectOf(k(name(a))), objectOf(k(cty.UnknownVal(name(a).Type())))), ".v[(sensitive)] plan-unknown-block"},
		{"planned blocks, config marked", objchange.AssertPlanValid(compiled(mapBlocks), objectOf(nullOf(mapBlocks)), objectOf(k(name(a)).Mark("m")), objectOf(k(cty.NullVal(name(a).Type())))), ".v[(sensitive)] plan-absent"},
		{"planned blocks of the dynamic type, config marked", objchange.AssertPlanValid(compiled(objects), objectOf(noDynamic), objectOf(dyn(a).Mark("m")), objectOf(dyn(b))), ".v[(sensitive)].name plan-not-config"},
		{"planned write-only, sensitive above", objchange.AssertPlanValid(compiled(secretWrite), objectOf(nullOf(secretWrite)), objectOf(k(name(a))), objectOf(k(name(a)))), ".v[(sensitive)].name write-only-not-null"},
		{"planned write-only, itself marked", objchange.AssertPlanValid(compiled(plainWrite), objectOf(nullOf(plainWrite)), objectOf(k(name(a))), objectOf(k(name(a)).Mark("m"))), ".v[(sensitive)].name write-only-not-null"},
		{"planned write-only, config marked", objchange.AssertPlanValid(compiled(plainWrite), objectOf(nullOf(plainWrite)), objectOf(k(name(a)).Mark("m")), objectOf(k(name(a)))), ".v[(sensitive)].name write-only-not-null"},

		{"final, a sensitive map in a nested attribute", objchange.AssertPlanConsistent(compiled(inList), objectOf(list(name(k(a)))), objectOf(list(name(k(b))))), ".v[0].name[(sensitive)] inconsistent-value"},
		{"final, a sensitive value that the data names", objchange.AssertPlanConsistent(compiled(data), objectOf(name(object(obj{canary: a}))), objectOf(name(object(obj{canary: b})))), ".v.name[(sensitive)] inconsistent-value"},
		{"final, blocks marked before", objchange.AssertPlanConsistent(compiled(mapBlocks), objectOf(k(name(a)).Mark("m")), objectOf(k(cty.NullVal(name(a).Type())))), ".v[(sensitive)] inconsistent-presence"},
		{"final, blocks marked after", objchange.AssertPlanConsistent(compiled(mapBlocks), objectOf(k(name(a))), objectOf(k(cty.NullVal(name(a).Type())).Mark("m"))), ".v[(sensitive)] inconsistent-presence"},
		{"final, root marked", objchange.AssertPlanConsistent(compiled(mapBlocks), objectOf(k(name(a))).Mark("m"), objectOf(k(cty.NullVal(name(a).Type())))), ".v[(sensitive)] inconsistent-presence"},
		{"final, blocks of the dynamic type marked", objchange.AssertPlanConsistent(compiled(objects), objectOf(dyn(a)).Mark("m"), objectOf(object(obj{canary: cty.NullVal(dynType)}))), ".v[(sensitive)] inconsistent-presence"},

		{"configuration, sensitive", objchange.AssertConfigConsistent(compiled(schemaOf(hiddenTexts)), objectOf(k(a)), objectOf(k(b))), ".v[(sensitive)] inconsistent-value"},
		{"configuration, sensitive above", objchange.AssertConfigConsistent(compiled(secretMap), objectOf(k(name(a))), objectOf(k(name(b)))), ".v[(sensitive)].name inconsistent-value"},

		{"state, sensitive", objchange.AssertStateValid(compiled(schemaOf(hiddenTexts)), objectOf(k(unknownStr))), ".v[(sensitive)] state-unknown"},
		{"state, sensitive above", objchange.AssertStateValid(compiled(secretMap), objectOf(k(name(unknownStr)))), ".v[(sensitive)].name state-unknown"},
		{"state, marked", objchange.AssertStateValid(compiled(schemaOf(texts)), objectOf(k(unknownStr).Mark("m"))), ".v[(sensitive)] state-unknown"},
		{"state, root marked", objchange.AssertStateValid(compiled(schemaOf(texts)), objectOf(k(unknownStr)).Mark("m")), ".v[(sensitive)] state-unknown"},
		{"state, write-only", objchange.AssertStateValid(compiled(secretWrite), objectOf(k(name(a)))), ".v[(sensitive)].name write-only-not-null"},
		{"applied, marked in the plan", objchange.AssertApplyConsistent(compiled(schemaOf(texts)), objectOf(k(unknownStr).Mark("m")), objectOf(k(unknownStr))), ".v[(sensitive)] state-unknown"},
		{"applied write-only, marked in the plan", objchange.AssertApplyConsistent(compiled(plainWrite), objectOf(k(name(str("a"))).Mark("m")), objectOf(k(name(str("a"))))), ".v[(sensitive)].name write-only-not-null"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expectHidden(t, test.found, test.want)
			if found := allPlaces(test.found); len(found) != 1 || !strings.Contains(found[0], canary) {
				t.Errorf("the path does not hold the key: %q", found)
			}
		})
	}
	// What is not below it is shown.
	held := schemaOf(nested(configschema.NestingMap, "optional", attrs{"name": hidden}))
	expect(t, objchange.AssertStateValid(compiled(held), objectOf(k(name(unknownStr)))), `.v["canary"].name state-unknown`)
	expect(t, objchange.AssertConfigConsistent(compiled(schemaOf(hiddenTexts)), cty.NullVal(schemaOf(hiddenTexts).ImpliedType()), objectOf(k(unknownStr))), " inconsistent-value", ".v[(sensitive)] config-unknown")
	sets, plain := schemaOf(attr(cty.Set(cty.Map(cty.String)), "optional")), schemaOf(attr(name(a).Type(), "optional sensitive"))
	expect(t, objchange.AssertStateValid(compiled(sets), objectOf(set(k(unknownStr)))), `.v[*]["canary"] state-unknown`)
	expect(t, objchange.AssertStateValid(compiled(plain), objectOf(name(unknownStr))), ".v.name state-unknown") // a name that the schema gives
	expect(t, objchange.AssertStateValid(compiled(schemaOf(texts)), objectOf(k(unknownStr.Mark("m")))), `.v["canary"] state-unknown`)
	expect(t, objchange.AssertStateValid(compiled(&configschema.Block{Attributes: attrs{"a": hiddenTexts, "b": texts}}), object(obj{"a": k(unknownStr), "b": k(unknownStr)})),
		".a[(sensitive)] state-unknown", `.b["canary"] state-unknown`)
	expect(t, objchange.AssertStateValid(compiled(&configschema.Block{Attributes: attrs{"a": texts, "b": texts}}), object(obj{"a": k(unknownStr).Mark("m"), "b": k(unknownStr)})),
		".a[(sensitive)] state-unknown", `.b["canary"] state-unknown`)
}

// Names in the data below something sensitive are hidden in errors of functions
// that make values, and where the type does not conform.
func TestDataNamesBelowSensitiveAreHidden(t *testing.T) {
	inner := attrs{"l": nested(configschema.NestingList, "optional", attrs{"d": attr(cty.DynamicPseudoType, "optional computed")})}
	schema := schemaOf(nested(configschema.NestingMap, "optional sensitive", inner))
	of := func(a, b cty.Value) cty.Value {
		return objectOf(mapOf(obj{"hunter2": object(obj{"l": list(object(obj{"d": a}), object(obj{"d": b}))})}))
	}
	_, err := objchange.ProposedNew(compiled(schema), of(num(1), num(2)), of(noStr, str("x")))
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	plain := schemaOf(attr(cty.Object(map[string]cty.Type{"a": cty.String}), "optional sensitive"))
	found := objchange.AssertStateValid(compiled(plain), objectOf(object(obj{"a": str("x"), "hunter2": str("y")})))
	if len(found) != 1 || strings.Contains(found[0].Error(), "hunter2") {
		t.Error(found)
	}
}

// Where the type of a whole block differs, the way to the place has keys. They are not
// told if something below the block is secret, by the schema or by a mark.
func TestKeysInTypesAreHidden(t *testing.T) {
	for _, flags := range []string{"optional", "optional sensitive"} {
		schema := schemaOfBlock(block(configschema.NestingSingle, attrs{"any": attr(cty.DynamicPseudoType, flags)}))
		value := func(inside cty.Value) cty.Value {
			return object(obj{"v": object(obj{"any": object(obj{canary: inside})})})
		}
		marked := func(inside cty.Value) cty.Value {
			return object(obj{"v": object(obj{"any": object(obj{canary: inside}).Mark("secret")})})
		}
		found := objchange.AssertConfigConsistent(compiled(schema), value(str("a")), value(num(1)))
		if flags == "optional" {
			expectShown(t, found)
		} else {
			expectHidden(t, found, ".v inconsistent-type")
		}
		expectHidden(t, objchange.AssertConfigConsistent(compiled(schema), marked(str("a")), marked(num(1))), ".v inconsistent-type")
	}
}

// What became of computed blocks that were unknown is shown if nothing in them is
// sensitive.
func TestComputedBlocksAreHidden(t *testing.T) {
	for flags, shown := range map[string]bool{"computed": true, "computed sensitive": false} {
		nb := computed(block(configschema.NestingList, attrs{"name": attr(cty.String, flags)}))
		planned := cty.UnknownVal(nb.ImpliedType()).Refine().CollectionLengthLowerBound(2).NewValue()
		found := objchange.AssertApplyConsistent(compiled(schemaOfBlock(nb)),
			object(obj{"v": planned}), object(obj{"v": list(object(obj{"name": str(canary)}))}))
		if shown {
			expect(t, found, ".v inconsistent-refinement")
			expectShown(t, found)
		} else {
			expectHidden(t, found, ".v inconsistent-refinement")
		}
	}
}

// The same is so of computed blocks that were unknown, of a type that was known.
func TestKeysInTypesOfComputedBlocksAreHidden(t *testing.T) {
	for flags, shown := range map[string]bool{"computed": true, "computed sensitive": false} {
		nb := computed(block(configschema.NestingList, attrs{"any": attr(cty.DynamicPseudoType, flags)}))
		blocks := func(inside cty.Value) cty.Value { return tuple(object(obj{"any": object(obj{canary: inside})})) }
		found := objchange.AssertApplyConsistent(compiled(schemaOfBlock(nb)),
			object(obj{"v": cty.UnknownVal(blocks(str("a")).Type())}), object(obj{"v": blocks(num(1))}))
		if shown {
			expect(t, found, ".v inconsistent-type")
			expectShown(t, found)
		} else {
			expectHidden(t, found, ".v inconsistent-type")
		}
	}
}

// All elements of a collection have one type. What is null or unknown in one does not
// show the names that another one has in what is marked.
func TestTypesOfMarkedSiblingsAreHidden(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingMap} {
		nestedIn, plain := schemaOf(nested(mode, "optional", in)), schemaOf(attr(typeHeldIn(mode, cty.DynamicPseudoType), "optional"))
		for _, schema := range []*configschema.Block{nestedIn, plain} {
			var states []cty.Value
			for _, key := range []string{"canary1", "canary2"} {
				secret := object(obj{key: str("v")})
				null, unknown := cty.NullVal(secret.Type()), cty.UnknownVal(secret.Type())
				for _, first := range []cty.Value{null, unknown, unknown.RefineNotNull()} {
					for _, pair := range [][2]cty.Value{{first, secret.Mark("m")}, {object(obj{"x": first}), object(obj{"x": secret.Mark("m")})},
						{cty.ListValEmpty(secret.Type()), list(secret).Mark("m")}} {
						if schema == nestedIn {
							pair = [2]cty.Value{object(obj{"any": pair[0]}), object(obj{"any": pair[1]})}
						}
						states = append(states, objectOf(heldTwice(mode, pair[0], pair[1])))
					}
				}
			}
			for _, a := range states {
				for _, b := range states {
					found := slices.Concat(objchange.AssertPlanConsistent(compiled(schema), a, b), objchange.AssertApplyConsistent(compiled(schema), a, b), objchange.AssertConfigConsistent(compiled(schema), a, b))
					for _, prior := range states[:3] {
						found = append(found, objchange.AssertPlanValid(compiled(schema), prior, a, b)...)
					}
					changes, err := objchange.Diff(compiled(schema), a, b)
					if text := fmt.Sprint(found, changes, err); strings.Contains(text, canary) {
						t.Fatal(text)
					}
				}
			}
		}
	}
}

func heldTwice(mode configschema.NestingMode, a, b cty.Value) cty.Value {
	if mode == configschema.NestingMap {
		return mapOf(obj{"a": a, "b": b})
	}
	return list(a, b)
}
