package sdkv2_test

import (
	"errors"
	"sync"
	"testing"

	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv/sdkv2"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
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

// TestProposerProposesAsCore checks that a Proposer returns the same value as package objchange.
func TestProposerProposesAsCore(t *testing.T) {
	p := must(sdkv2.NewProposer(ruled))
	block := must(sdkv2.Resource(ruled)).Block
	draw := func(t *rapid.T, label string) cty.Value {
		if rapid.IntRange(0, 9).Draw(t, label) == 0 {
			return cty.NullVal(block.ImpliedType())
		}
		rules := []any{}
		for range rapid.IntRange(0, 3).Draw(t, label) {
			rules = append(rules, map[string]any{"port": rapid.IntRange(1, 3).Draw(t, label)})
		}
		return must(ctydata.ValueOf(block, map[string]any{"rule": rules}))
	}
	rapid.Check(t, func(t *rapid.T) {
		prior, config := draw(t, "prior"), draw(t, "config")
		want := must(objchange.ProposedNew(p.Schema(), prior, config))
		got := must(p.ProposedNew(must(sdkv2.ValueFromCty(prior)), must(sdkv2.ValueFromCty(config))))
		if back := must(sdkv2.ValueToCty(got)); !back.RawEquals(want) {
			t.Fatalf("got %#v, want %#v", back, want)
		}
		planned := must(objchange.PlannedDataResource(p.Schema(), config))
		got = must(p.PlannedDataResource(must(sdkv2.ValueFromCty(config))))
		if back := must(sdkv2.ValueToCty(got)); !back.RawEquals(planned) {
			t.Fatalf("got %#v, want %#v", back, planned)
		}
	})
}

func TestProposerConcurrently(t *testing.T) {
	p := must(sdkv2.NewProposer(ruled))
	config := ruledOf(t, map[string]any{"rule": []any{map[string]any{"port": 1}}})
	want := must(p.ProposedNew(hcty.NilVal, config))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if got, err := p.ProposedNew(hcty.NilVal, config); err != nil || !got.RawEquals(want) {
					t.Errorf("got %#v, %v", got, err)
				}
			}
		})
	}
	all.Wait()
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
	if want := "the configuration: the value: is marked, and marks cannot be converted"; err == nil || err.Error() != want {
		t.Errorf("a marked configuration: %v", err)
	}
	var unusable *objchange.InputError
	_, err = p.ProposedNew(hcty.EmptyObjectVal, ruledOf(t, nil))
	if !errors.As(err, &unusable) {
		t.Errorf("a prior state of another type: %v", err)
	}
}
