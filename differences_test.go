package objchange_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// The deliberate differences from Core, each with an example.

// TestDifferences checks docs/differences.md: each line of its tables has an example here with
// the same name, and each example has its line.
func TestDifferences(t *testing.T) {
	lines := tableLines(t, "docs/differences.md")
	named := map[string]bool{}
	for _, line := range lines {
		what := line[0]
		if named[what] {
			t.Errorf("two lines about %q", what)
		}
		named[what] = true
		if example := differences[what]; example == nil {
			t.Errorf("no example of %q", what)
		} else {
			t.Run(what, example)
		}
	}
	for what := range differences {
		if !named[what] {
			t.Errorf("no line about %q", what)
		}
	}
}

// differences maps the first cell of each line to its example.
var differences = map[string]func(t *testing.T){
	// Examples of values.

	"the proposal for a resource to be deleted": func(t *testing.T) {
		schema := schemaOf(attr(cty.String, "optional"))
		deleted := cty.NullVal(schema.ImpliedType())
		got, err := objchange.ProposedNew(compiled(schema), objectOf(str("a")), deleted)
		expectValue(t, got, err, deleted) // Core: the prior state
	},

	"the proposal for an unknown element of a block collection in the configuration": func(t *testing.T) {
		prior := item(str("1"), str("a"))
		for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingMap, configschema.NestingSet} {
			config := objectOf(wrapIn(mode, unknownItem))
			got, err := objchange.ProposedNew(compiled(schemaOfBlock(block(mode, itemAttrs))), objectOf(wrapIn(mode, prior)), config)
			expectValue(t, got, err, config) // Core: the prior block, or {id = null, name = null}
		}
	},

	"the proposal for a null block in the configuration": func(t *testing.T) {
		prior := item(str("1"), str("a"))
		for _, mode := range []configschema.NestingMode{configschema.NestingGroup, configschema.NestingList, configschema.NestingMap, configschema.NestingSet} {
			config := objectOf(wrapIn(mode, noItem))
			got, err := objchange.ProposedNew(compiled(schemaOfBlock(block(mode, itemAttrs))), objectOf(wrapIn(mode, prior)), config)
			expectValue(t, got, err, config) // Core: the prior block, or {id = null, name = null}
		}
	},

	"an unknown prior value": func(t *testing.T) {
		schema := &configschema.Block{Attributes: itemAttrs}
		config, unknown := item(noStr, str("a")), cty.UnknownVal(itemType)
		got, err := objchange.ProposedNew(compiled(schema), unknown, config)
		expectValue(t, got, err, item(unknownStr, str("a")))
		placeholder, err := objchange.PlannedDataResource(compiled(schema), config)
		expectValue(t, got, err, placeholder)

		expect(t, objchange.AssertPlanValid(compiled(schema), unknown, config, got), " invalid-input")
		_, found := objchange.RequiredReplace(compiled(schema), unknown, got, nil)
		expect(t, found, " invalid-input")
		got, err = objchange.IgnoreChanges(compiled(schema), unknown, config, nil)
		expectRefusal(t, got, err, objchange.RuleInvalidInput, "")
		got, _, err = objchange.PartialState(compiled(schema), unknown, config, config)
		expectRefusal(t, got, err, objchange.RuleInvalidInput, "")
	},

	"unknown values in a prior value": func(t *testing.T) {
		schema := &configschema.Block{Attributes: itemAttrs}
		prior, config := item(unknownStr, unknownStr), item(noStr, str("a"))
		got, err := objchange.ProposedNew(compiled(schema), prior, config)
		expectValue(t, got, err, item(unknownStr, str("a")))
		expect(t, objchange.AssertPlanValid(compiled(schema), prior, config, item(str("1"), str("b"))), ".name plan-not-config")
		expect(t, objchange.AssertPlanValid(compiled(schema), prior, config, item(str("1"), unknownStr))) // equals the prior value
	},

	"the zero `cty.Value` as the prior value": func(t *testing.T) {
		schema := &configschema.Block{Attributes: itemAttrs}
		config := item(noStr, str("a"))
		got, err := objchange.ProposedNew(compiled(schema), cty.NilVal, config)
		expectValue(t, got, err, config)
		expect(t, objchange.AssertPlanValid(compiled(schema), cty.NilVal, config, item(unknownStr, str("a"))))
		if action := objchange.PlanAction(cty.NilVal, config, false); action != objchange.ActionCreate {
			t.Error(action)
		}
	},

	"untyped null and unknown values as arguments": func(t *testing.T) {
		schema := &configschema.Block{Attributes: itemAttrs}
		a := item(str("1"), str("a"))
		got, err := objchange.ProposedNew(compiled(schema), a, cty.NullVal(cty.DynamicPseudoType))
		expectValue(t, got, err, noItem)
		got, err = objchange.ProposedNew(compiled(schema), a, cty.DynamicVal)
		expectValue(t, got, err, unknownItem)
		expect(t, objchange.AssertPlanValid(compiled(schema), a, a, cty.NullVal(cty.DynamicPseudoType)), " plan-absent")
		expect(t, objchange.AssertPlanValid(compiled(schema), a, a, cty.DynamicVal), " plan-unknown-block")
	},

	"blocks with dynamic attributes in a data source that cannot be read yet": func(t *testing.T) {
		schema := schemaOfBlock(block(configschema.NestingList, dynAttrs))
		got, err := objchange.PlannedDataResource(compiled(schema), objectOf(tuple(item(noStr, num(1)), item(noStr, str("a")))))
		expectValue(t, got, err, objectOf(tuple(item(unknownStr, num(1)), item(unknownStr, str("a"))))) // Core: panics
	},

	"merged elements of different types in a list or map": func(t *testing.T) {
		schema := schemaOf(nested(configschema.NestingList, "optional", attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}))
		anyOf := func(v cty.Value) cty.Value { return object(obj{"any": v}) }
		got, err := objchange.ProposedNew(compiled(schema), objectOf(list(anyOf(num(1)))), objectOf(list(anyOf(noStr), anyOf(noStr))))
		expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v") // Core: panics
	},

	"group nesting of attributes": func(t *testing.T) {
		schema := schemaOf(nested(configschema.NestingGroup, "computed", attrs{"id": attr(cty.String, "computed")}))
		config := objectOf(cty.NullVal(cty.Object(map[string]cty.Type{"id": cty.String})))
		got, err := objchange.ProposedNew(compiled(schema), noDynamic, config)
		expectValue(t, got, err, objectOf(object(obj{"id": noStr}))) // Core: panics
	},

	"normalizing values for a schema that the legacy SDK cannot have": func(t *testing.T) {
		// Schemas of the legacy SDK have no nested attributes.
		schema := &configschema.Block{
			Attributes: attrs{"one": nested(configschema.NestingSingle, "optional", itemAttrs)},
			BlockTypes: blocks{"v": block(configschema.NestingList, itemAttrs)},
		}
		value := func(v cty.Value) cty.Value { return object(obj{"one": noItem, "v": v}) }
		got, err := objchange.NormalizeLegacySDK(compiled(schema), value(cty.NullVal(emptyItems.Type())))
		expectValue(t, got, err, value(emptyItems)) // Core: still null
	},

	"marks in a returned value": func(t *testing.T) {
		schema := schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
		prior := objectOf(item(str("1").Mark("own"), str("a")).Mark("around"))
		got, err := objchange.ProposedNew(compiled(schema), prior, objectOf(item(noStr, str("b").Mark("chosen"))))
		expectValue(t, got, err, objectOf(item(str("1").WithMarks(cty.NewValueMarks("own", "around")), str("b").Mark("chosen"))))
	},

	// Examples of verdicts.

	"invalid arguments": func(t *testing.T) {
		schema := schemaOf(attr(cty.String, "optional"))
		a := objectOf(str("a"))
		expect(t, objchange.AssertPlanValid(compiled(nil), a, a, a), " invalid-input")
		expect(t, objchange.AssertPlanValid(compiled(schema), a, a, cty.NilVal), " invalid-input")
		expect(t, objchange.AssertPlanValid(compiled(schema), a, a, objectOf(num(1))), ".v type-mismatch")
		expect(t, objchange.AssertPlanValid(compiled(schema), a, a, objectOf(noNum)), ".v type-mismatch")
		got, err := objchange.ProposedNew(compiled(schema), a, object(obj{"w": str("a")}))
		expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v")

		// The elements have two types, but a list can have only one.
		lists := schemaOf(attr(cty.List(cty.DynamicPseudoType), "optional"))
		got, err = objchange.IgnoreChanges(compiled(lists), objectOf(list(num(1))), objectOf(list(str("a"), str("b"))), paths(pathToV.Copy().IndexInt(0)))
		expectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v[0]")
	},

	"schemas that are too deep or have unusable names": func(t *testing.T) {
		expect(t, objchange.AssertStateValid(compiled(levels(64)), noDynamic))
		for _, schema := range []*configschema.Block{
			levels(65),
			schemaOfBlock(cyclic(configschema.NestingList, "v")),
			{Attributes: attrs{"u\u0308": attr(cty.String, "optional")}}, // two runes for the name that cty writes as "\u00fc"
		} {
			if schema.Validate() == nil {
				t.Error("the schema is valid")
			}
			if _, err := objchange.Compile(schema); err == nil {
				t.Error("Compile accepts the schema")
			}
		}
	},

	"a known map of blocks that becomes unknown": func(t *testing.T) {
		schema := schemaOfBlock(block(configschema.NestingMap, itemAttrs))
		known, unknown := mapOf(obj{"k": item(str("1"), noStr)}), cty.UnknownVal(cty.Map(itemType))
		expect(t, objchange.AssertPlanConsistent(compiled(schema), objectOf(known), objectOf(unknown)), ".v inconsistent-unknown")
	},

	"other known blocks that become null or unknown": func(t *testing.T) {
		for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingSet, configschema.NestingMap} {
			schema := schemaOfBlock(block(mode, itemAttrs))
			known := wrapIn(mode, item(str("1"), noStr))
			expect(t, objchange.AssertPlanConsistent(compiled(schema), objectOf(known), objectOf(cty.NullVal(known.Type()))), ".v inconsistent-null-blocks?")
			if mode != configschema.NestingMap {
				expect(t, objchange.AssertPlanConsistent(compiled(schema), objectOf(known), objectOf(cty.UnknownVal(known.Type()))), ".v inconsistent-unknown?")
			}
		}
	},

	"different keys of a map of blocks with the same number of keys": func(t *testing.T) {
		schema := schemaOfBlock(block(configschema.NestingMap, itemAttrs))
		a := item(str("1"), str("a"))
		k, l, both := objectOf(mapOf(obj{"k": a})), objectOf(mapOf(obj{"l": a})), objectOf(mapOf(obj{"k": a, "l": a}))
		expect(t, objchange.AssertPlanConsistent(compiled(schema), k, l), ".v inconsistent-key?")
		expect(t, objchange.AssertPlanConsistent(compiled(schema), k, both), ".v inconsistent-count")
	},

	"null instead of empty blocks in a state": func(t *testing.T) {
		for _, mode := range []configschema.NestingMode{configschema.NestingGroup, configschema.NestingList, configschema.NestingSet, configschema.NestingMap} {
			null := cty.NullVal(wrapIn(mode, noItem).Type())
			expect(t, objchange.AssertStateValid(compiled(schemaOfBlock(block(mode, itemAttrs))), objectOf(null)), ".v state-null-blocks?")
		}
	},

	"computed blocks that are returned as null or unknown": func(t *testing.T) {
		schema := schemaOfBlock(computed(block(configschema.NestingList, attrs{"id": attr(cty.String, "computed")})))
		schema.Attributes = attrs{"name": attr(cty.String, "optional")}
		one := list(object(obj{"id": str("1")}))
		value := func(name string, v cty.Value) cty.Value { return object(obj{"name": str(name), "v": v}) }
		null, unknown := cty.NullVal(one.Type()), cty.UnknownVal(one.Type())
		expect(t, objchange.AssertPlanValid(compiled(schema), noDynamic, value("a", one), value("b", null)), ".name plan-not-config", ".v plan-null-blocks")
		expect(t, objchange.AssertPlanValid(compiled(schema), noDynamic, value("a", one), value("b", unknown)), ".name plan-not-config", ".v plan-unknown-blocks")
		expect(t, objchange.AssertPlanConsistent(compiled(schema), value("a", one), value("b", null)), ".name inconsistent-value", ".v inconsistent-null-blocks")
		expect(t, objchange.AssertPlanConsistent(compiled(schema), value("a", unknown), value("b", null)), ".name inconsistent-value", ".v inconsistent-null-blocks")
	},

	"set elements in a plan": func(t *testing.T) {
		schema := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
		config := objectOf(set(item(noStr, str("a"))))
		expect(t, objchange.AssertPlanValid(compiled(schema), noDynamic, config, objectOf(set(item(unknownStr, str("a"))))))
		expect(t, objchange.AssertPlanValid(compiled(schema), noDynamic, config, objectOf(set(item(unknownStr, str("b"))))), ".v plan-set-element?")
	},

	"sets in a plan that have little in common with the configuration": func(t *testing.T) {
		// Hardly any element is planned as configured. Most have their prior values, which only
		// a comparison of each pair shows.
		const n = 600
		configs, plans, equivalents, priors := manyRules(n)
		wrongIn := func(planned cty.Value) objchange.Violations {
			stranger := except(planned.AsValueSlice(), n-1, made("x", "z"))
			if elems := stranger.AsValueSlice(); !elems[n-1].RawEquals(made("x", "z")) {
				t.Fatal("the unrelated element is not the last element")
			}
			return objchange.AssertPlanValid(compiled(setKinds["block"]), objectOf(set(priors...)), objectOf(set(configs...)), objectOf(stranger))
		}
		expect(t, wrongIn(set(plans...)), ".v plan-set-element?")
		expect(t, wrongIn(set(equivalents...)))
	},

	"large sets of unknown elements with different refinements": func(t *testing.T) {
		schema := schemaOf(attr(cty.Set(cty.String), "optional"))
		check := func(n int) objchange.Violations {
			was, now := refinedUnknowns(n)
			return objchange.AssertPlanConsistent(compiled(schema), objectOf(set(was...)), objectOf(set(append(now[:n-1], str("other"))...)))
		}
		expect(t, check(300), ".v inconsistent-set-element")
		expect(t, check(1000)) // Core: rejects it
	},

	"unknown values in an imported state": func(t *testing.T) {
		stub := item(unknownStr, str("a"))
		expectPhases(t, objchange.Lifecycle{Schema: compiled(&configschema.Block{Attributes: itemAttrs}), Imported: stub}, "import: .id state-unknown?")
	},

	"faults that are tolerated from the legacy SDK": func(t *testing.T) {
		schema := schemaOf(attr(cty.String, "optional"))
		run := objchange.Lifecycle{Schema: compiled(schema), Prior: noDynamic, Config: objectOf(str("a")), InitialPlanned: objectOf(str("b")), New: objectOf(str("c"))}
		expectPhases(t, run, "plan: .v plan-not-config", "apply: .v inconsistent-value")
		run.LegacyTypeSystem = true
		expectPhases(t, run, "plan: .v plan-not-config?", "apply: .v inconsistent-value?")
	},

	"several kinds of faults in a new state": func(t *testing.T) {
		schema := &configschema.Block{Attributes: attrs{
			"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional"), "wo": attr(cty.String, "optional writeonly"),
		}}
		planned := object(obj{"id": unknownStr, "name": str("a"), "wo": noStr})
		applied := object(obj{"id": unknownStr, "name": str("b"), "wo": str("x")})
		expect(t, objchange.AssertApplyConsistent(compiled(schema), planned, applied),
			".id state-unknown", ".name inconsistent-value", ".wo inconsistent-value", ".wo write-only-not-null")
	},

	"write-only attributes in a plan": func(t *testing.T) {
		schema := &configschema.Block{Attributes: attrs{"name": attr(cty.String, "optional"), "wo": attr(cty.String, "optional writeonly")}}
		value := func(name, wo string) cty.Value { return object(obj{"name": str(name), "wo": str(wo)}) }
		expect(t, objchange.AssertPlanValid(compiled(schema), noDynamic, value("a", "x"), value("b", "y")),
			".name plan-not-config", ".wo write-only-not-null")
	},

	"the configuration at apply": func(t *testing.T) {
		schema := schemaOf(attr(cty.String, "optional"))
		run := objchange.Lifecycle{Schema: compiled(schema), Config: objectOf(str("a")), FinalConfig: objectOf(str("b"))}
		expectPhases(t, run, "config: .v inconsistent-value")
	},

	"the new object of a replacement": func(t *testing.T) {
		schema := schemaOf(attr(cty.String, "optional"))
		create := objchange.Lifecycle{Schema: compiled(schema), Prior: noDynamic, Config: objectOf(str("b")), InitialPlanned: objectOf(str("c"))}
		expectPhases(t, create, "plan: .v plan-not-config")
	},

	"paths that require the replacement of a resource to be deleted": func(t *testing.T) {
		schema := schemaOf(attr(cty.String, "optional"))
		required, found := objchange.RequiredReplace(compiled(schema), objectOf(str("a")), noDynamic, paths(pathToV, cty.GetAttrPath("w")))
		expectPaths(t, required, paths(pathToV))
		expect(t, found, ".w replace-path")
	},

	"write-only values in maps of blocks with dynamic attributes": func(t *testing.T) {
		schema := schemaOfBlock(block(configschema.NestingMap, attrs{"any": attr(cty.DynamicPseudoType, "optional"), "secret": attr(cty.String, "optional writeonly")}))
		state := objectOf(object(obj{"k": object(obj{"any": noDynamic, "secret": str("s")})}))
		expect(t, objchange.AssertStateValid(compiled(schema), state), `.v.k.secret write-only-not-null`) // Core: accepts it
	},

	"write-only values next to a map of blocks with dynamic attributes": func(t *testing.T) {
		schema := schemaOfBlock(block(configschema.NestingList, attrs{"secret": attr(cty.String, "optional writeonly")},
			blocks{"m": block(configschema.NestingMap, attrs{"any": attr(cty.DynamicPseudoType, "optional")})}))
		state := objectOf(tuple(object(obj{"secret": str("s"), "m": object(obj{"k": object(obj{"any": noDynamic})})})))
		expect(t, objchange.AssertStateValid(compiled(schema), state), `.v[0].secret write-only-not-null`)
	},

	"lists and maps of blocks with dynamic attributes": func(t *testing.T) {
		dynamic := attrs{"id": attr(cty.String, "computed"), "name": attr(cty.DynamicPseudoType, "optional"), "wo": attr(cty.String, "optional writeonly")}
		lists, maps := schemaOfBlock(block(configschema.NestingList, dynamic)), schemaOfBlock(block(configschema.NestingMap, dynamic))
		one := func(id, name, wo cty.Value) cty.Value { return object(obj{"id": id, "name": name, "wo": wo}) }
		a, b := one(noStr, str("a"), noStr), one(noStr, num(1), noStr)

		got, err := objchange.ProposedNew(compiled(lists), objectOf(tuple(one(str("1"), str("a"), noStr))), objectOf(tuple(a, b)))
		expectValue(t, got, err, objectOf(tuple(one(str("1"), str("a"), noStr), b)))
		expect(t, objchange.AssertPlanValid(compiled(lists), noDynamic, objectOf(tuple(a)), objectOf(tuple(a, b))), ".v plan-count")
		expect(t, objchange.AssertPlanValid(compiled(maps), noDynamic, objectOf(object(obj{"k": a})), objectOf(object(obj{"l": a}))), ".v plan-key")
		expect(t, objchange.AssertPlanConsistent(compiled(maps), objectOf(object(obj{"k": a})), objectOf(object(obj{"k": b}))), ".v.k.name inconsistent-type")
		expect(t, objchange.AssertStateValid(compiled(maps), objectOf(object(obj{"k": one(noStr, noDynamic, str("x"))}))), ".v.k.wo write-only-not-null")
	},

	"very small numbers with different precision": func(t *testing.T) {
		read := func(text string, precision uint) cty.Value {
			f, _, err := big.ParseFloat(text, 10, precision, big.ToNearestEven)
			if err != nil {
				t.Fatal(err)
			}
			return cty.NumberVal(f)
		}
		schema := schemaOf(attr(cty.Number, "optional"))
		small, tiny := read("1e-300", 512), read("1e-2000", 512)
		sameSmall, sameTiny := read("1e-300", 600), read("1e-2000", 600)
		if !small.RawEquals(sameSmall) || !tiny.RawEquals(sameTiny) {
			t.Error("cty now compares these numbers differently")
		}
		expect(t, objchange.AssertPlanConsistent(compiled(schema), objectOf(small), objectOf(sameSmall)))
		expect(t, objchange.AssertPlanConsistent(compiled(schema), objectOf(tiny), objectOf(sameTiny)), ".v inconsistent-value")
	},

	"marked values in a check": func(t *testing.T) {
		schema := schemaOf(attr(cty.String, "optional"))
		a := objectOf(str("a"))
		expect(t, objchange.AssertPlanValid(compiled(schema), noDynamic, objectOf(str("a").Mark("m")), a))
		found := objchange.AssertPlanValid(compiled(schema), noDynamic, objectOf(str(canary).Mark("m")), a)
		expectHidden(t, found, ".v plan-not-config")
	},

	"a marked attribute that differs from the plan": func(t *testing.T) {
		schema := schemaOf(attr(cty.Map(cty.String), "optional"))
		was, now := mapOf(obj{"k": str("a"), "l": str("a")}), mapOf(obj{"k": str("b"), "l": str("b")})
		expect(t, objchange.AssertPlanConsistent(compiled(schema), objectOf(was), objectOf(now)), `.v["k"] inconsistent-value`, `.v["l"] inconsistent-value`)
		expect(t, objchange.AssertPlanConsistent(compiled(schema), objectOf(was.Mark("m")), objectOf(now)), ".v inconsistent-sensitive")
	},

	// Examples of messages.

	"the order of violations": func(t *testing.T) {
		schema := &configschema.Block{Attributes: attrs{}}
		was, now, want := obj{}, obj{}, []string{}
		for name := 'a'; name <= 'z'; name++ {
			schema.Attributes[string(name)] = attr(cty.Map(cty.String), "optional")
			was[string(name)] = mapOf(obj{"k": str("a"), "gone": str("a"), "gone too": str("a")})
			now[string(name)] = mapOf(obj{"k": str("b")})
			want = append(want, fmt.Sprintf(".%c inconsistent-key", name), fmt.Sprintf(`.%c["k"] inconsistent-value`, name))
		}
		expect(t, objchange.AssertPlanConsistent(compiled(schema), object(was), object(now)), want...)
	},

	"sensitive values, values inside them, and values that contain them": func(t *testing.T) {
		text := func(flags string) attrs { return attrs{"name": attr(cty.String, flags)} }
		name := func(s string) cty.Value { return object(obj{"name": str(s)}) }
		k := func(s string) cty.Value { return objectOf(mapOf(obj{canary: name(s)})) }

		inside := schemaOf(nested(configschema.NestingSingle, "optional", text("optional sensitive")))
		expectHidden(t, objchange.AssertPlanConsistent(compiled(inside), objectOf(name(canary)), objectOf(name("b"))), ".v.name inconsistent-value")
		above := schemaOf(nested(configschema.NestingMap, "optional sensitive", text("optional")))
		expectHidden(t, objchange.AssertPlanValid(compiled(above), noDynamic, k(canary), k("b")), ".v[(sensitive)].name plan-not-config")
		writeOnly := schemaOf(nested(configschema.NestingMap, "optional writeonly", text("optional")))
		expectHidden(t, objchange.AssertApplyConsistent(compiled(writeOnly), k("a"), k(canary)), ".v write-only-not-null", ".v[(sensitive)].name inconsistent-value")
	},

	"the path of a key of a map of nested attributes": func(t *testing.T) {
		schema := schemaOf(nested(configschema.NestingMap, "optional", itemAttrs))
		config, planned := objectOf(mapOf(obj{"k": item(noStr, str("a"))})), objectOf(mapOf(obj{"k": item(noStr, str("b"))}))
		found := objchange.AssertPlanValid(compiled(schema), noDynamic, config, planned)
		expect(t, found, `.v["k"].name plan-not-config`)
		at, err := found[0].Path.Apply(planned)
		expectValue(t, at, err, str("b"))
	},

	"the path of a key of a map of blocks that is not configured": func(t *testing.T) {
		schema := schemaOfBlock(block(configschema.NestingMap, itemAttrs))
		a := item(noStr, str("a"))
		expect(t, objchange.AssertPlanValid(compiled(schema), noDynamic, objectOf(mapOf(obj{"k": a})), objectOf(mapOf(obj{"l": a}))), ".v plan-key")
	},

	"the message of a violation": func(t *testing.T) {
		schema := schemaOf(attr(cty.String, "optional"))
		err := objchange.AssertPlanValid(compiled(schema), noDynamic, objectOf(str("a")), objectOf(str(strings.Repeat("long", 1000)))).Err()
		if text := err.Error(); len(text) > 200 || strings.Contains(text, "cty.") || !strings.HasSuffix(text, "[plan-not-config]") {
			t.Error(text)
		}
		var pathed cty.PathError // code for the errors of Core's functions finds it as well
		if !errors.As(err, &pathed) || !pathed.Path.Equals(pathToV) {
			t.Errorf("%#v", pathed)
		}
	},
}
