package lifecycle_test

import (
	"strings"
	"testing"

	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/zclconf/go-cty/cty"
)

// A life is a lifecycle of a resource that the oracle compares.
type life struct {
	about    string
	change   *live.Change
	typeName string
	steps    []live.Step
	ignored  string // the attribute whose changes are ignored
}

func (l life) name() string { return l.typeName + "/" + strings.ReplaceAll(l.about, " ", "-") }

func (l life) provider(t *testing.T) *live.Provider {
	return live.ProviderOf(t, l.change, l.typeName)
}

// lifeOf returns the breach, followed by an update. If the breach is in a request of them, an import and a removal
// follow. Nothing follows a rejected plan to create the object from known values, because each further plan has
// the same fault.
func lifeOf(b live.Breach) life {
	steps := b.Run(b.TypeName)
	switch last := steps[len(steps)-1]; {
	case last.StepKind == live.Reading || last.StepKind == live.Opening:
	case b.RPC == live.Plan && b.Stops() && len(steps) == 1 && last.Late == "":
	case b.RPC == live.Read || b.RPC == live.Upgrade || b.RPC == live.ImportState || last.StepKind == live.Destroying:
		steps = rest(steps, b.TypeName)
	default:
		steps = append(steps, updated(b.TypeName))
	}
	return life{b.Name(), b.Change, b.TypeName, steps, ""}
}

// nothingImported is imported as null. The command reads a null object before it stops. A driver
// stops at once.
var nothingImported = life{"is imported as nothing", live.ImportsNull, "fw_honest", live.Then(live.Create(), live.Adopting)("fw_honest"), ""}

// rest adds the steps of the rest of a lifecycle.
func rest(steps []live.Step, typeName string) []live.Step {
	return append(steps,
		updated(typeName),
		live.Do(live.Importing, live.Full(typeName), ""),
		live.Do(live.Removing, nil, ""),
	)
}

func updated(typeName string) live.Step {
	return live.Do(live.Applying, live.Full(typeName, "name", "b"), "")
}

var env = map[string]any{"env": "test"}

// others lists lifecycles of resources without a fault, and lifecycles that break no rule or
// several rules.
var others = []life{
	{"vanishes", nil, "fw_honest", rest(vanishingOf("fw_honest"), "fw_honest"), ""},
	{"vanishes", nil, "sdk_honest", rest(vanishingOf("sdk_honest"), "sdk_honest"), ""},
	{"waits for nothing", nil, "fw_honest", lateForNothing("fw_honest"), ""},
	{"waits for nothing", nil, "sdk_honest", lateForNothing("sdk_honest"), ""},
	{"lives", nil, "fw_server", []live.Step{
		live.Do(live.Applying, serverConfig("north", 1, 80, 443), "name"),
		live.Do(live.Applying, serverConfig("north", 1, 80, 443), ""),
		live.Do(live.Applying, serverConfig("north", 3, 80, 8080), "disks"),
		live.Do(live.Applying, serverConfig("south", 2), ""),
		live.Do(live.Applying, serverConfig("north", 2), "region"),
		live.Do(live.Replacing, serverConfig("north", 2), ""),
		live.Do(live.Importing, serverConfig("north", 2), ""),
		live.Do(live.Adopting, serverConfig("north", 2), ""),
		live.Do(live.Applying, serverConfig("north", 1), ""),
		live.Do(live.Destroying, nil, ""),
	}, ""},
	{"lives", nil, "fw_firewall", []live.Step{
		live.Do(live.Applying, firewallConfig(80, "text"), "step"),
		live.Do(live.Applying, firewallConfig(81, cty.NumberIntVal(7)), ""),
		live.Do(live.Applying, map[string]any{"name": "bare"}, ""),
		live.Do(live.Applying, firewallConfig(80, "text"), "rule"),
		live.Do(live.Importing, firewallConfig(80, "text"), ""),
		live.Do(live.Adopting, firewallConfig(80, "text"), ""),
		live.Do(live.Destroying, nil, ""),
		live.Do(live.Applying, map[string]any{"name": "x", "key_wo": "forbidden"}, ""),
	}, ""},
	{"lives", nil, "fw_link", []live.Step{
		live.Do(live.Applying, map[string]any{"target": "x"}, "target"),
		live.Do(live.Applying, map[string]any{"target": "y"}, "target"),
		live.Do(live.Destroying, nil, ""),
	}, ""},
	{"lives", nil, "sdk_bucket", []live.Step{
		live.Do(live.Applying, bucketConfig("b", "frozen", "Tall", env), "name"),
		live.Do(live.Applying, bucketConfig("b", "frozen", "Tall", map[string]any{"env": "prod"}), "tags"),
		live.Do(live.Applying, bucketConfig("b", "warm", "Tall", env), ""),
		live.Do(live.Applying, bucketConfig("c", "warm", "Tall", env), "name"),
		live.Do(live.Applying, bucketConfig("c", "warm", "TALL", env), ""),
		live.Do(live.Importing, bucketConfig("c", "warm", "TALL", env), ""),
		live.Do(live.Adopting, bucketConfig("c", "warm", "TALL", env), ""),
		live.Do(live.Applying, bucketConfig("c", "warm", "TALL", env), ""),
		live.Do(live.Destroying, nil, ""),
	}, ""},
	{"lives", nil, "sdk_plain", []live.Step{
		live.Do(live.Applying, plainConfigs[0], "tags"),
		live.Do(live.Applying, plainConfigs[1], ""),
		live.Do(live.Applying, plainConfigs[2], ""),
		live.Do(live.Importing, plainConfigs[2], ""),
		live.Do(live.Adopting, plainConfigs[2], ""),
		live.Do(live.Destroying, nil, ""),
	}, ""},
	{"loses a member", nil, "fw_link", []live.Step{
		live.Do(live.Applying, linkConfig("a", "b"), ""),
		live.Do(live.Applying, linkConfig("b"), ""),
		live.Do(live.Applying, linkConfig("b", "c"), ""),
		live.Do(live.Applying, map[string]any{"target": "x"}, ""),
		live.Do(live.Destroying, nil, ""),
	}, ""},
	{"is read", nil, "fw_region", live.ReadData()(""), ""},
	{"is read", nil, "sdk_region", live.ReadData()(""), ""},
	{"is not there", nil, "sdk_nowhere", live.ReadData()(""), ""},
	{"is opened", nil, "fw_token", live.OpenEphemeral()(""), ""},
	{"is opened and not all known", nil, "fw_sealed", live.OpenEphemeral()(""), ""},

	{"is tainted", nil, "fw_half_created", rest(live.Create()("fw_half_created"), "fw_half_created"), ""},
	{"is deferred", nil, "fw_deferred", live.Create()("fw_deferred"), ""},
	{"is tainted", nil, "sdk_half_created", rest(live.Create()("sdk_half_created"), "sdk_half_created"), ""},
	{"is imported with another", nil, "sdk_twins", live.Then(live.Create(), live.Adopting)("sdk_twins"), ""},
	{"is imported infinite", nil, "fw_infinite_imported", live.Then(live.Then(live.Create(), live.Importing), live.Applying)("fw_infinite_imported"), ""},
	{"leaks", live.Leaks, "sdk_honest", live.Create("name", "b")("sdk_honest"), ""},
	{"is adopted", nil, "fw_honest", live.Then(live.Then(live.Create(), live.Adopting), live.Adopting, "name", "b")("fw_honest"), ""},
	{"is adopted", nil, "sdk_honest", live.Then(live.Then(live.Create(), live.Adopting), live.Adopting, "name", "b")("sdk_honest"), ""},
	{"is adopted", nil, "fw_state_unknown_imported", live.Then(live.Then(live.Create(), live.Adopting), live.Adopting, "name", "b")("fw_state_unknown_imported"), ""},
	{"is upgraded to null", live.UpgradesToNull, "fw_honest", live.Then(live.Create(), live.Applying)("fw_honest"), ""},
	{"ignores changes", nil, "fw_honest", live.Then(live.Then(live.Create(), live.Applying, "name", "b"), live.Applying, "size", 2)("fw_honest"), "name"},
	{"ignores changes", nil, "sdk_honest", live.Then(live.Then(live.Create(), live.Applying, "name", "b"), live.Applying, "note", "x")("sdk_honest"), "name"},
	{"ignores all changes", nil, "fw_honest", live.Then(live.Then(live.Create(), live.Applying, "name", "b"), live.Replacing, "size", 2)("fw_honest"), live.Everything},
	{"ignores all changes", nil, "sdk_honest", live.Then(live.Then(live.Create(), live.Applying, "name", "b"), live.Replacing, "note", "x")("sdk_honest"), live.Everything},
	{"ignores all changes", nil, "sdk_perpetual_diff", live.Then(live.Create(), live.Applying, "name", "b")("sdk_perpetual_diff"), live.Everything},
	{"ignores all changes", nil, "sdk_plan_not_config", live.Then(live.Create(), live.Applying, "name", "b")("sdk_plan_not_config"), live.Everything},
	{"ignores changes", nil, "sdk_plan_not_config", live.Then(live.Create(), live.Applying, "name", "b")("sdk_plan_not_config"), "name"},
	{"ignores changes", nil, "sdk_perpetual_diff", live.Then(live.Create(), live.Applying, "name", "b")("sdk_perpetual_diff"), "stamp"},
	// The legacy SDK is tolerated at plan and not after apply.
	{"is planned to be nothing", live.PlansNothing, "sdk_honest", live.Create()("sdk_honest"), ""},
	{"is planned to be nothing", live.PlansNothing, "fw_honest", live.Create()("fw_honest"), ""},
	{"is there though nothing was planned", live.PlansNothingOnly, "sdk_honest", live.Create("key_wo", nil)("sdk_honest"), ""},
	{"is planned to be destroyed and unknown", live.PlansUnknown, "sdk_honest", live.Destroyed()("sdk_honest"), ""},
	{"fails half-way", live.FailsHalfWay, "fw_honest", live.Then(live.Create(), live.Applying)("fw_honest"), ""},
	{"fails half-way", live.FailsHalfWay, "sdk_honest", live.Then(live.Create(), live.Applying)("sdk_honest"), ""},
	{"fails to be planned", live.FailsMistyped, "fw_honest", live.Update("name", "b")("fw_honest"), ""},
	{"fails to be deleted", live.FailsToDelete, "fw_honest", live.Destroyed()("fw_honest"), ""},
	{"fails to be deleted", live.FailsToDelete, "sdk_honest", live.Destroyed()("sdk_honest"), ""},
	{"is always replaced", live.ReplacesAlways, "fw_honest", live.Then(live.Then(live.Create(), live.Applying), live.Destroying)("fw_honest"), ""},
	{"is always replaced", live.ReplacesAlways, "sdk_honest", live.Then(live.Then(live.Create(), live.Applying), live.Destroying)("sdk_honest"), ""},
	{"is tainted and destroyed", nil, "fw_half_created", live.Then(live.Create(), live.Destroying)("fw_half_created"), ""},
	{"is tainted and destroyed", nil, "sdk_half_created", live.Then(live.Create(), live.Destroying)("sdk_half_created"), ""},
	{"is tainted and gone", live.ForgetsCreated, "sdk_honest", live.Then(live.Then(live.Create(), live.Applying), live.Destroying)("sdk_honest"), ""},
}

// vanishingOf returns steps in which the object vanishes at different times.
func vanishingOf(typeName string) []live.Step {
	config := live.Full(typeName)
	return []live.Step{
		live.Do(live.Applying, config, ""),
		live.Do(live.Vanishing, nil, ""), live.Do(live.Applying, config, ""),
		live.Do(live.Vanishing, nil, ""), live.Do(live.Refreshing, config, ""), live.Do(live.Destroying, nil, ""), live.Do(live.Applying, config, ""),
		live.Do(live.Vanishing, nil, ""), live.Do(live.Destroying, nil, ""), live.Do(live.Applying, config, ""),
		live.Do(live.Replacing, config, ""), live.Do(live.Refreshing, config, ""),
	}
}

// lateForNothing returns steps with a value that is known only at apply and does not change.
func lateForNothing(typeName string) []live.Step {
	return append(live.Create()(typeName), live.Do(live.Applying, live.Full(typeName), "name"), live.Do(live.Applying, live.Full(typeName), ""))
}
