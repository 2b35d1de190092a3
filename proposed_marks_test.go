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

// semantics.md#types-and-marks. That the result without its marks is what
// arguments without marks give is tested in every row.
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

func TestProposedNewMarksOfAttributes(t *testing.T) {
	leaf := withAttr(attr(cty.String, "optional computed"))
	strings := withAttr(attr(cty.List(cty.String), "optional computed"))
	testMarkings(t, []marking{
		{"a configured value keeps its mark", leaf, asV(str("p")), asV(str("c").Mark("m")), asV(str("c").Mark("m"))},
		{"prior's mark goes with its value", leaf, asV(str("p").Mark("m")), asV(str("c")), asV(str("c"))},
		{"a value from prior keeps its mark", leaf, asV(str("p").Mark("m")), asV(noStr), asV(str("p").Mark("m"))},
		{"config's mark goes with its null", leaf, asV(str("p")), asV(noStr.Mark("m")), asV(str("p"))},
		{"an unknown keeps its mark", leaf, asV(str("p")), asV(unknownStr.Mark("m")), asV(unknownStr.Mark("m"))},
		{"marks inside a value stay there", strings, asV(list(str("p").Mark("m"))), asV(cty.NullVal(cty.List(cty.String))), asV(list(str("p").Mark("m")))},
		{"a mark around prior goes to what is chosen from it", leaf, asV(str("p")).Mark("m"), asV(noStr), asV(str("p").Mark("m"))},
		{"a mark around prior joins the value's own", leaf, asV(str("p").Mark("n")).Mark("m"), asV(noStr), asV(str("p").WithMarks(cty.NewValueMarks("m", "n")))},
		{"a mark around prior goes to a null chosen from it", leaf, asV(noStr).Mark("m"), asV(noStr), asV(noStr.Mark("m"))},
		{"a mark around prior does not go to what is configured", leaf, asV(str("p")).Mark("m"), asV(str("p")), asV(str("p"))},
		{"a mark around config stays where it is", leaf, asV(str("p")), asV(noStr).Mark("m"), asV(str("p")).Mark("m")},
		{"marks around both", leaf, asV(str("p")).Mark("m"), asV(noStr).Mark("n"), asV(str("p").Mark("m")).Mark("n")},
	})
}

func TestProposedNewMarksOfContainers(t *testing.T) {
	p, c, merged := item(str("1"), str("p")), item(noStr, str("c")), item(str("1"), str("c"))
	tainted := item(str("1").Mark("m"), str("c")) // the id is from something marked
	for _, mode := range everyMode {
		if mode == objchange.NestingSet {
			continue
		}
		schemas := map[string]*objchange.Block{"block": withBlock(block(mode, itemAttrs)), "attribute": withAttr(nested(mode, "optional", itemAttrs))}
		for what, schema := range schemas {
			t.Run(mode.String()+" "+what, func(t *testing.T) {
				testMarkings(t, []marking{
					{"around prior", schema, asV(inMode(mode, p)).Mark("m"), asV(inMode(mode, c)), asV(inMode(mode, tainted))},
					{"on prior's collection", schema, asV(inMode(mode, p).Mark("m")), asV(inMode(mode, c)), asV(inMode(mode, tainted))},
					{"on prior's element", schema, asV(inMode(mode, p.Mark("m"))), asV(inMode(mode, c)), asV(inMode(mode, tainted))},
					{"on prior's attribute", schema, asV(inMode(mode, item(str("1").Mark("m"), str("p")))), asV(inMode(mode, c)), asV(inMode(mode, tainted))},
					{"on prior's other attribute", schema, asV(inMode(mode, item(str("1"), str("p").Mark("m")))), asV(inMode(mode, c)), asV(inMode(mode, merged))},
					{"around config", schema, asV(inMode(mode, p)), asV(inMode(mode, c)).Mark("m"), asV(inMode(mode, merged)).Mark("m")},
					{"on config's collection", schema, asV(inMode(mode, p)), asV(inMode(mode, c).Mark("m")), asV(inMode(mode, merged).Mark("m"))},
					{"on config's element", schema, asV(inMode(mode, p)), asV(inMode(mode, c.Mark("m"))), asV(inMode(mode, merged.Mark("m")))},
					{"on config's attribute", schema, asV(inMode(mode, p)), asV(inMode(mode, item(noStr, str("c").Mark("m")))), asV(inMode(mode, item(str("1"), str("c").Mark("m"))))},
					{"on config's unknown", schema, asV(inMode(mode, p)), asV(cty.UnknownVal(typeIn(mode, itemType)).Mark("m")), asV(cty.UnknownVal(typeIn(mode, itemType)).Mark("m"))},
					{"nothing new, but prior is marked", schema, asV(inMode(mode, p).Mark("m")), asV(inMode(mode, item(noStr, str("p")))), asV(inMode(mode, item(str("1").Mark("m"), str("p"))))},
				})
			})
		}
	}
	lists := withBlock(block(objchange.NestingList, itemAttrs))
	testMarkings(t, []marking{
		{"all the containers' marks together", lists, asV(list(item(str("1").Mark("d"), noStr).Mark("c")).Mark("b")).Mark("a"), asV(list(c)),
			asV(list(item(str("1").WithMarks(cty.NewValueMarks("a", "b", "c", "d")), str("c"))))},
		{"only of the element that is merged", lists, asV(list(p.Mark("m"), p)), asV(list(c, c)), asV(list(tainted, merged))},
		{"a null element's mark", lists, asV(list(p)), asV(list(noItem.Mark("m"))), asV(list(noItem.Mark("m")))},
		{"an unknown element's mark", lists, asV(list(p)), asV(list(unknownItem.Mark("m"))), asV(list(unknownItem.Mark("m")))},
		{"an empty collection's mark", lists, asV(list(p)), asV(emptyItems.Mark("m")), asV(emptyItems.Mark("m"))},
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
				{"around prior", schema, asV(set(p)).Mark("m"), asV(set(c)), asV(set(merged).Mark("m"))},
				{"on prior's set", schema, asV(set(p).Mark("m")), asV(set(c)), asV(set(merged).Mark("m"))},
				{"in prior's set", schema, asV(set(item(str("1").Mark("m"), str("a")))), asV(set(c)), asV(set(merged).Mark("m"))},
				{"on prior's set, of which nothing is chosen", schema, asV(set(p).Mark("m")), asV(set(other)), asV(set(other))},
				{"around config", schema, asV(set(p)), asV(set(c)).Mark("m"), asV(set(merged)).Mark("m")},
				{"on config's set", schema, asV(set(p)), asV(set(c).Mark("m")), asV(set(merged).Mark("m"))},
				{"in config's set", schema, asV(set(p)), asV(set(item(noStr, str("a").Mark("m")))), asV(set(merged).Mark("m"))},
				{"on both", schema, asV(set(p).Mark("m")), asV(set(c).Mark("n")), asV(set(merged).WithMarks(cty.NewValueMarks("m", "n")))},
			})
		})
	}
	deep := withBlock(block(objchange.NestingSet, attrs{"in": nested(objchange.NestingList, "optional", itemAttrs)}))
	in := func(v cty.Value) cty.Value { return set(object(obj{"in": list(v)})) }
	testMarkings(t, []marking{
		{"from deep inside", deep, asV(in(p).Mark("m")), asV(in(c)), asV(in(merged).Mark("m"))},
	})
}

func TestProposedNewMarksOfDynamicBlocks(t *testing.T) {
	lists := withBlock(block(objchange.NestingList, dynAttrs))
	maps := withBlock(block(objchange.NestingMap, dynAttrs))
	p, c := item(str("1"), str("p")), item(noStr, num(2))
	tainted := item(str("1").Mark("m"), num(2))
	k := func(v cty.Value) cty.Value { return object(obj{"k": v}) }
	testMarkings(t, []marking{
		{"on prior's tuple", lists, asV(tuple(p).Mark("m")), asV(tuple(c)), asV(tuple(tainted))},
		{"on config's tuple and element", lists, asV(tuple(p)), asV(tuple(c.Mark("n")).Mark("m")), asV(tuple(item(str("1"), num(2)).Mark("n")).Mark("m"))},
		{"on the unknown", lists, asV(tuple(p)), asV(cty.DynamicVal.Mark("m")), asV(cty.DynamicVal.Mark("m"))},
		{"on prior's object", maps, asV(k(p).Mark("m")), asV(k(c)), asV(k(tainted))},
		{"on config's object and element", maps, asV(k(p)), asV(k(c.Mark("n")).Mark("m")), asV(k(item(str("1"), num(2)).Mark("n")).Mark("m"))},
	})
}

// Marks of the whole, where there is nothing to merge.
func TestProposedNewMarksOfNullAndUnknown(t *testing.T) {
	schema := withAttr(attr(cty.String, "optional computed"))
	ty := schema.ImpliedType()
	testMarkings(t, []marking{
		{"config null", schema, asV(str("p")), cty.NullVal(ty).Mark("m"), cty.NullVal(ty).Mark("m")},
		{"config unknown", schema, asV(str("p")), cty.UnknownVal(ty).Mark("m"), cty.UnknownVal(ty).Mark("m")},
		{"config an untyped null", schema, asV(str("p")), noDynamic.Mark("m"), cty.NullVal(ty).Mark("m")},
		{"config an untyped unknown", schema, asV(str("p")), cty.DynamicVal.Mark("m"), cty.UnknownVal(ty).Mark("m")},
		{"prior null", schema, cty.NullVal(ty).Mark("m"), asV(str("c")), asV(str("c"))},
	})
}

// Marks do not keep the elements of sets from correlating.
func TestProposedNewMarksDoNotHideEquality(t *testing.T) {
	schema := withBlock(block(objchange.NestingSet, itemAttrs))
	a, b := item(str("1"), str("a")), item(str("2"), str("b"))
	testMarkings(t, []marking{
		{"prior marked", schema, asV(set(a, b)), asV(set(item(noStr, str("b").Mark("m")), item(noStr, str("c")))), asV(set(b, item(noStr, str("c"))).Mark("m"))},
		{"config marked", schema, asV(set(a, b).Mark("m")), asV(set(item(noStr, str("b")))), asV(set(b).Mark("m"))},
	})
}
