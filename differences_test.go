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
	. "github.com/objchange/objchange/internal/testcty"
)

// The deliberate differences from Core, each with an example.

// TestDocumentedDifferencesHaveExamples checks docs/differences.md: each line of its tables has an
// example here with the same name, and each example has its line.
func TestDocumentedDifferencesHaveExamples(t *testing.T) {
	lines := TableLines(t, "docs/differences.md")
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
		schema := SchemaOf(Attr(cty.String, "optional"))
		deleted := cty.NullVal(schema.ImpliedType())
		got, err := objchange.ProposedNew(Compiled(schema), ObjectOf(Str("a")), deleted)
		ExpectValue(t, got, err, deleted) // Core: the prior state
	},

	"the proposal for an unknown element of a block collection in the configuration": func(t *testing.T) {
		prior := Item(Str("1"), Str("a"))
		for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingMap, configschema.NestingSet} {
			config := ObjectOf(WrapIn(mode, UnknownItem))
			got, err := objchange.ProposedNew(Compiled(SchemaOfBlock(Block(mode, ItemAttrs))), ObjectOf(WrapIn(mode, prior)), config)
			ExpectValue(t, got, err, config) // Core: the prior block, or {id = null, name = null}
		}
	},

	"the proposal for a null block in the configuration": func(t *testing.T) {
		prior := Item(Str("1"), Str("a"))
		for _, mode := range []configschema.NestingMode{configschema.NestingGroup, configschema.NestingList, configschema.NestingMap, configschema.NestingSet} {
			config := ObjectOf(WrapIn(mode, NoItem))
			got, err := objchange.ProposedNew(Compiled(SchemaOfBlock(Block(mode, ItemAttrs))), ObjectOf(WrapIn(mode, prior)), config)
			ExpectValue(t, got, err, config) // Core: the prior block, or {id = null, name = null}
		}
	},

	"an unknown prior value": func(t *testing.T) {
		schema := &configschema.Block{Attributes: ItemAttrs}
		config, unknown := Item(NoStr, Str("a")), cty.UnknownVal(ItemType)
		got, err := objchange.ProposedNew(Compiled(schema), unknown, config)
		ExpectValue(t, got, err, Item(UnknownStr, Str("a")))
		placeholder, err := objchange.PlannedDataResource(Compiled(schema), config)
		ExpectValue(t, got, err, placeholder)

		Expect(t, objchange.AssertPlanValid(Compiled(schema), unknown, config, got), " invalid-input")
		_, found := objchange.RequiredReplace(Compiled(schema), unknown, got, nil)
		Expect(t, found, " invalid-input")
		got, err = objchange.IgnoreChanges(Compiled(schema), unknown, config, nil)
		ExpectRefusal(t, got, err, objchange.RuleInvalidInput, "")
		got, _, err = objchange.PartialState(Compiled(schema), unknown, config, config)
		ExpectRefusal(t, got, err, objchange.RuleInvalidInput, "")
	},

	"unknown values in a prior value": func(t *testing.T) {
		schema := &configschema.Block{Attributes: ItemAttrs}
		prior, config := Item(UnknownStr, UnknownStr), Item(NoStr, Str("a"))
		got, err := objchange.ProposedNew(Compiled(schema), prior, config)
		ExpectValue(t, got, err, Item(UnknownStr, Str("a")))
		Expect(t, objchange.AssertPlanValid(Compiled(schema), prior, config, Item(Str("1"), Str("b"))), ".name plan-not-config")
		Expect(t, objchange.AssertPlanValid(Compiled(schema), prior, config, Item(Str("1"), UnknownStr))) // equals the prior value
	},

	"the zero `cty.Value` as the prior value": func(t *testing.T) {
		schema := &configschema.Block{Attributes: ItemAttrs}
		config := Item(NoStr, Str("a"))
		got, err := objchange.ProposedNew(Compiled(schema), cty.NilVal, config)
		ExpectValue(t, got, err, config)
		Expect(t, objchange.AssertPlanValid(Compiled(schema), cty.NilVal, config, Item(UnknownStr, Str("a"))))
		if action := objchange.PlanAction(cty.NilVal, config, false); action != objchange.ActionCreate {
			t.Error(action)
		}
	},

	"untyped null and unknown values as arguments": func(t *testing.T) {
		schema := &configschema.Block{Attributes: ItemAttrs}
		a := Item(Str("1"), Str("a"))
		got, err := objchange.ProposedNew(Compiled(schema), a, cty.NullVal(cty.DynamicPseudoType))
		ExpectValue(t, got, err, NoItem)
		got, err = objchange.ProposedNew(Compiled(schema), a, cty.DynamicVal)
		ExpectValue(t, got, err, UnknownItem)
		Expect(t, objchange.AssertPlanValid(Compiled(schema), a, a, cty.NullVal(cty.DynamicPseudoType)), " plan-absent")
		Expect(t, objchange.AssertPlanValid(Compiled(schema), a, a, cty.DynamicVal), " plan-unknown-block")
	},

	"blocks with dynamic attributes in a data source that cannot be read yet": func(t *testing.T) {
		schema := SchemaOfBlock(Block(configschema.NestingList, DynAttrs))
		got, err := objchange.PlannedDataResource(Compiled(schema), ObjectOf(Tuple(Item(NoStr, Num(1)), Item(NoStr, Str("a")))))
		ExpectValue(t, got, err, ObjectOf(Tuple(Item(UnknownStr, Num(1)), Item(UnknownStr, Str("a"))))) // Core: panics
	},

	"merged elements of different types in a list or map": func(t *testing.T) {
		schema := SchemaOf(Nested(configschema.NestingList, "optional", Attrs{"any": Attr(cty.DynamicPseudoType, "optional computed")}))
		anyOf := func(v cty.Value) cty.Value { return Object(Obj{"any": v}) }
		got, err := objchange.ProposedNew(Compiled(schema), ObjectOf(List(anyOf(Num(1)))), ObjectOf(List(anyOf(NoStr), anyOf(NoStr))))
		ExpectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v") // Core: panics
	},

	"group nesting of attributes": func(t *testing.T) {
		schema := SchemaOf(Nested(configschema.NestingGroup, "computed", Attrs{"id": Attr(cty.String, "computed")}))
		config := ObjectOf(cty.NullVal(cty.Object(map[string]cty.Type{"id": cty.String})))
		got, err := objchange.ProposedNew(Compiled(schema), NoDynamic, config)
		ExpectValue(t, got, err, ObjectOf(Object(Obj{"id": NoStr}))) // Core: panics
	},

	"normalizing values for a schema that the legacy SDK cannot have": func(t *testing.T) {
		// Schemas of the legacy SDK have no nested attributes.
		schema := &configschema.Block{
			Attributes: Attrs{"one": Nested(configschema.NestingSingle, "optional", ItemAttrs)},
			BlockTypes: Blocks{"v": Block(configschema.NestingList, ItemAttrs)},
		}
		value := func(v cty.Value) cty.Value { return Object(Obj{"one": NoItem, "v": v}) }
		got, err := objchange.NormalizeLegacySDK(Compiled(schema), value(cty.NullVal(EmptyItems.Type())))
		ExpectValue(t, got, err, value(EmptyItems)) // Core: still null
	},

	"marks in a returned value": func(t *testing.T) {
		schema := SchemaOfBlock(Block(configschema.NestingSingle, ItemAttrs))
		prior := ObjectOf(Item(Str("1").Mark("own"), Str("a")).Mark("around"))
		got, err := objchange.ProposedNew(Compiled(schema), prior, ObjectOf(Item(NoStr, Str("b").Mark("chosen"))))
		ExpectValue(t, got, err, ObjectOf(Item(Str("1").WithMarks(cty.NewValueMarks("own", "around")), Str("b").Mark("chosen"))))
	},

	// Examples of verdicts.

	"invalid arguments": func(t *testing.T) {
		schema := SchemaOf(Attr(cty.String, "optional"))
		a := ObjectOf(Str("a"))
		Expect(t, objchange.AssertPlanValid(Compiled(nil), a, a, a), " invalid-input")
		Expect(t, objchange.AssertPlanValid(Compiled(schema), a, a, cty.NilVal), " invalid-input")
		Expect(t, objchange.AssertPlanValid(Compiled(schema), a, a, ObjectOf(Num(1))), ".v type-mismatch")
		Expect(t, objchange.AssertPlanValid(Compiled(schema), a, a, ObjectOf(NoNum)), ".v type-mismatch")
		got, err := objchange.ProposedNew(Compiled(schema), a, Object(Obj{"w": Str("a")}))
		ExpectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v")

		// The elements have two types, but a list can have only one.
		lists := SchemaOf(Attr(cty.List(cty.DynamicPseudoType), "optional"))
		got, err = objchange.IgnoreChanges(Compiled(lists), ObjectOf(List(Num(1))), ObjectOf(List(Str("a"), Str("b"))), paths(PathToV.Copy().IndexInt(0)))
		ExpectRefusal(t, got, err, objchange.RuleTypeMismatch, ".v[0]")
	},

	"schemas that are too deep or have unusable names": func(t *testing.T) {
		Expect(t, objchange.AssertStateValid(Compiled(Levels(64)), NoDynamic))
		for _, schema := range []*configschema.Block{
			Levels(65),
			SchemaOfBlock(Cyclic(configschema.NestingList, "v")),
			{Attributes: Attrs{"u\u0308": Attr(cty.String, "optional")}}, // two runes for the name that cty writes as "\u00fc"
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
		schema := SchemaOfBlock(Block(configschema.NestingMap, ItemAttrs))
		known, unknown := MapOf(Obj{"k": Item(Str("1"), NoStr)}), cty.UnknownVal(cty.Map(ItemType))
		Expect(t, objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(known), ObjectOf(unknown)), ".v inconsistent-unknown")
	},

	"other known blocks that become null or unknown": func(t *testing.T) {
		for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingSet, configschema.NestingMap} {
			schema := SchemaOfBlock(Block(mode, ItemAttrs))
			known := WrapIn(mode, Item(Str("1"), NoStr))
			Expect(t, objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(known), ObjectOf(cty.NullVal(known.Type()))), ".v inconsistent-null-blocks?")
			if mode != configschema.NestingMap {
				Expect(t, objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(known), ObjectOf(cty.UnknownVal(known.Type()))), ".v inconsistent-unknown?")
			}
		}
	},

	"different keys of a map of blocks with the same number of keys": func(t *testing.T) {
		schema := SchemaOfBlock(Block(configschema.NestingMap, ItemAttrs))
		a := Item(Str("1"), Str("a"))
		k, l, both := ObjectOf(MapOf(Obj{"k": a})), ObjectOf(MapOf(Obj{"l": a})), ObjectOf(MapOf(Obj{"k": a, "l": a}))
		Expect(t, objchange.AssertPlanConsistent(Compiled(schema), k, l), ".v inconsistent-key?")
		Expect(t, objchange.AssertPlanConsistent(Compiled(schema), k, both), ".v inconsistent-count")
	},

	"null instead of empty blocks in a state": func(t *testing.T) {
		for _, mode := range []configschema.NestingMode{configschema.NestingGroup, configschema.NestingList, configschema.NestingSet, configschema.NestingMap} {
			null := cty.NullVal(WrapIn(mode, NoItem).Type())
			Expect(t, objchange.AssertStateValid(Compiled(SchemaOfBlock(Block(mode, ItemAttrs))), ObjectOf(null)), ".v state-null-blocks?")
		}
	},

	"computed blocks that are returned as null or unknown": func(t *testing.T) {
		schema := SchemaOfBlock(Computed(Block(configschema.NestingList, Attrs{"id": Attr(cty.String, "computed")})))
		schema.Attributes = Attrs{"name": Attr(cty.String, "optional")}
		one := List(Object(Obj{"id": Str("1")}))
		value := func(name string, v cty.Value) cty.Value { return Object(Obj{"name": Str(name), "v": v}) }
		null, unknown := cty.NullVal(one.Type()), cty.UnknownVal(one.Type())
		Expect(t, objchange.AssertPlanValid(Compiled(schema), NoDynamic, value("a", one), value("b", null)), ".name plan-not-config", ".v plan-null-blocks")
		Expect(t, objchange.AssertPlanValid(Compiled(schema), NoDynamic, value("a", one), value("b", unknown)), ".name plan-not-config", ".v plan-unknown-blocks")
		Expect(t, objchange.AssertPlanConsistent(Compiled(schema), value("a", one), value("b", null)), ".name inconsistent-value", ".v inconsistent-null-blocks")
		Expect(t, objchange.AssertPlanConsistent(Compiled(schema), value("a", unknown), value("b", null)), ".name inconsistent-value", ".v inconsistent-null-blocks")
	},

	"set elements in a plan": func(t *testing.T) {
		schema := SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs))
		config := ObjectOf(Set(Item(NoStr, Str("a"))))
		Expect(t, objchange.AssertPlanValid(Compiled(schema), NoDynamic, config, ObjectOf(Set(Item(UnknownStr, Str("a"))))))
		Expect(t, objchange.AssertPlanValid(Compiled(schema), NoDynamic, config, ObjectOf(Set(Item(UnknownStr, Str("b"))))), ".v plan-set-element?")
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
			return objchange.AssertPlanValid(Compiled(setKinds["block"]), ObjectOf(Set(priors...)), ObjectOf(Set(configs...)), ObjectOf(stranger))
		}
		Expect(t, wrongIn(Set(plans...)), ".v plan-set-element?")
		Expect(t, wrongIn(Set(equivalents...)))
	},

	"large sets of unknown elements with different refinements": func(t *testing.T) {
		schema := SchemaOf(Attr(cty.Set(cty.String), "optional"))
		check := func(n int) objchange.Violations {
			was, now := refinedUnknowns(n)
			return objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(Set(was...)), ObjectOf(Set(append(now[:n-1], Str("other"))...)))
		}
		Expect(t, check(300), ".v inconsistent-set-element")
		Expect(t, check(1000)) // Core: rejects it
	},

	"unknown values in an imported state": func(t *testing.T) {
		stub := Item(UnknownStr, Str("a"))
		ExpectPhases(t, objchange.Lifecycle{Schema: Compiled(&configschema.Block{Attributes: ItemAttrs}), Imported: stub}, "import: .id state-unknown?")
	},

	"faults that are tolerated from the legacy SDK": func(t *testing.T) {
		schema := SchemaOf(Attr(cty.String, "optional"))
		run := objchange.Lifecycle{Schema: Compiled(schema), Prior: NoDynamic, Config: ObjectOf(Str("a")), InitialPlanned: ObjectOf(Str("b")), New: ObjectOf(Str("c"))}
		ExpectPhases(t, run, "plan: .v plan-not-config", "apply: .v inconsistent-value")
		run.LegacyTypeSystem = true
		ExpectPhases(t, run, "plan: .v plan-not-config?", "apply: .v inconsistent-value?")
	},

	"several kinds of faults in a new state": func(t *testing.T) {
		schema := &configschema.Block{Attributes: Attrs{
			"id": Attr(cty.String, "computed"), "name": Attr(cty.String, "optional"), "wo": Attr(cty.String, "optional writeonly"),
		}}
		planned := Object(Obj{"id": UnknownStr, "name": Str("a"), "wo": NoStr})
		applied := Object(Obj{"id": UnknownStr, "name": Str("b"), "wo": Str("x")})
		Expect(t, objchange.AssertApplyConsistent(Compiled(schema), planned, applied),
			".id state-unknown", ".name inconsistent-value", ".wo inconsistent-value", ".wo write-only-not-null")
	},

	"write-only attributes in a plan": func(t *testing.T) {
		schema := &configschema.Block{Attributes: Attrs{"name": Attr(cty.String, "optional"), "wo": Attr(cty.String, "optional writeonly")}}
		value := func(name, wo string) cty.Value { return Object(Obj{"name": Str(name), "wo": Str(wo)}) }
		Expect(t, objchange.AssertPlanValid(Compiled(schema), NoDynamic, value("a", "x"), value("b", "y")),
			".name plan-not-config", ".wo write-only-not-null")
	},

	"the configuration at apply": func(t *testing.T) {
		schema := SchemaOf(Attr(cty.String, "optional"))
		run := objchange.Lifecycle{Schema: Compiled(schema), Config: ObjectOf(Str("a")), FinalConfig: ObjectOf(Str("b"))}
		ExpectPhases(t, run, "config: .v inconsistent-value")
	},

	"the new object of a replacement": func(t *testing.T) {
		schema := SchemaOf(Attr(cty.String, "optional"))
		create := objchange.Lifecycle{Schema: Compiled(schema), Prior: NoDynamic, Config: ObjectOf(Str("b")), InitialPlanned: ObjectOf(Str("c"))}
		ExpectPhases(t, create, "plan: .v plan-not-config")
	},

	"paths that require the replacement of a resource to be deleted": func(t *testing.T) {
		schema := SchemaOf(Attr(cty.String, "optional"))
		required, found := objchange.RequiredReplace(Compiled(schema), ObjectOf(Str("a")), NoDynamic, paths(PathToV, cty.GetAttrPath("w")))
		expectPaths(t, required, paths(PathToV))
		Expect(t, found, ".w replace-path")
	},

	"write-only values in maps of blocks with dynamic attributes": func(t *testing.T) {
		schema := SchemaOfBlock(Block(configschema.NestingMap, Attrs{"any": Attr(cty.DynamicPseudoType, "optional"), "secret": Attr(cty.String, "optional writeonly")}))
		state := ObjectOf(Object(Obj{"k": Object(Obj{"any": NoDynamic, "secret": Str("s")})}))
		Expect(t, objchange.AssertStateValid(Compiled(schema), state), `.v.k.secret write-only-not-null`) // Core: accepts it
	},

	"write-only values next to a map of blocks with dynamic attributes": func(t *testing.T) {
		schema := SchemaOfBlock(Block(configschema.NestingList, Attrs{"secret": Attr(cty.String, "optional writeonly")},
			Blocks{"m": Block(configschema.NestingMap, Attrs{"any": Attr(cty.DynamicPseudoType, "optional")})}))
		state := ObjectOf(Tuple(Object(Obj{"secret": Str("s"), "m": Object(Obj{"k": Object(Obj{"any": NoDynamic})})})))
		Expect(t, objchange.AssertStateValid(Compiled(schema), state), `.v[0].secret write-only-not-null`)
	},

	"lists and maps of blocks with dynamic attributes": func(t *testing.T) {
		dynamic := Attrs{"id": Attr(cty.String, "computed"), "name": Attr(cty.DynamicPseudoType, "optional"), "wo": Attr(cty.String, "optional writeonly")}
		lists, maps := SchemaOfBlock(Block(configschema.NestingList, dynamic)), SchemaOfBlock(Block(configschema.NestingMap, dynamic))
		one := func(id, name, wo cty.Value) cty.Value { return Object(Obj{"id": id, "name": name, "wo": wo}) }
		a, b := one(NoStr, Str("a"), NoStr), one(NoStr, Num(1), NoStr)

		got, err := objchange.ProposedNew(Compiled(lists), ObjectOf(Tuple(one(Str("1"), Str("a"), NoStr))), ObjectOf(Tuple(a, b)))
		ExpectValue(t, got, err, ObjectOf(Tuple(one(Str("1"), Str("a"), NoStr), b)))
		Expect(t, objchange.AssertPlanValid(Compiled(lists), NoDynamic, ObjectOf(Tuple(a)), ObjectOf(Tuple(a, b))), ".v plan-count")
		Expect(t, objchange.AssertPlanValid(Compiled(maps), NoDynamic, ObjectOf(Object(Obj{"k": a})), ObjectOf(Object(Obj{"l": a}))), ".v plan-key")
		Expect(t, objchange.AssertPlanConsistent(Compiled(maps), ObjectOf(Object(Obj{"k": a})), ObjectOf(Object(Obj{"k": b}))), ".v.k.name inconsistent-type")
		Expect(t, objchange.AssertStateValid(Compiled(maps), ObjectOf(Object(Obj{"k": one(NoStr, NoDynamic, Str("x"))}))), ".v.k.wo write-only-not-null")
	},

	"very small numbers with different precision": func(t *testing.T) {
		read := func(text string, precision uint) cty.Value {
			f, _, err := big.ParseFloat(text, 10, precision, big.ToNearestEven)
			if err != nil {
				t.Fatal(err)
			}
			return cty.NumberVal(f)
		}
		schema := SchemaOf(Attr(cty.Number, "optional"))
		small, tiny := read("1e-300", 512), read("1e-2000", 512)
		sameSmall, sameTiny := read("1e-300", 600), read("1e-2000", 600)
		if !small.RawEquals(sameSmall) || !tiny.RawEquals(sameTiny) {
			t.Error("cty now compares these numbers differently")
		}
		Expect(t, objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(small), ObjectOf(sameSmall)))
		Expect(t, objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(tiny), ObjectOf(sameTiny)), ".v inconsistent-value")
	},

	"marked values in a check": func(t *testing.T) {
		schema := SchemaOf(Attr(cty.String, "optional"))
		a := ObjectOf(Str("a"))
		Expect(t, objchange.AssertPlanValid(Compiled(schema), NoDynamic, ObjectOf(Str("a").Mark("m")), a))
		found := objchange.AssertPlanValid(Compiled(schema), NoDynamic, ObjectOf(Str(canary).Mark("m")), a)
		expectHidden(t, found, ".v plan-not-config")
	},

	"a marked attribute that differs from the plan": func(t *testing.T) {
		schema := SchemaOf(Attr(cty.Map(cty.String), "optional"))
		was, now := MapOf(Obj{"k": Str("a"), "l": Str("a")}), MapOf(Obj{"k": Str("b"), "l": Str("b")})
		Expect(t, objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(was), ObjectOf(now)), `.v["k"] inconsistent-value`, `.v["l"] inconsistent-value`)
		Expect(t, objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(was.Mark("m")), ObjectOf(now)), ".v inconsistent-sensitive")
	},

	// Examples of messages.

	"the order of violations": func(t *testing.T) {
		schema := &configschema.Block{Attributes: Attrs{}}
		was, now, want := Obj{}, Obj{}, []string{}
		for name := 'a'; name <= 'z'; name++ {
			schema.Attributes[string(name)] = Attr(cty.Map(cty.String), "optional")
			was[string(name)] = MapOf(Obj{"k": Str("a"), "gone": Str("a"), "gone too": Str("a")})
			now[string(name)] = MapOf(Obj{"k": Str("b")})
			want = append(want, fmt.Sprintf(".%c inconsistent-key", name), fmt.Sprintf(`.%c["k"] inconsistent-value`, name))
		}
		Expect(t, objchange.AssertPlanConsistent(Compiled(schema), Object(was), Object(now)), want...)
	},

	"sensitive values, values inside them, and values that contain them": func(t *testing.T) {
		text := func(flags string) Attrs { return Attrs{"name": Attr(cty.String, flags)} }
		name := func(s string) cty.Value { return Object(Obj{"name": Str(s)}) }
		k := func(s string) cty.Value { return ObjectOf(MapOf(Obj{canary: name(s)})) }

		inside := SchemaOf(Nested(configschema.NestingSingle, "optional", text("optional sensitive")))
		expectHidden(t, objchange.AssertPlanConsistent(Compiled(inside), ObjectOf(name(canary)), ObjectOf(name("b"))), ".v.name inconsistent-value")
		above := SchemaOf(Nested(configschema.NestingMap, "optional sensitive", text("optional")))
		expectHidden(t, objchange.AssertPlanValid(Compiled(above), NoDynamic, k(canary), k("b")), ".v[(sensitive)].name plan-not-config")
		writeOnly := SchemaOf(Nested(configschema.NestingMap, "optional writeonly", text("optional")))
		expectHidden(t, objchange.AssertApplyConsistent(Compiled(writeOnly), k("a"), k(canary)), ".v write-only-not-null", ".v[(sensitive)].name inconsistent-value")
	},

	"the path of a key of a map of nested attributes": func(t *testing.T) {
		schema := SchemaOf(Nested(configschema.NestingMap, "optional", ItemAttrs))
		config, planned := ObjectOf(MapOf(Obj{"k": Item(NoStr, Str("a"))})), ObjectOf(MapOf(Obj{"k": Item(NoStr, Str("b"))}))
		found := objchange.AssertPlanValid(Compiled(schema), NoDynamic, config, planned)
		Expect(t, found, `.v["k"].name plan-not-config`)
		at, err := found[0].Path.Apply(planned)
		ExpectValue(t, at, err, Str("b"))
	},

	"the path of a key of a map of blocks that is not configured": func(t *testing.T) {
		schema := SchemaOfBlock(Block(configschema.NestingMap, ItemAttrs))
		a := Item(NoStr, Str("a"))
		Expect(t, objchange.AssertPlanValid(Compiled(schema), NoDynamic, ObjectOf(MapOf(Obj{"k": a})), ObjectOf(MapOf(Obj{"l": a}))), ".v plan-key")
	},

	"the message of a violation": func(t *testing.T) {
		schema := SchemaOf(Attr(cty.String, "optional"))
		err := objchange.AssertPlanValid(Compiled(schema), NoDynamic, ObjectOf(Str("a")), ObjectOf(Str(strings.Repeat("long", 1000)))).Err()
		if text := err.Error(); len(text) > 200 || strings.Contains(text, "cty.") || !strings.HasSuffix(text, "[plan-not-config]") {
			t.Error(text)
		}
		var pathed cty.PathError // code for the errors of Core's functions finds it as well
		if !errors.As(err, &pathed) || !pathed.Path.Equals(PathToV) {
			t.Errorf("%#v", pathed)
		}
	},
}
