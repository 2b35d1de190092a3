package tfconv_test

import (
	"errors"
	"maps"
	"math/big"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/tfconv"
)

// unrefined returns the value as a value of cty. Values of tftypes have no refinements.
func unrefined(v tftypes.Value, schema *objchange.Schema) cty.Value {
	return must(tfconv.ValueToCty(v, schema.ImpliedType()))
}

// ruled is a resource with a set of rules. The provider chooses the ids of the rules.
var ruled = &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{
	Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "id", Type: tftypes.String, Computed: true},
		{Name: "size", Type: tftypes.Number, Optional: true},
		{Name: "tags", Type: tftypes.Set{ElementType: tftypes.String}, Optional: true},
		{Name: "any", Type: tftypes.DynamicPseudoType, Optional: true},
	},
	BlockTypes: []*tfprotov6.SchemaNestedBlock{{
		TypeName: "rule", Nesting: tfprotov6.SchemaNestedBlockNestingModeSet,
		Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
			{Name: "port", Type: tftypes.Number, Required: true},
			{Name: "id", Type: tftypes.String, Optional: true, Computed: true},
		}},
	}},
}}

func ruledProposer() *tfconv.Proposer { return must(tfconv.NewProposer6(ruled)) }

func tfNumber(text string) tftypes.Value {
	n, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return tftypes.NewValue(tftypes.Number, n)
}

func tfSet(elem tftypes.Type, elems ...tftypes.Value) tftypes.Value {
	return tftypes.NewValue(tftypes.Set{ElementType: elem}, elems)
}

// resource returns a value of ruled. Parts that are not given are null.
func resource(parts map[string]tftypes.Value, rules ...tftypes.Value) tftypes.Value {
	ty := ruledProposer().Type().(tftypes.Object)
	all := map[string]tftypes.Value{}
	for name, attr := range ty.AttributeTypes {
		all[name] = tftypes.NewValue(attr, nil)
	}
	all["rule"] = tftypes.NewValue(ty.AttributeTypes["rule"], rules)
	maps.Copy(all, parts)
	return tftypes.NewValue(ty, all)
}

func rule(port, id any) tftypes.Value {
	ty := ruledProposer().Type().(tftypes.Object).AttributeTypes["rule"].(tftypes.Set).ElementType
	return tftypes.NewValue(ty, map[string]tftypes.Value{"port": tftypes.NewValue(tftypes.Number, port), "id": tftypes.NewValue(tftypes.String, id)})
}

type parts = map[string]tftypes.Value

// TestNullOfAnyTypeIsNull checks that a null of any type counts as null. SDKs often use the type of
// an older schema, or no type.
func TestNullOfAnyTypeIsNull(t *testing.T) {
	p := ruledProposer()
	config, want := resource(parts{"size": tfNumber("1")}), tftypes.NewValue(p.Type(), nil)
	for _, none := range []tftypes.Value{
		{}, want, tftypes.NewValue(tftypes.DynamicPseudoType, nil), tftypes.NewValue(tftypes.String, nil),
		tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{"b": tftypes.Bool}}, nil),
	} {
		if got, err := p.ProposedNew(none, config); err != nil || !got.Equal(config) {
			t.Errorf("prior %s: %s, %v", none, got, err)
		}
		if got, err := p.ProposedNew(config, none); err != nil || !got.Equal(want) {
			t.Errorf("configuration %s: %s, %v", none, got, err)
		}
		if got, err := p.PlannedDataResource(none); err != nil || !got.Equal(want) {
			t.Errorf("PlannedDataResource of %s: %s, %v", none, got, err)
		}
	}
}

// TestProposedNewOfBothProtocols checks a proposal for a schema of each protocol.
func TestProposedNewOfBothProtocols(t *testing.T) {
	six := &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "id", Type: tftypes.String, Computed: true}, {Name: "size", Type: tftypes.Number, Optional: true},
	}}}
	five := &tfprotov5.Schema{Block: &tfprotov5.SchemaBlock{Attributes: []*tfprotov5.SchemaAttribute{
		{Name: "id", Type: tftypes.String, Computed: true}, {Name: "size", Type: tftypes.Number, Optional: true},
	}}}
	of := func(id, size any) tftypes.Value {
		parts := parts{"id": tftypes.NewValue(tftypes.String, id), "size": tftypes.NewValue(tftypes.Number, size)}
		return tftypes.NewValue(five.ValueType(), parts)
	}
	got5, err5 := tfconv.ProposedNew5(five, of("i-1", 1), of(nil, 2))
	got6, err6 := tfconv.ProposedNew6(six, of("i-1", 1), of(nil, 2))
	if want := of("i-1", 2); err5 != nil || err6 != nil || !got5.Equal(want) || !got6.Equal(want) {
		t.Errorf("got %s, %v and %s, %v", got5, err5, got6, err6)
	}
}

func TestProposedNewErrors(t *testing.T) {
	p, none := ruledProposer(), tftypes.Value{}
	_, noSchema := tfconv.ProposedNew6(nil, none, none)
	_, noSchema5 := tfconv.ProposedNew5(nil, none, none)
	_, prior := p.ProposedNew(tfString(canary), none)
	_, config := p.ProposedNew(none, tfString(canary))
	for want, err := range map[string]error{
		"the schema: the schema is nil\nthe schema: the schema is nil":  errors.Join(noSchema, noSchema5),
		"the prior state: the value: must be an object, not a string":   prior,
		"the configuration: the value: must be an object, not a string": config,
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
	unknown := tftypes.NewValue(p.Type(), tftypes.UnknownValue)
	if got, err := p.ProposedNew(unknown, unknown); err != nil || !got.Equal(unknown) {
		t.Errorf("of unknown values: got %s, %v", got, err)
	}
}

// TestProposerAsTheProtocol checks that a proposed value is the value that a provider would decode:
// sets in cty's order, numbers as the shortest decimal of their precision, strings in Unicode NFC.
func TestProposerAsTheProtocol(t *testing.T) {
	tenth, _, err := big.ParseFloat("0.1", 10, 100, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	config := resource(parts{
		"size": tftypes.NewValue(tftypes.Number, tenth),
		"tags": tfSet(tftypes.String, tfString("b"), tfString("a")),
	}, rule(2, "e\u0301"), rule(1, "x"))
	want := resource(parts{
		"size": tfNumber("0.1"), "tags": tfSet(tftypes.String, tfString("a"), tfString("b")),
	}, rule(1, "x"), rule(2, "\u00e9"))
	ty := ruledProposer().Type()
	got := must(ruledProposer().ProposedNew(tftypes.NewValue(ty, nil), config))
	wire := must(must(tfprotov6.NewDynamicValue(ty, got)).Unmarshal(ty))
	for name, v := range map[string]tftypes.Value{"the proposal": got, "the proposal over the protocol": wire} {
		// String shows the order of sets, which Equal ignores.
		if !v.Equal(want) || v.String() != want.String() {
			t.Errorf("%s: got %s, want %s", name, v, want)
		}
	}
}

// TestProposerProposesAsCore checks that a Proposer returns the same value as package objchange.
func TestProposerProposesAsCore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := decider(t)
		r := d.Correct(d.Schema(generate.Scope{Depth: 1 + d(2), InSet: true}))
		p, err := tfconv.NewProposer(r.Schema)
		if err != nil || r.Err != nil {
			t.Skip(err, r.Err)
		}
		prior, config := must(tfconv.ValueFromCty(r.Prior)), must(tfconv.ValueFromCty(r.Config))
		expect := func(got tftypes.Value, err error, want cty.Value, wantErr error) {
			t.Helper()
			if err != nil || wantErr != nil {
				t.Fatal(err, wantErr)
			}
			if got, want := unrefined(got, p.Schema()), unrefined(must(tfconv.ValueFromCty(want)), p.Schema()); !got.RawEquals(want) {
				t.Fatalf("got %#v, want %#v%#v", got, want, r)
			}
		}
		before, configured := unrefined(prior, p.Schema()), unrefined(config, p.Schema())
		got, err := p.ProposedNew(prior, config)
		want, wantErr := objchange.ProposedNew(p.Schema(), before, configured)
		expect(got, err, want, wantErr)
		got, err = p.PlannedDataResource(config)
		want, wantErr = objchange.PlannedDataResource(p.Schema(), configured)
		expect(got, err, want, wantErr)
	})
}

// TestProposerConcurrently checks that goroutines can share a Proposer.
func TestProposerConcurrently(t *testing.T) {
	p := ruledProposer()
	prior, config := resource(parts{"id": tfString("i-1")}, rule(1, "a")), resource(nil, rule(1, nil))
	want := must(p.ProposedNew(prior, config))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if got, err := p.ProposedNew(prior, config); err != nil || !got.Equal(want) {
					t.Errorf("got %s, %v", got, err)
				}
			}
		})
	}
	all.Wait()
}

func TestNewProposerErrors(t *testing.T) {
	var none *tfconv.Proposer
	for _, p := range []*tfconv.Proposer{none, {}} {
		_, proposing := p.ProposedNew(resource(nil), resource(nil))
		_, planning := p.PlannedDataResource(resource(nil))
		for _, err := range []error{proposing, planning} {
			if err == nil || err.Error() != "the Proposer has no schema: create it with NewProposer" {
				t.Error(err)
			}
		}
		if p.Schema() != nil || p.Type() != nil {
			t.Error("a zero Proposer has a schema")
		}
	}
	for name, schema := range map[string]*configschema.Block{
		"nil":     nil,
		"invalid": {Attributes: map[string]*configschema.Attribute{"a": {}}},
		"capsule": {Attributes: map[string]*configschema.Attribute{"a": {Type: capsule, Optional: true}}},
	} {
		if _, err := tfconv.NewProposer(schema); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
