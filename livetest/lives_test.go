package livetest_test

import (
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
)

// A life is a lifecycle of a resource that the oracle compares.
type life struct {
	about    string
	made     string
	rule     objchange.Rule
	typeName string
	steps    []step
	ignored  []string // ignored changes, by attribute name
}

// everything ignores changes of all attributes.
const everything = "all"

func (l life) name() string { return l.typeName + "/" + strings.ReplaceAll(l.about, " ", "-") }

func (l life) provider(t *testing.T) *provider { return providerOf(t, l.made, l.rule, l.typeName) }

// oracleLives returns all breaches and repairs, each followed by the rest of a lifecycle.
func oracleLives() (all []life) {
	for _, b := range breaches {
		all = append(all, life{string(b.rule) + " " + b.made, b.made, b.rule, b.typeName, rest(b.run(b.typeName), b.typeName), nil})
	}
	for _, r := range repairs {
		all = append(all, life{"repaired", r.made, r.rule, r.typeName, rest(r.run(r.typeName), r.typeName), nil})
	}
	// The command reads a null object before it stops. A driver stops at once.
	return append(all, life{"is imported as nothing", importsNull, "", "fw_honest", then(create(), adopting)("fw_honest"), nil})
}

// rest adds the steps of the rest of a lifecycle.
func rest(steps []step, typeName string) []step {
	if last := steps[len(steps)-1].stepKind; last == reading || last == opening {
		return steps
	}
	return append(steps,
		step{applying, full(typeName, "name", "b"), ""},
		step{replacing, full(typeName), ""},
		step{importing, full(typeName), ""},
		step{refreshing, full(typeName), ""},
		step{removing, nil, ""},
	)
}

var env = map[string]any{"env": "test"}

// others lists lifecycles of resources without a fault, and lifecycles that break no rule or
// several rules.
var others = []life{
	{"vanishes", framework, "", "fw_honest", rest(vanishingOf("fw_honest"), "fw_honest"), nil},
	{"vanishes", sdk, "", "sdk_honest", rest(vanishingOf("sdk_honest"), "sdk_honest"), nil},
	{"waits for nothing", framework, "", "fw_honest", lateForNothing("fw_honest"), nil},
	{"waits for nothing", sdk, "", "sdk_honest", lateForNothing("sdk_honest"), nil},
	{"lives", framework, "", "fw_server", []step{
		{applying, serverConfig("north", 1, 80, 443), "name"},
		{applying, serverConfig("north", 1, 80, 443), ""},
		{applying, serverConfig("north", 3, 80, 8080), "disks"},
		{applying, serverConfig("south", 2), ""},
		{applying, serverConfig("north", 2), "region"},
		{replacing, serverConfig("north", 2), ""},
		{importing, serverConfig("north", 2), ""},
		{adopting, serverConfig("north", 2), ""},
		{applying, serverConfig("north", 1), ""},
		{destroying, nil, ""},
	}, nil},
	{"lives", framework, "", "fw_firewall", []step{
		{applying, firewallConfig(80, "text"), "step"},
		{applying, firewallConfig(81, cty.NumberIntVal(7)), ""},
		{applying, map[string]any{"name": "bare"}, ""},
		{applying, firewallConfig(80, "text"), "rule"},
		{importing, firewallConfig(80, "text"), ""},
		{adopting, firewallConfig(80, "text"), ""},
		{destroying, nil, ""},
		{applying, map[string]any{"name": "x", "key_wo": "forbidden"}, ""},
	}, nil},
	{"lives", framework, "", "fw_link", []step{
		{applying, map[string]any{"target": "x"}, "target"},
		{applying, map[string]any{"target": "y"}, "target"},
		{destroying, nil, ""},
	}, nil},
	{"lives", sdk, "", "sdk_bucket", []step{
		{applying, bucketConfig("b", "frozen", "Tall", env), "name"},
		{applying, bucketConfig("b", "frozen", "Tall", map[string]any{"env": "prod"}), "tags"},
		{applying, bucketConfig("b", "warm", "Tall", env), ""},
		{applying, bucketConfig("c", "warm", "Tall", env), "name"},
		{applying, bucketConfig("c", "warm", "TALL", env), ""},
		{importing, bucketConfig("c", "warm", "TALL", env), ""},
		{adopting, bucketConfig("c", "warm", "TALL", env), ""},
		{applying, bucketConfig("c", "warm", "TALL", env), ""},
		{destroying, nil, ""},
	}, nil},
	{"lives", sdk, "", "sdk_plain", []step{
		{applying, plainConfigs[0], "tags"},
		{applying, plainConfigs[1], ""},
		{applying, plainConfigs[2], ""},
		{importing, plainConfigs[2], ""},
		{adopting, plainConfigs[2], ""},
		{destroying, nil, ""},
	}, nil},
	{"loses a member", framework, "", "fw_link", []step{
		{applying, linkConfig("a", "b"), ""},
		{applying, linkConfig("b"), ""},
		{applying, linkConfig("b", "c"), ""},
		{applying, map[string]any{"target": "x"}, ""},
		{destroying, nil, ""},
	}, nil},
	{"is read", framework, "", "fw_region", readData()(""), nil},
	{"is read", sdk, "", "sdk_region", readData()(""), nil},
	{"is not there", sdk, "", "sdk_nowhere", readData()(""), nil},
	{"is opened", framework, "", "fw_token", openEphemeral()(""), nil},
	{"is opened and not all known", framework, "", "fw_sealed", openEphemeral()(""), nil},

	{"is tainted", framework, "", "fw_half_created", rest(create()("fw_half_created"), "fw_half_created"), nil},
	{"is deferred", framework, "", "fw_deferred", create()("fw_deferred"), nil},
	{"is tainted", sdk, "", "sdk_half_created", rest(create()("sdk_half_created"), "sdk_half_created"), nil},
	{"is imported with another", sdk, "", "sdk_twins", then(create(), adopting)("sdk_twins"), nil},
	{"is imported infinite", framework, "", "fw_infinite_imported", then(then(create(), importing), applying)("fw_infinite_imported"), nil},
	{"leaks", leaks, "", "sdk_honest", create("name", "b")("sdk_honest"), nil},
	{"is adopted", framework, "", "fw_honest", then(then(create(), adopting), adopting, "name", "b")("fw_honest"), nil},
	{"is adopted", sdk, "", "sdk_honest", then(then(create(), adopting), adopting, "name", "b")("sdk_honest"), nil},
	{"is adopted", framework, "", "fw_state_unknown_imported", then(then(create(), adopting), adopting, "name", "b")("fw_state_unknown_imported"), nil},
	{"is upgraded to null", upgradesToNull, "", "fw_honest", then(create(), applying)("fw_honest"), nil},
	{"ignores changes", framework, "", "fw_honest", then(then(create(), applying, "name", "b"), applying, "size", 2)("fw_honest"), []string{"name"}},
	{"ignores changes", sdk, "", "sdk_honest", then(then(create(), applying, "name", "b"), applying, "note", "x")("sdk_honest"), []string{"name"}},
	{"ignores all changes", framework, "", "fw_honest", then(then(create(), applying, "name", "b"), replacing, "size", 2)("fw_honest"), []string{everything}},
	{"ignores all changes", sdk, "", "sdk_honest", then(then(create(), applying, "name", "b"), replacing, "note", "x")("sdk_honest"), []string{everything}},
	{"ignores all changes", sdk, "", "sdk_perpetual_diff", then(create(), applying, "name", "b")("sdk_perpetual_diff"), []string{everything}},
	{"ignores all changes", sdk, "", "sdk_plan_not_config", then(create(), applying, "name", "b")("sdk_plan_not_config"), []string{everything}},
	{"ignores changes", sdk, "", "sdk_plan_not_config", then(create(), applying, "name", "b")("sdk_plan_not_config"), []string{"name"}},
	{"ignores changes", sdk, "", "sdk_perpetual_diff", then(create(), applying, "name", "b")("sdk_perpetual_diff"), []string{"stamp"}},
	// The legacy SDK is tolerated at plan and not after apply.
	{"is planned to be nothing", plansNothing, "", "sdk_honest", create()("sdk_honest"), nil},
	{"is planned to be nothing", plansNothing, "", "fw_honest", create()("fw_honest"), nil},
	{"is there though nothing was planned", plansNothingOnly, "", "sdk_honest", create("key_wo", nil)("sdk_honest"), nil},
	{"is planned to be destroyed and unknown", plansUnknown, "", "sdk_honest", destroyed()("sdk_honest"), nil},
	{"fails half-way", failsHalfWay, "", "fw_honest", then(create(), applying)("fw_honest"), nil},
	{"fails half-way", failsHalfWay, "", "sdk_honest", then(create(), applying)("sdk_honest"), nil},
	{"fails to be planned", failsMistyped, "", "fw_honest", update("name", "b")("fw_honest"), nil},
	{"fails to be deleted", failsToDelete, "", "fw_honest", destroyed()("fw_honest"), nil},
	{"fails to be deleted", failsToDelete, "", "sdk_honest", destroyed()("sdk_honest"), nil},
	{"is always replaced", replacesAlways, "", "fw_honest", then(then(create(), applying), destroying)("fw_honest"), nil},
	{"is always replaced", replacesAlways, "", "sdk_honest", then(then(create(), applying), destroying)("sdk_honest"), nil},
	{"is tainted and destroyed", framework, "", "fw_half_created", then(create(), destroying)("fw_half_created"), nil},
	{"is tainted and destroyed", sdk, "", "sdk_half_created", then(create(), destroying)("sdk_half_created"), nil},
	{"is tainted and gone", forgetsCreated, "", "sdk_honest", then(then(create(), applying), destroying)("sdk_honest"), nil},
}

// vanishingOf returns steps in which the object vanishes at different times.
func vanishingOf(typeName string) []step {
	config := full(typeName)
	return []step{
		{applying, config, ""},
		{vanishing, nil, ""}, {applying, config, ""},
		{vanishing, nil, ""}, {refreshing, config, ""}, {destroying, nil, ""}, {applying, config, ""},
		{vanishing, nil, ""}, {destroying, nil, ""}, {applying, config, ""},
	}
}

// lateForNothing returns steps with a value that is known only at apply and does not change.
func lateForNothing(typeName string) []step {
	return append(create()(typeName), step{applying, full(typeName), "name"}, step{applying, full(typeName), ""})
}
