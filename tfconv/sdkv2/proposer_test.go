package sdkv2_test

import (
	"errors"
	"testing"

	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv/sdkv2"
)

// ruled has rules in a set. The provider chooses the tokens of the rules.
var ruled = &schema.Resource{Schema: map[string]*schema.Schema{
	"size": {Type: schema.TypeInt, Optional: true},
	"rule": {Type: schema.TypeSet, Optional: true, Elem: &schema.Resource{Schema: map[string]*schema.Schema{
		"port":  {Type: schema.TypeInt, Required: true},
		"token": {Type: schema.TypeString, Computed: true},
	}}},
}}

// ruledOf returns a value of ruled. Attributes that are not given are null.
func ruledOf(t testing.TB, data map[string]any) hcty.Value {
	t.Helper()
	return must(sdkv2.ValueFromCty(must(ctydata.ValueOf(must(sdkv2.Resource(ruled)).Block, data))))
}

func TestProposer(t *testing.T) {
	p := must(sdkv2.NewProposer(ruled))
	null := hcty.NullVal(p.Type())
	with := func(data map[string]any) hcty.Value { return ruledOf(t, data) }
	rule := func(port int, token any) map[string]any { return map[string]any{"port": port, "token": token} }
	before := with(map[string]any{"id": "i-1", "size": 1, "rule": []any{rule(1, "a"), rule(2, "b")}})
	planned, err := p.PlannedDataResource(with(map[string]any{"size": 1}))
	if err != nil || planned.GetAttr("id").IsKnown() || !planned.GetAttr("size").RawEquals(hcty.NumberIntVal(1)) {
		t.Errorf("planned data resource %#v, %v", planned, err)
	}
	for name, test := range map[string]struct{ prior, config, want hcty.Value }{
		"a set element keeps what the provider chose": {
			before, with(map[string]any{"size": 2, "rule": []any{rule(2, nil), rule(3, nil)}}),
			with(map[string]any{"id": "i-1", "size": 2, "rule": []any{rule(2, "b"), rule(3, nil)}}),
		},
		"create":                              {null, with(map[string]any{"size": 1}), with(map[string]any{"size": 1})},
		"create, prior of no type":            {hcty.NullVal(hcty.DynamicPseudoType), with(nil), with(nil)},
		"create, without a state":             {hcty.NilVal, with(nil), with(nil)},
		"delete":                              {before, null, null},
		"delete, configuration of no type":    {before, hcty.NullVal(hcty.DynamicPseudoType), null},
		"delete, a configuration that is not": {before, hcty.NilVal, null},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := p.ProposedNew(test.prior, test.config)
			if err != nil || !got.RawEquals(test.want) {
				t.Errorf("got %#v, %v; want %#v", got, err, test.want)
			}
		})
	}
}

func TestProposerErrors(t *testing.T) {
	for _, p := range []*sdkv2.Proposer{nil, {}} {
		_, proposing := p.ProposedNew(hcty.NilVal, hcty.NilVal)
		_, planning := p.PlannedDataResource(hcty.NilVal)
		for _, err := range []error{proposing, planning} {
			if err == nil || err.Error() != "the Proposer has no schema: create it with NewProposer" {
				t.Error(err)
			}
		}
		if p.Schema() != nil || p.Type() != hcty.NilType {
			t.Error("a zero Proposer has a schema")
		}
	}
	for _, r := range []*schema.Resource{nil, {Schema: map[string]*schema.Schema{"a": nil}}} {
		if _, err := sdkv2.NewProposer(r); err == nil {
			t.Errorf("%v: no error", r)
		}
	}

	p := must(sdkv2.NewProposer(ruled))
	_, err := p.ProposedNew(hcty.NilVal, ruledOf(t, nil).Mark("secret"))
	if want := "the configuration: the value: is marked, and the protocol does not support marks"; err == nil || err.Error() != want {
		t.Errorf("a marked configuration: %v", err)
	}
	var unusable *objchange.InputError
	_, err = p.ProposedNew(hcty.EmptyObjectVal, ruledOf(t, nil))
	if !errors.As(err, &unusable) {
		t.Errorf("a prior state of another type: %v", err)
	}
}
