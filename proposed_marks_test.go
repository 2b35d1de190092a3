package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A marking is a row about marks at one attribute or block type, named v, and
// around it.
type marking struct {
	name                string
	schema              *configschema.Block
	prior, config, want cty.Value // as wholes
}

// semantics.md#types-and-marks. That the result without its marks is what
// arguments without marks give is tested in every row.
func testMarkings(t *testing.T, rows []marking) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(compiled(row.schema), row.prior, row.config)
			expectValue(t, got, err, row.want)
			if isObject(row.prior) && isObject(row.config) {
				testMergings(t, []merging{{"beside others", row.schema, row.prior.GetAttr("v"), row.config.GetAttr("v"), row.want.GetAttr("v")}})
			}
			prior, _ := row.prior.UnmarkDeep()
			config, _ := row.config.UnmarkDeep()
			unmarked, _ := got.UnmarkDeep()
			plain, err := objchange.ProposedNew(compiled(row.schema), prior, config)
			expectValue(t, plain, err, unmarked)
		})
	}
}

func isObject(v cty.Value) bool { return v.IsKnown() && !v.IsNull() && !v.IsMarked() }

func TestProposedNewMarksOfAttributes(t *testing.T) {
	leaf := schemaOf(attr(cty.String, "optional computed"))
	strings := schemaOf(attr(cty.List(cty.String), "optional computed"))
	testMarkings(t, []marking{
		{"a configured value keeps its mark", leaf, objectOf(str("p")), objectOf(str("c").Mark("m")), objectOf(str("c").Mark("m"))},
		{"prior's mark goes with its value", leaf, objectOf(str("p").Mark("m")), objectOf(str("c")), objectOf(str("c"))},
		{"a value from prior keeps its mark", leaf, objectOf(str("p").Mark("m")), objectOf(noStr), objectOf(str("p").Mark("m"))},
		{"config's mark goes with its null", leaf, objectOf(str("p")), objectOf(noStr.Mark("m")), objectOf(str("p"))},
		{"an unknown keeps its mark", leaf, objectOf(str("p")), objectOf(unknownStr.Mark("m")), objectOf(unknownStr.Mark("m"))},
		{"marks inside a value stay there", strings, objectOf(list(str("p").Mark("m"))), objectOf(cty.NullVal(cty.List(cty.String))), objectOf(list(str("p").Mark("m")))},
		{"a mark around prior goes to what is chosen from it", leaf, objectOf(str("p")).Mark("m"), objectOf(noStr), objectOf(str("p").Mark("m"))},
		{"a mark around prior joins the value's own", leaf, objectOf(str("p").Mark("n")).Mark("m"), objectOf(noStr), objectOf(str("p").WithMarks(cty.NewValueMarks("m", "n")))},
		{"a mark around prior goes to a null chosen from it", leaf, objectOf(noStr).Mark("m"), objectOf(noStr), objectOf(noStr.Mark("m"))},
		{"a mark around prior does not go to what is configured", leaf, objectOf(str("p")).Mark("m"), objectOf(str("p")), objectOf(str("p"))},
		{"a mark around config stays where it is", leaf, objectOf(str("p")), objectOf(noStr).Mark("m"), objectOf(str("p")).Mark("m")},
		{"marks around both", leaf, objectOf(str("p")).Mark("m"), objectOf(noStr).Mark("n"), objectOf(str("p").Mark("m")).Mark("n")},
	})
}

func TestProposedNewMarksOfContainers(t *testing.T) {
	p, c, merged := item(str("1"), str("p")), item(noStr, str("c")), item(str("1"), str("c"))
	tainted := item(str("1").Mark("m"), str("c")) // the id is from something marked
	for _, mode := range blockModes {
		if mode == configschema.NestingSet {
			continue
		}
		schemas := map[string]*configschema.Block{"block": schemaOfBlock(block(mode, itemAttrs)), "attribute": schemaOf(nested(mode, "optional", itemAttrs))}
		for what, schema := range schemas {
			t.Run(mode.String()+" "+what, func(t *testing.T) {
				testMarkings(t, []marking{
					{"around prior", schema, objectOf(heldIn(mode, p)).Mark("m"), objectOf(heldIn(mode, c)), objectOf(heldIn(mode, tainted))},
					{"on prior's collection", schema, objectOf(heldIn(mode, p).Mark("m")), objectOf(heldIn(mode, c)), objectOf(heldIn(mode, tainted))},
					{"on prior's element", schema, objectOf(heldIn(mode, p.Mark("m"))), objectOf(heldIn(mode, c)), objectOf(heldIn(mode, tainted))},
					{"on prior's attribute", schema, objectOf(heldIn(mode, item(str("1").Mark("m"), str("p")))), objectOf(heldIn(mode, c)), objectOf(heldIn(mode, tainted))},
					{"on prior's other attribute", schema, objectOf(heldIn(mode, item(str("1"), str("p").Mark("m")))), objectOf(heldIn(mode, c)), objectOf(heldIn(mode, merged))},
					{"around config", schema, objectOf(heldIn(mode, p)), objectOf(heldIn(mode, c)).Mark("m"), objectOf(heldIn(mode, merged)).Mark("m")},
					{"on config's collection", schema, objectOf(heldIn(mode, p)), objectOf(heldIn(mode, c).Mark("m")), objectOf(heldIn(mode, merged).Mark("m"))},
					{"on config's element", schema, objectOf(heldIn(mode, p)), objectOf(heldIn(mode, c.Mark("m"))), objectOf(heldIn(mode, merged.Mark("m")))},
					{"on config's attribute", schema, objectOf(heldIn(mode, p)), objectOf(heldIn(mode, item(noStr, str("c").Mark("m")))), objectOf(heldIn(mode, item(str("1"), str("c").Mark("m"))))},
					{"on config's unknown", schema, objectOf(heldIn(mode, p)), objectOf(cty.UnknownVal(typeHeldIn(mode, itemType)).Mark("m")), objectOf(cty.UnknownVal(typeHeldIn(mode, itemType)).Mark("m"))},
					{"nothing new, but config's collection is marked", schema, objectOf(heldIn(mode, p)), objectOf(heldIn(mode, item(noStr, str("p"))).Mark("m")), objectOf(heldIn(mode, p).Mark("m"))},
					{"nothing new, but config's element is marked", schema, objectOf(heldIn(mode, p)), objectOf(heldIn(mode, item(noStr, str("p")).Mark("m"))), objectOf(heldIn(mode, p.Mark("m")))},
					{"nothing new, all configured, but config's element is marked", schema, objectOf(heldIn(mode, p)), objectOf(heldIn(mode, p.Mark("m"))), objectOf(heldIn(mode, p.Mark("m")))},
					{"nothing new, all configured, but prior's collection is marked", schema, objectOf(heldIn(mode, p).Mark("m")), objectOf(heldIn(mode, p)), objectOf(heldIn(mode, p))},
					{"nothing new, all configured, but prior's element is marked", schema, objectOf(heldIn(mode, p.Mark("m"))), objectOf(heldIn(mode, p)), objectOf(heldIn(mode, p))},
					{"nothing new, all configured, but prior's name is marked", schema, objectOf(heldIn(mode, item(str("1"), str("p").Mark("m")))), objectOf(heldIn(mode, p)), objectOf(heldIn(mode, p))},
					{"nothing new, but prior is marked", schema, objectOf(heldIn(mode, p).Mark("m")), objectOf(heldIn(mode, item(noStr, str("p")))), objectOf(heldIn(mode, item(str("1").Mark("m"), str("p"))))},
				})
			})
		}
	}
	lists := schemaOfBlock(block(configschema.NestingList, itemAttrs))
	testMarkings(t, []marking{
		{"all the containers' marks together", lists, objectOf(list(item(str("1").Mark("d"), noStr).Mark("c")).Mark("b")).Mark("a"), objectOf(list(c)),
			objectOf(list(item(str("1").WithMarks(cty.NewValueMarks("a", "b", "c", "d")), str("c"))))},
		{"only of the element that is merged", lists, objectOf(list(p.Mark("m"), p)), objectOf(list(c, c)), objectOf(list(tainted, merged))},
		{"a null element's mark", lists, objectOf(list(p)), objectOf(list(noItem.Mark("m"))), objectOf(list(noItem.Mark("m")))},
		{"an unknown element's mark", lists, objectOf(list(p)), objectOf(list(unknownItem.Mark("m"))), objectOf(list(unknownItem.Mark("m")))},
		{"an empty collection's mark", lists, objectOf(list(p)), objectOf(emptyItems.Mark("m")), objectOf(emptyItems.Mark("m"))},
		{"an empty collection's mark, empty before", lists, objectOf(emptyItems), objectOf(emptyItems.Mark("m")), objectOf(emptyItems.Mark("m"))},
		{"a prior empty collection's mark", lists, objectOf(emptyItems.Mark("m")), objectOf(emptyItems), objectOf(emptyItems)},
		{"a null element's mark, null before", lists, objectOf(list(noItem)), objectOf(list(noItem.Mark("m"))), objectOf(list(noItem.Mark("m")))},
		{"a prior null element's mark", lists, objectOf(list(noItem.Mark("m"))), objectOf(list(noItem)), objectOf(list(noItem))},
	})
	// What the user has set before is seen through marks.
	computed := schemaOf(nested(configschema.NestingList, "optional computed", itemAttrs))
	none := objectOf(nullOf(computed))
	any := schemaOf(attr(cty.DynamicPseudoType, "optional computed"))
	testMarkings(t, []marking{
		{"on a prior collection with something set", computed, objectOf(list(p).Mark("m")), none, none},
		{"on a prior element with something set", computed, objectOf(list(p.Mark("m"))), none, none},
		{"on a prior collection with nothing set", computed, objectOf(list(item(str("1"), noStr)).Mark("m")), none, objectOf(list(item(str("1"), noStr)).Mark("m"))},
		{"on a prior null of no type", any, objectOf(noDynamic.Mark("m")), objectOf(noDynamic), objectOf(noDynamic.Mark("m"))},
	})
}

// Marks inside a set move to the set.
func TestProposedNewMarksOfSets(t *testing.T) {
	p, c, merged := item(str("1"), str("a")), item(noStr, str("a")), item(str("1"), str("a"))
	other := item(str("2"), str("b"))
	for name, schema := range map[string]*configschema.Block{
		"block":     schemaOfBlock(block(configschema.NestingSet, itemAttrs)),
		"attribute": schemaOf(nested(configschema.NestingSet, "optional", itemAttrs)),
	} {
		t.Run(name, func(t *testing.T) {
			testMarkings(t, []marking{
				{"around prior", schema, objectOf(set(p)).Mark("m"), objectOf(set(c)), objectOf(set(merged).Mark("m"))},
				{"on prior's set", schema, objectOf(set(p).Mark("m")), objectOf(set(c)), objectOf(set(merged).Mark("m"))},
				{"in prior's set", schema, objectOf(set(item(str("1").Mark("m"), str("a")))), objectOf(set(c)), objectOf(set(merged).Mark("m"))},
				{"on prior's set, of which nothing is chosen", schema, objectOf(set(p).Mark("m")), objectOf(set(other)), objectOf(set(other))},
				{"around config", schema, objectOf(set(p)), objectOf(set(c)).Mark("m"), objectOf(set(merged)).Mark("m")},
				{"on config's set", schema, objectOf(set(p)), objectOf(set(c).Mark("m")), objectOf(set(merged).Mark("m"))},
				{"in config's set", schema, objectOf(set(p)), objectOf(set(item(noStr, str("a").Mark("m")))), objectOf(set(merged).Mark("m"))},
				{"on both", schema, objectOf(set(p).Mark("m")), objectOf(set(c).Mark("n")), objectOf(set(merged).WithMarks(cty.NewValueMarks("m", "n")))},
			})
		})
	}
	deep := schemaOfBlock(block(configschema.NestingSet, attrs{"in": nested(configschema.NestingList, "optional", itemAttrs)}))
	in := func(v cty.Value) cty.Value { return set(object(obj{"in": list(v)})) }
	testMarkings(t, []marking{
		{"from deep inside", deep, objectOf(in(p).Mark("m")), objectOf(in(c)), objectOf(in(merged).Mark("m"))},
	})
}

func TestProposedNewMarksOfDynamicBlocks(t *testing.T) {
	lists := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	p, c := item(str("1"), str("p")), item(noStr, num(2))
	tainted := item(str("1").Mark("m"), num(2))
	k := func(v cty.Value) cty.Value { return object(obj{"k": v}) }
	testMarkings(t, []marking{
		{"on prior's tuple", lists, objectOf(tuple(p).Mark("m")), objectOf(tuple(c)), objectOf(tuple(tainted))},
		{"on config's tuple and element", lists, objectOf(tuple(p)), objectOf(tuple(c.Mark("n")).Mark("m")), objectOf(tuple(item(str("1"), num(2)).Mark("n")).Mark("m"))},
		{"on the unknown", lists, objectOf(tuple(p)), objectOf(cty.DynamicVal.Mark("m")), objectOf(cty.DynamicVal.Mark("m"))},
		{"on prior's object", maps, objectOf(k(p).Mark("m")), objectOf(k(c)), objectOf(k(tainted))},
		{"on config's object and element", maps, objectOf(k(p)), objectOf(k(c.Mark("n")).Mark("m")), objectOf(k(item(str("1"), num(2)).Mark("n")).Mark("m"))},
	})
}

// Marks of the whole, where there is nothing to merge.
func TestProposedNewMarksOfNullAndUnknown(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional computed"))
	ty := schema.ImpliedType()
	testMarkings(t, []marking{
		{"config null", schema, objectOf(str("p")), cty.NullVal(ty).Mark("m"), cty.NullVal(ty).Mark("m")},
		{"config unknown", schema, objectOf(str("p")), cty.UnknownVal(ty).Mark("m"), cty.UnknownVal(ty).Mark("m")},
		{"config an untyped null", schema, objectOf(str("p")), noDynamic.Mark("m"), cty.NullVal(ty).Mark("m")},
		{"config an untyped unknown", schema, objectOf(str("p")), cty.DynamicVal.Mark("m"), cty.UnknownVal(ty).Mark("m")},
		{"prior null", schema, cty.NullVal(ty).Mark("m"), objectOf(str("c")), objectOf(str("c"))},
	})
}

// Marks do not keep the elements of sets from correlating.
func TestProposedNewMarksDoNotHideEquality(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	a, b := item(str("1"), str("a")), item(str("2"), str("b"))
	testMarkings(t, []marking{
		{"prior marked", schema, objectOf(set(a, b)), objectOf(set(item(noStr, str("b").Mark("m")), item(noStr, str("c")))), objectOf(set(b, item(noStr, str("c"))).Mark("m"))},
		{"config marked", schema, objectOf(set(a, b).Mark("m")), objectOf(set(item(noStr, str("b")))), objectOf(set(b).Mark("m"))},
	})
}
