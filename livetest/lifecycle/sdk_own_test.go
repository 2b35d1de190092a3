package lifecycle_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck/driver"
)

// TestSDKPlanForRemovedValue checks the statements in docs/rules/README.md about SDK v2: its plan
// for a value that is removed from the configuration.
func TestSDKPlanForRemovedValue(t *testing.T) {
	type values = map[string]any
	ports := func(protocol schema.Schema) *schema.Schema {
		protocol.Type, protocol.Optional = schema.TypeString, true
		return &schema.Schema{Type: schema.TypeSet, Optional: true, Elem: &schema.Resource{Schema: map[string]*schema.Schema{
			"number": {Type: schema.TypeInt, Required: true}, "protocol": &protocol,
		}}}
	}
	own := []live.Summary{live.Saw(live.Plan, objchange.RulePlanNotComputed, objchange.LegacySDK)}
	ownInSet := []live.Summary{live.Saw(live.Plan, objchange.RulePlanSetElement, objchange.LegacySDK)}
	for name, test := range map[string]struct {
		thing      *schema.Schema
		set, unset any
		want       []live.Summary
		action     objchange.Action
	}{
		"a default": {
			&schema.Schema{Type: schema.TypeString, Optional: true, Default: "standard"},
			"fast", nil, own, objchange.ActionUpdate},
		"computed in its place, the value stays": {
			&schema.Schema{Type: schema.TypeString, Optional: true, Computed: true},
			"fast", nil, nil, objchange.ActionNoOp},
		"a removed map is an empty one": {
			&schema.Schema{Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
			values{"env": "test"}, nil, own, objchange.ActionUpdate},
		"nothing is empty text in a set block": {
			ports(schema.Schema{}),
			[]any{values{"number": 1, "protocol": "tcp"}}, []any{values{"number": 1}}, ownInSet, objchange.ActionUpdate},
		"a default in a set block": {
			ports(schema.Schema{Default: "udp"}),
			[]any{values{"number": 1, "protocol": "tcp"}}, []any{values{"number": 1}}, ownInSet, objchange.ActionUpdate},
	} {
		t.Run(name, func(t *testing.T) {
			i := live.Resource(t, sdkDriverOf(t, test.thing), "sdk_it")
			must(t)(i.Create(t.Context(), values{"thing": test.set}))
			run, err := i.Update(t.Context(), values{"thing": test.unset})
			if err != nil || run.Action != test.action {
				t.Errorf("%s: %v", run.Action, err)
			}
			if diff := cmp.Diff(test.want, live.Summaries(run.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// sdkDriverOf returns a driver of a provider whose only resource is sdk_it. It has the attribute,
// and stores the planned values.
func sdkDriverOf(t *testing.T, thing *schema.Schema) *driver.Driver {
	t.Helper()
	nothing := func(*schema.ResourceData, any) error { return nil }
	p := &schema.Provider{ResourcesMap: map[string]*schema.Resource{"sdk_it": {
		Schema: map[string]*schema.Schema{"thing": thing},
		Create: func(d *schema.ResourceData, _ any) error { d.SetId("1"); return nil },
		Read:   nothing, Update: nothing, Delete: nothing,
	}}}
	return (&live.Provider{Server5: p.GRPCProvider()}).Driver(t)
}
