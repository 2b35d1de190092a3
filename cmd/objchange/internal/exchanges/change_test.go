package exchanges

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A Change is the RPCs of one to a thing, which the provider may get wrong.
type Change struct {
	RPCs   []RPC // the plan and the apply
	States []RPC // what returns a state
	Told   string
}

// RecordedProvider and ChangeOf are for the tests of what is made of recordings.
func RecordedProvider(t failer, protocol int) Provider { return recordedProvider(t, protocol) }

// Recorded is a recording of RPCs of a provider.
func Recorded(p Provider, rpcs ...RPC) []byte { return recorded(false, p, rpcs...) }

// ChangeOf draws a change.
func ChangeOf(t *rapid.T, p Provider) Change { return changeOf(t, p, schemaOf(t, p)) }

func changeOf(t *rapid.T, p Provider, block *configschema.Block) Change {
	ty := block.ImpliedType()
	prior := cty.NullVal(ty)
	if rapid.Bool().Draw(t, "update") {
		prior = withoutComputed(thing(t, block, false))
	}
	config := withoutComputed(withoutPrefixes(thing(t, block, true)))
	schema, err := objchange.Compile(block)
	if err != nil {
		t.Fatal(err)
	}
	proposed, err := objchange.ProposedNew(schema, prior, config)
	if err != nil {
		t.Fatal(err)
	}
	planned, err := objchange.PlanComputed(schema, proposed)
	if err != nil {
		t.Fatal(err)
	}
	planned = meddled(t, planned, withoutPrefixes(thing(t, block, true)))
	applied := meddled(t, planned, thing(t, block, false))
	state := withoutPrefixes(thing(t, block, rapid.Bool().Draw(t, "unknown")))
	legacy := rapid.Bool().Draw(t, "legacy")
	rpc := func(name string, request, response fields) RPC {
		method := fmt.Sprintf("/tfplugin%d.Provider/%s", p.Protocol, name)
		if request == nil {
			request = fields{"type_name": "cloud_thing"}
		} else if request["target_type_name"] == nil {
			request["type_name"] = "cloud_thing"
		}
		return RPC{
			Provider: p.Address, Method: method, RPC: path.Base(method), Type: "cloud_thing",
			Requests: [][]byte{message(t, method, false, request)}, Responses: [][]byte{message(t, method, true, response)},
		}
	}
	return Change{
		RPCs: []RPC{
			rpc("PlanResourceChange",
				fields{"prior_state": inMsgpack(t, prior, ty), "config": inMsgpack(t, config, ty), "proposed_new_state": inMsgpack(t, proposed, ty)},
				fields{"planned_state": inMsgpack(t, planned, ty), "legacy_type_system": legacy, "requires_replace": []fields{{"steps": []fields{
					{"attribute_name": rapid.SampledFrom([]string{"tags", "gone"}).Draw(t, "path")}, {"element_key_string": "SECRETA"}}}}}),
			rpc("ApplyResourceChange",
				fields{"prior_state": inMsgpack(t, prior, ty), "config": inMsgpack(t, config, ty), "planned_state": inMsgpack(t, planned, ty)},
				fields{"new_state": inMsgpack(t, applied, ty), "legacy_type_system": legacy}),
		},
		States: []RPC{
			rpc("ReadResource", fields{"current_state": inMsgpack(t, applied, ty)}, fields{"new_state": inMsgpack(t, state, ty)}),
			rpc("UpgradeResourceState", nil, fields{"upgraded_state": inMsgpack(t, state, ty)}),
			rpc("MoveResourceState", fields{"target_type_name": "cloud_thing"}, fields{"target_state": inMsgpack(t, state, ty)}),
			rpc("ImportResourceState", nil, fields{"imported_resources": []fields{{"type_name": "cloud_thing", "state": inMsgpack(t, state, ty)}}}),
		},
		Told: fmt.Sprintf("prior %#v\nconfig %#v\nplanned %#v\napplied %#v\nstate %#v", prior, config, planned, applied, state),
	}
}

func withoutPrefixes(v cty.Value) cty.Value {
	v, _ = cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if !v.IsKnown() && v.Type() == cty.String {
			return cty.UnknownVal(cty.String), nil
		}
		return v, nil
	})
	return v
}

// withoutComputed returns the thing as it can be configured.
func withoutComputed(v cty.Value) cty.Value {
	attributes := v.AsValueMap()
	attributes["id"], attributes["made"] = cty.NullVal(cty.String), cty.NullVal(cty.Map(cty.String))
	return cty.ObjectVal(attributes)
}

// meddled returns the thing with some of another.
func meddled(t *rapid.T, v, other cty.Value) cty.Value {
	attributes := v.AsValueMap()
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		if rapid.IntRange(0, 3).Draw(t, "meddle") == 0 {
			attributes[name] = other.GetAttr(name)
		}
	}
	return cty.ObjectVal(attributes)
}
