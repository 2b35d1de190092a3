package lifecycle_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// TestExpectKnownValues checks that checks of terraform-plugin-testing receive the same values as
// there, and that its paths lead to the same values.
func TestExpectKnownValues(t *testing.T) {
	type checks = map[string]knownvalue.Check
	d := live.ProviderOf(t, nil, "fw").Driver(t, driver.ReportTo(tfcheck.Fail(t)))
	web := d.Lifecycle(t, "fw_server").Create(serverConfig("north", 2, 80, 443))
	web.Expect("create", map[string]any{
		"id":       knownvalue.StringRegexp(regexp.MustCompile("^fw_server-")),
		"secret":   knownvalue.StringExact("hunter2"),
		"disks":    knownvalue.ListSizeExact(2),
		"disks[1]": knownvalue.ObjectPartial(checks{"size": knownvalue.Int64Exact(2)}),
		"mounts": knownvalue.MapPartial(checks{
			"data": knownvalue.ObjectExact(checks{"path": knownvalue.StringExact("/d"), "readonly": knownvalue.Bool(true)}),
		}),
		`mounts["root"].readonly`: knownvalue.Null(),
		"network.public":          knownvalue.Bool(false),
		"ports": knownvalue.SetPartial([]knownvalue.Check{
			knownvalue.ObjectPartial(checks{"number": knownvalue.Float64Exact(443)}),
		}),
		tfjsonpath.New("disks").AtSliceIndex(0).AtMapKey("size").String(): knownvalue.Int32Exact(1),
		tfjsonpath.New("mounts").AtMapKey("root").String():                map[string]any{"path": "/"},
	})
	edge := d.Lifecycle(t, "fw_firewall").Create(firewallConfig(80, cty.NumberIntVal(7)))
	edge.Expect("create", map[string]any{
		"anything":      knownvalue.Int64Exact(7), // a dynamic value
		"key_wo":        nil,
		"log.target":    "file",
		"step[1].note":  "last",
		"step[1]":       map[string]any{"title": "2", "note": "last"}, // without nested blocks
		"step[0].match": []any{map[string]any{"cidr": "10.0.0.0/8"}},
	})
	d.Data(t, "fw_region", map[string]any{"name": "north"}).
		Expect(t, map[string]any{"location": knownvalue.StringExact("here")})
}

// TestExpectShowsElementsThatDiffer checks that the message about a set contains only the elements that differ.
func TestExpectShowsElementsThatDiffer(t *testing.T) {
	d := live.ProviderOf(t, nil, "sdk").Driver(t)
	l := &listener{TB: t}
	d.Lifecycle(l, "sdk_plain").Create(plainConfigs[0]).Expect("create", map[string]any{
		"rule": []any{map[string]any{"prefix": "a", "action": "keep"}, map[string]any{"prefix": "b", "action": "drop"}},
	})
	want := `sdk_plain is not as expected (-got +want):
  - .rule[*] = {action = "", prefix = "a"}
  + .rule[*] = {action = "keep", prefix = "a"}`
	if diff := cmp.Diff([]string{want}, l.failed); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}
