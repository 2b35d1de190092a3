package main

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/ctydata"
)

type (
	attributes = map[string]*configschema.Attribute
	blocks     = map[string]*configschema.NestedBlock
	object     = map[string]any
	list       = []any
)

var (
	optional  = &configschema.Attribute{Type: cty.String, Optional: true}
	computed  = &configschema.Attribute{Type: cty.String, Computed: true}
	either    = &configschema.Attribute{Type: cty.String, Optional: true, Computed: true}
	writeOnly = &configschema.Attribute{Type: cty.String, Optional: true, WriteOnly: true}
	unknown   = cty.UnknownVal(cty.String)
)

func nested(mode configschema.NestingMode, attrs attributes) *configschema.Attribute {
	return &configschema.Attribute{Optional: true, Computed: true, NestedType: &configschema.Object{Nesting: mode, Attributes: attrs}}
}

// What the framework plans where nobody helps it with defaults and plan modifiers. All of
// it is right: a provider may plan what it likes for what is computed and not configured.
func TestPlans(t *testing.T) {
	server := attributes{"name": optional, "id": computed, "zone": either}
	rule := attributes{"port": optional, "id": computed}
	for name, test := range map[string]struct {
		attrs         attributes
		blocks        blocks
		prior, config object
		want          object
	}{
		"what is computed is unknown in what is new": {
			attrs:  server,
			config: object{"name": "web"},
			want:   object{"name": "web", "id": unknown, "zone": unknown},
		},
		// PlanComputed plans what is proposed, "i-1" and "eu".
		"and in what changes, whatever it was": {
			attrs:  server,
			prior:  object{"name": "web", "id": "i-1", "zone": "eu"},
			config: object{"name": "mail"},
			want:   object{"name": "mail", "id": unknown, "zone": unknown},
		},
		// PlanComputed plans unknown for the zone.
		"nothing changes: null stays null": {
			attrs:  server,
			prior:  object{"name": "web", "id": "i-1"},
			config: object{"name": "web"},
			want:   object{"name": "web", "id": "i-1"},
		},
		"a write-only value is left out, and alone is no change": {
			attrs:  attributes{"secret": writeOnly, "id": computed},
			prior:  object{"id": "i-1"},
			config: object{"secret": "s"},
			want:   object{"id": "i-1"},
		},
		"nested attributes that are not configured are unknown as a whole": {
			attrs:  attributes{"name": optional, "net": nested(configschema.NestingSingle, attributes{"ip": computed})},
			prior:  object{"name": "web", "net": object{"ip": "10.0.0.1"}},
			config: object{"name": "mail"},
			want:   object{"name": "mail", "net": cty.UnknownVal(cty.Object(map[string]cty.Type{"ip": cty.String}))},
		},
		"what is computed is unknown in each block of a list": {
			blocks: blocks{"rule": {Nesting: configschema.NestingList, Block: configschema.Block{Attributes: rule}}},
			prior:  object{"rule": list{object{"port": "80", "id": "r-1"}}},
			config: object{"rule": list{object{"port": "80"}, object{"port": "443"}}},
			want:   object{"rule": list{object{"port": "80", "id": unknown}, object{"port": "443", "id": unknown}}},
		},
		// The configuration has no element that is equal to the proposed one for port 80, so
		// that the framework does not find out what is null in it.
		"in a set what is proposed of an earlier element stays": {
			attrs:  attributes{"rule": nested(configschema.NestingSet, rule)},
			prior:  object{"rule": list{object{"port": "80", "id": "r-1"}}},
			config: object{"rule": list{object{"port": "80"}, object{"port": "443"}}},
			want:   object{"rule": list{object{"port": "80", "id": "r-1"}, object{"port": "443", "id": unknown}}},
		},
		"what is known of an unknown value is lost": {
			attrs:  attributes{"name": optional},
			config: object{"name": unknown.RefineNotNull()},
			want:   object{"name": unknown},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := ask(t, &configschema.Block{Attributes: test.attrs, BlockTypes: test.blocks}, test.prior, test.config)
			want := valueOf(t, c.Schema.Block, test.want)
			got := answer(c)
			if got.Kind != conformance.KindValue || !got.Value.RawEquals(want) {
				t.Errorf("got %#v, want %#v", got, want)
			}
			if verdict := c.Judge(got).Verdict; verdict != conformance.VerdictSame {
				t.Errorf("got verdict %s", verdict)
			}
		})
	}
}

// ask returns the case that asks for a plan of what Terraform proposes.
func ask(t *testing.T, b *configschema.Block, prior, config object) *conformance.Case {
	t.Helper()
	in := map[string]cty.Value{"prior": cty.NullVal(b.ImpliedType()), "config": valueOf(t, b, config)}
	if prior != nil {
		in["prior"] = valueOf(t, b, prior)
	}
	schema, err := objchange.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	if in["proposed"], err = objchange.ProposedNew(schema, in["prior"], in["config"]); err != nil {
		t.Fatal(err)
	}
	return &conformance.Case{ID: "case", Op: conformance.OpComputed, Schema: &conformance.Schema{Name: "schema", Block: b}, In: in}
}

func valueOf(t *testing.T, b *configschema.Block, data object) cty.Value {
	t.Helper()
	v, err := ctydata.ValueOf(b, data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
