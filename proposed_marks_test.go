package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// A marking is a row about marks at one attribute or block type, named v, and
// around it.
type marking struct {
	name                string
	schema              *objchange.Block
	prior, config, want cty.Value // as wholes
}

// Section 3, 6. That the result without its marks is what arguments without
// marks give is tested in every row.
func testMarkings(t *testing.T, rows []marking) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(row.schema, row.prior, row.config)
			expectValue(t, got, err, row.want)
			prior, _ := row.prior.UnmarkDeep()
			config, _ := row.config.UnmarkDeep()
			unmarked, _ := got.UnmarkDeep()
			plain, err := objchange.ProposedNew(row.schema, prior, config)
			expectValue(t, plain, err, unmarked)
		})
	}
}

func v(value cty.Value) cty.Value { return object(obj{"v": value}) }

func TestProposedNewMarksOfAttributes(t *testing.T) {
	leaf := withAttr(attr(cty.String, "optional computed"))
	strings := withAttr(attr(cty.List(cty.String), "optional computed"))
	testMarkings(t, []marking{
		{"a configured value keeps its mark", leaf, v(str("p")), v(str("c").Mark("m")), v(str("c").Mark("m"))},
		{"prior's mark goes with its value", leaf, v(str("p").Mark("m")), v(str("c")), v(str("c"))},
		{"a value from prior keeps its mark", leaf, v(str("p").Mark("m")), v(noStr), v(str("p").Mark("m"))},
		{"config's mark goes with its null", leaf, v(str("p")), v(noStr.Mark("m")), v(str("p"))},
		{"an unknown keeps its mark", leaf, v(str("p")), v(unknownStr.Mark("m")), v(unknownStr.Mark("m"))},
		{"marks inside a value stay there", strings, v(list(str("p").Mark("m"))), v(cty.NullVal(cty.List(cty.String))), v(list(str("p").Mark("m")))},
		{"a mark around prior goes to what is chosen from it", leaf, v(str("p")).Mark("m"), v(noStr), v(str("p").Mark("m"))},
		{"a mark around prior joins the value's own", leaf, v(str("p").Mark("n")).Mark("m"), v(noStr), v(str("p").WithMarks(cty.NewValueMarks("m", "n")))},
		{"a mark around prior goes to a null chosen from it", leaf, v(noStr).Mark("m"), v(noStr), v(noStr.Mark("m"))},
		{"a mark around prior does not go to what is configured", leaf, v(str("p")).Mark("m"), v(str("p")), v(str("p"))},
		{"a mark around config stays where it is", leaf, v(str("p")), v(noStr).Mark("m"), v(str("p")).Mark("m")},
		{"marks around both", leaf, v(str("p")).Mark("m"), v(noStr).Mark("n"), v(str("p").Mark("m")).Mark("n")},
	})
}

func TestProposedNewMarksOfContainers(t *testing.T) {
	p, c, merged := item(str("1"), str("p")), item(noStr, str("c")), item(str("1"), str("c"))
	tainted := item(str("1").Mark("m"), str("c")) // the id is from something marked
	for _, mode := range everyMode {
		if mode == objchange.NestingSet {
			continue
		}
		schemas := map[string]*objchange.Block{"block": withBlock(block(mode, itemAttrs))}
		if mode != objchange.NestingGroup {
			schemas["attribute"] = withAttr(nested(mode, "optional", itemAttrs))
		}
		for what, schema := range schemas {
			t.Run(mode.String()+" "+what, func(t *testing.T) {
				testMarkings(t, []marking{
					{"around prior", schema, v(inMode(mode, p)).Mark("m"), v(inMode(mode, c)), v(inMode(mode, tainted))},
					{"on prior's collection", schema, v(inMode(mode, p).Mark("m")), v(inMode(mode, c)), v(inMode(mode, tainted))},
					{"on prior's element", schema, v(inMode(mode, p.Mark("m"))), v(inMode(mode, c)), v(inMode(mode, tainted))},
					{"on prior's attribute", schema, v(inMode(mode, item(str("1").Mark("m"), str("p")))), v(inMode(mode, c)), v(inMode(mode, tainted))},
					{"on prior's other attribute", schema, v(inMode(mode, item(str("1"), str("p").Mark("m")))), v(inMode(mode, c)), v(inMode(mode, merged))},
					{"around config", schema, v(inMode(mode, p)), v(inMode(mode, c)).Mark("m"), v(inMode(mode, merged)).Mark("m")},
					{"on config's collection", schema, v(inMode(mode, p)), v(inMode(mode, c).Mark("m")), v(inMode(mode, merged).Mark("m"))},
					{"on config's element", schema, v(inMode(mode, p)), v(inMode(mode, c.Mark("m"))), v(inMode(mode, merged.Mark("m")))},
					{"on config's attribute", schema, v(inMode(mode, p)), v(inMode(mode, item(noStr, str("c").Mark("m")))), v(inMode(mode, item(str("1"), str("c").Mark("m"))))},
					{"on config's unknown", schema, v(inMode(mode, p)), v(cty.UnknownVal(typeIn(mode, itemType)).Mark("m")), v(cty.UnknownVal(typeIn(mode, itemType)).Mark("m"))},
					{"nothing new, but prior is marked", schema, v(inMode(mode, p).Mark("m")), v(inMode(mode, item(noStr, str("p")))), v(inMode(mode, item(str("1").Mark("m"), str("p"))))},
				})
			})
		}
	}
	lists := withBlock(block(objchange.NestingList, itemAttrs))
	testMarkings(t, []marking{
		{"all the containers' marks together", lists, v(list(item(str("1").Mark("d"), noStr).Mark("c")).Mark("b")).Mark("a"), v(list(c)),
			v(list(item(str("1").WithMarks(cty.NewValueMarks("a", "b", "c", "d")), str("c"))))},
		{"only of the element that is merged", lists, v(list(p.Mark("m"), p)), v(list(c, c)), v(list(tainted, merged))},
		{"a null element's mark", lists, v(list(p)), v(list(noItem.Mark("m"))), v(list(noItem.Mark("m")))},
		{"an unknown element's mark", lists, v(list(p)), v(list(unknownItem.Mark("m"))), v(list(unknownItem.Mark("m")))},
		{"an empty collection's mark", lists, v(list(p)), v(emptyItems.Mark("m")), v(emptyItems.Mark("m"))},
	})
}

// Marks inside a set move to the set.
func TestProposedNewMarksOfSets(t *testing.T) {
	p, c, merged := item(str("1"), str("a")), item(noStr, str("a")), item(str("1"), str("a"))
	other := item(str("2"), str("b"))
	for name, schema := range map[string]*objchange.Block{
		"block":     withBlock(block(objchange.NestingSet, itemAttrs)),
		"attribute": withAttr(nested(objchange.NestingSet, "optional", itemAttrs)),
	} {
		t.Run(name, func(t *testing.T) {
			testMarkings(t, []marking{
				{"around prior", schema, v(set(p)).Mark("m"), v(set(c)), v(set(merged).Mark("m"))},
				{"on prior's set", schema, v(set(p).Mark("m")), v(set(c)), v(set(merged).Mark("m"))},
				{"in prior's set", schema, v(set(item(str("1").Mark("m"), str("a")))), v(set(c)), v(set(merged).Mark("m"))},
				{"on prior's set, of which nothing is chosen", schema, v(set(p).Mark("m")), v(set(other)), v(set(other))},
				{"around config", schema, v(set(p)), v(set(c)).Mark("m"), v(set(merged)).Mark("m")},
				{"on config's set", schema, v(set(p)), v(set(c).Mark("m")), v(set(merged).Mark("m"))},
				{"in config's set", schema, v(set(p)), v(set(item(noStr, str("a").Mark("m")))), v(set(merged).Mark("m"))},
				{"on both", schema, v(set(p).Mark("m")), v(set(c).Mark("n")), v(set(merged).WithMarks(cty.NewValueMarks("m", "n")))},
			})
		})
	}
	deep := withBlock(block(objchange.NestingSet, attrs{"in": nested(objchange.NestingList, "optional", itemAttrs)}))
	in := func(v cty.Value) cty.Value { return set(object(obj{"in": list(v)})) }
	testMarkings(t, []marking{
		{"from deep inside", deep, v(in(p).Mark("m")), v(in(c)), v(in(merged).Mark("m"))},
	})
}

func TestProposedNewMarksOfDynamicBlocks(t *testing.T) {
	lists := withBlock(block(objchange.NestingList, dynAttrs))
	maps := withBlock(block(objchange.NestingMap, dynAttrs))
	p, c := item(str("1"), str("p")), item(noStr, num(2))
	tainted := item(str("1").Mark("m"), num(2))
	k := func(v cty.Value) cty.Value { return object(obj{"k": v}) }
	testMarkings(t, []marking{
		{"on prior's tuple", lists, v(tuple(p).Mark("m")), v(tuple(c)), v(tuple(tainted))},
		{"on config's tuple and element", lists, v(tuple(p)), v(tuple(c.Mark("n")).Mark("m")), v(tuple(item(str("1"), num(2)).Mark("n")).Mark("m"))},
		{"on the unknown", lists, v(tuple(p)), v(cty.DynamicVal.Mark("m")), v(cty.DynamicVal.Mark("m"))},
		{"on prior's object", maps, v(k(p).Mark("m")), v(k(c)), v(k(tainted))},
		{"on config's object and element", maps, v(k(p)), v(k(c.Mark("n")).Mark("m")), v(k(item(str("1"), num(2)).Mark("n")).Mark("m"))},
	})
}

// Marks of the whole, where there is nothing to merge.
func TestProposedNewMarksOfNullAndUnknown(t *testing.T) {
	schema := withAttr(attr(cty.String, "optional computed"))
	ty := schema.ImpliedType()
	testMarkings(t, []marking{
		{"config null", schema, v(str("p")), cty.NullVal(ty).Mark("m"), cty.NullVal(ty).Mark("m")},
		{"config unknown", schema, v(str("p")), cty.UnknownVal(ty).Mark("m"), cty.UnknownVal(ty).Mark("m")},
		{"config an untyped null", schema, v(str("p")), noDynamic.Mark("m"), cty.NullVal(ty).Mark("m")},
		{"config an untyped unknown", schema, v(str("p")), cty.DynamicVal.Mark("m"), cty.UnknownVal(ty).Mark("m")},
		{"prior null", schema, cty.NullVal(ty).Mark("m"), v(str("c")), v(str("c"))},
	})
}

// Marks do not keep the elements of sets from correlating.
func TestProposedNewMarksDoNotHideEquality(t *testing.T) {
	schema := withBlock(block(objchange.NestingSet, itemAttrs))
	a, b := item(str("1"), str("a")), item(str("2"), str("b"))
	testMarkings(t, []marking{
		{"prior marked", schema, v(set(a, b)), v(set(item(noStr, str("b").Mark("m")), item(noStr, str("c")))), v(set(b, item(noStr, str("c"))).Mark("m"))},
		{"config marked", schema, v(set(a, b).Mark("m")), v(set(item(noStr, str("b")))), v(set(b).Mark("m"))},
	})
}
