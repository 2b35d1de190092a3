package spectest

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// The property table (specification.md#136-property-table) shows the planned change of an attribute,
// a nested block type, a nested attribute, and blocks in attribute mode. The change depends on the
// kind, the state and the configuration.
//
// The test computes each cell: it checks the configuration, proposes a new state, fills in the
// default, plans unknown values for the rest, checks the plan, and reads the difference.
//
// A state contains nothing or a value (S). A configuration contains nothing, an empty list, the value
// from the state, or another value (C).

type tableCell struct{ kind, state, config string }

const (
	none  = "none"
	other = "other"
	same  = "same"
	empty = "empty"
)

// A propertyMode builds the schema and the values of a mode.
type propertyMode struct {
	schema func(kind string) *configschema.Block
	value  func(s string) cty.Value // a value with the text
	absent cty.Value
	empty  cty.Value // the zero cty.Value if the mode has no empty list
}

var propertyModes = map[string]propertyMode{
	"attribute": {
		schema: func(kind string) *configschema.Block {
			return &configschema.Block{Attributes: Attrs{"p": Attr(cty.String, propertyFlags[kind])}}
		},
		value:  Str,
		absent: NoStr,
	},
	"nested block": {
		schema: func(kind string) *configschema.Block {
			flags := "optional"
			if kind == "optional and computed" {
				flags = "optional computed"
			}
			nb := Block(configschema.NestingList, Attrs{"text": Attr(cty.String, flags)})
			nb.Computed = kind == "optional and computed"
			if kind == "required" {
				nb.MinItems = 1
			}
			return &configschema.Block{BlockTypes: Blocks{"p": nb}}
		},
		value:  oneText,
		absent: cty.ListValEmpty(textType),
	},
	"attribute as blocks": {
		schema: func(kind string) *configschema.Block {
			return &configschema.Block{Attributes: Attrs{"p": Attr(cty.List(textType), propertyFlags[kind])}}
		},
		value:  oneText,
		absent: cty.NullVal(cty.List(textType)),
		empty:  cty.ListValEmpty(textType),
	},
	"nested attribute": {
		schema: func(kind string) *configschema.Block {
			inner := Attrs{"text": Attr(cty.String, propertyFlags[kind])}
			return &configschema.Block{Attributes: Attrs{"p": Nested(configschema.NestingList, propertyFlags[kind], inner)}}
		},
		value:  oneText,
		absent: cty.NullVal(cty.List(textType)),
		empty:  cty.ListValEmpty(textType),
	},
}

var propertyFlags = map[string]string{
	"required":              "required",
	"optional":              "optional",
	"optional with default": "optional computed",
	"computed":              "computed",
	"optional and computed": "optional computed",
}

var textType = cty.Object(map[string]cty.Type{"text": cty.String})

func oneText(s string) cty.Value { return List(Object(Obj{"text": Str(s)})) }

// derive returns the planned change in the cell.
func (m propertyMode) derive(t *testing.T, c tableCell) string {
	t.Helper()
	schema := m.schema(c.kind)
	values := map[string]cty.Value{none: m.absent, empty: m.empty, other: m.value("S")}
	state := values[c.state]
	config := values[c.config]
	switch c.config {
	case same:
		config = state
	case other:
		config = m.value("C")
	}

	prior := Object(Obj{"p": state})
	written := Object(Obj{"p": config})
	if objchange.AssertConfigValid(Compiled(schema), written) != nil {
		return "error"
	}
	planned := m.plan(t, schema, prior, written, c.kind)
	changes, err := objchange.Diff(Compiled(schema), prior, planned)
	if err != nil {
		t.Fatal(err)
	}
	return m.read(changes, state, config, planned.GetAttr("p"))
}

// plan returns the plan of a provider. The provider fills in the default, and plans unknown values
// for all other values that it can choose.
func (m propertyMode) plan(t *testing.T, schema *configschema.Block, prior, config cty.Value, kind string) cty.Value {
	t.Helper()
	prepared, err := objchange.PrepareComputedBlocks(Compiled(schema), config)
	if err != nil {
		t.Fatal(err)
	}
	proposed, err := objchange.ProposedNew(Compiled(schema), prior, prepared)
	if err != nil {
		t.Fatal(err)
	}
	if kind == "optional with default" && config.GetAttr("p").IsNull() {
		proposed = Object(Obj{"p": m.value("D")})
	}
	planned, err := objchange.PlanComputed(Compiled(schema), proposed)
	if err != nil {
		t.Fatal(err)
	}
	Expect(t, objchange.AssertPlanValid(Compiled(schema), prior, prepared, planned))
	return planned
}

// read returns the text in the table for a difference.
func (m propertyMode) read(changes []objchange.Change, state, config, planned cty.Value) string {
	had := !state.RawEquals(m.absent)
	switch {
	case len(changes) == 0 && had:
		return "no-op (state)"
	case len(changes) == 0:
		return "no-op (null)"
	case !planned.IsKnown() && had:
		return "update (state to unknown)"
	case !planned.IsKnown():
		return "add (unknown)"
	case planned.RawEquals(m.absent), m.empty != cty.NilVal && planned.RawEquals(m.empty) && had:
		return "remove"
	}
	to := "default"
	if planned.RawEquals(config) {
		to = "config"
	}
	if had {
		return "update (state to " + to + ")"
	}
	return "add (" + to + ")"
}
