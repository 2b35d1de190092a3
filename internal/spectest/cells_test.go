package spectest

import (
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// A cell is a combination for which the corpus should have cases: the operation, the container
// of an attribute, the kind of its type, and its flags. A case counts for a cell if an object
// in one of its arguments has such an attribute.
type cell struct {
	op                 conformance.Op
	parent, kind, flag string
}

func (c cell) String() string {
	return strings.Join([]string{string(c.op), c.parent, c.kind, c.flag}, ", ")
}

var (
	// cellOps omits [conformance.OpPrepare], because its result depends only on computed
	// blocks.
	cellOps   = slices.DeleteFunc(conformance.Ops(), func(op conformance.Op) bool { return op == conformance.OpPrepare })
	cellModes = []string{"single", "list", "set", "map"}
	cellKinds = []string{"string", "number", "bool", "list", "set", "map", "tuple", "object", "dynamic", "partly dynamic"}
	cellFlags = []string{"required", "optional", "computed", "optional computed"}
)

// possible reports whether a valid schema can have the cell. A set cannot contain dynamic types.
func (c cell) possible() bool {
	return !strings.HasSuffix(c.parent, " set") || !strings.Contains(c.kind, "dynamic")
}

// cells returns all possible cells.
func cells() (all []cell) {
	parents, kinds := []string{"root", "block group"}, cellKinds
	for _, mode := range cellModes { // the protocols have no nested attributes with group nesting
		parents = append(parents, "attribute "+mode, "block "+mode)
		kinds = append(kinds, "nested "+mode)
	}
	for _, op := range cellOps {
		for _, parent := range parents {
			for _, kind := range kinds {
				for _, flag := range cellFlags {
					if c := (cell{op, parent, kind, flag}); c.possible() {
						all = append(all, c)
					}
				}
			}
		}
	}
	return all
}

// A counter counts the cases of each cell.
type counter map[cell]int

// add counts a case once for each of its cells.
func (n counter) add(c *conformance.Case) {
	has := map[cell]bool{}
	for _, v := range c.In {
		visit(c.Op, "root", parts.RootOf(c.Schema.Block).Fields, v, has)
	}
	for one := range has {
		n[one]++
	}
}

// visit finds the cells of an object and of the objects inside it.
func visit(op conformance.Op, parent string, f parts.Fields, object cty.Value, has map[cell]bool) {
	if object.IsNull() || !object.IsKnown() {
		return
	}
	below := func(what string, mode configschema.NestingMode, f parts.Fields, v cty.Value) {
		objects := []parts.Entry{{Value: v}}
		if mode != configschema.NestingSingle && mode != configschema.NestingGroup {
			objects = parts.ElementsOf(v)
		}
		for _, e := range objects {
			visit(op, what+" "+mode.String(), f, e.Value, has)
		}
	}
	for name, a := range f.Attributes {
		has[cell{op, parent, kindOf(a), flagOf(a)}] = true
		if nested := a.NestedType; nested != nil {
			below("attribute", nested.Nesting, parts.Fields{Attributes: nested.Attributes}, object.GetAttr(name))
		}
	}
	for name, nb := range f.BlockTypes {
		below("block", nb.Nesting, parts.Fields{Attributes: nb.Attributes, BlockTypes: nb.BlockTypes}, object.GetAttr(name))
	}
}

func kindOf(a *configschema.Attribute) string {
	switch ty := a.Type; {
	case a.NestedType != nil:
		return "nested " + a.NestedType.Nesting.String()
	case ty == cty.DynamicPseudoType:
		return "dynamic"
	case ty.HasDynamicTypes():
		return "partly dynamic"
	case ty.IsTupleType():
		return "tuple"
	case ty.IsObjectType():
		return "object"
	case ty.IsPrimitiveType():
		return ty.FriendlyName()
	default:
		return strings.Fields(ty.FriendlyName())[0]
	}
}

func flagOf(a *configschema.Attribute) string {
	switch {
	case a.WriteOnly:
		return "write-only"
	case a.Required:
		return "required"
	case a.Optional && a.Computed:
		return "optional computed"
	case a.Computed:
		return "computed"
	}
	return "optional"
}

// noCase is the only possible cell without a case.
var noCase = cell{conformance.OpData, "attribute single", "tuple", "required"}

// checkCells checks that each possible cell has a case, except for noCase. It does not count write-only
// attributes: one of any type is null everywhere except in a configuration.
func checkCells(t *testing.T, n counter) {
	t.Helper()
	for _, c := range cells() {
		if n[c] == 0 && c != noCase {
			t.Errorf("%s: no case in the corpus", c)
		}
	}
	for c := range n {
		if !c.possible() && c.flag != "write-only" {
			t.Errorf("%s: has a case, but no valid schema can have it", c)
		}
	}
}
