package frameworkprovider

import (
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A fault is one way to break a rule. Its edits change the responses of a resource that follows
// the rules.
type fault struct {
	name     string    // the broken rule, or what the provider does
	plan     edit      // of each plan, except to destroy
	early    edit      // of each plan while a configured value is unknown
	anew     edit      // of each plan to create the object named "b"
	apply    edit      // of the new state
	read     edit      // of the read state
	imported edit      // of the imported state
	replace  path.Path // an additional path that requires replacement
	late     bool      // require replacement only if the configuration is wholly known
	deferred bool      // defer plans, even if not allowed
	fails    bool      // creating the object named "a" fails after the object exists
}

var faults = []fault{
	{name: "honest"},
	{name: "firewall"},

	{name: "plan_absent", plan: in("network", null)},
	{name: "plan_present", plan: in("log", to(map[string]tftypes.Value{
		"target": tftypes.NewValue(tftypes.String, "nobody asked"), "stream": tftypes.NewValue(tftypes.String, nil),
	}))},
	{name: "plan_not_config", plan: in("name", to("other"))},
	{name: "plan_not_config_anew", anew: in("name", to("other"))},
	{name: "plan_not_computed", plan: in("size", to(5))},
	{name: "plan_unknown_nested", plan: in("network", present(unknown))},
	{name: "plan_unknown_block", plan: in("step", first(unknown))},
	{name: "plan_unknown_blocks", plan: in("step", present(unknown))},
	{name: "plan_dynamic_block", early: in("step", to([]tftypes.Value{}))},
	{name: "plan_count", plan: in("disks", none)},
	{name: "plan_key", plan: in("mounts", rename("other"))},
	{name: "plan_set_element", plan: in("ports", first(in("number", to(9))))},

	{name: "replace_path", replace: path.Root("nowhere")},

	{name: "inconsistent_presence", apply: in("log", null)},
	{name: "inconsistent_value", apply: in("name", to("other"))},
	{name: "inconsistent_chosen", apply: in("step", first(in("note", to("other"))))},
	{name: "inconsistent_unknown", early: in("stamp", to("promised"))},
	{name: "inconsistent_type", apply: in("anything", func(tftypes.Value) tftypes.Value {
		return tftypes.NewValue(tftypes.Number, 1)
	})},
	{name: "inconsistent_sensitive", apply: in("secret", to("other"))},
	{name: "inconsistent_count", apply: in("step", none)},
	{name: "inconsistent_key", apply: in("tags", rename("other"))},
	{name: "inconsistent_set_element", apply: in("zones", first(to("other")))},

	{name: "infinite_planned", plan: in("load", infinite)},
	{name: "infinite_applied", apply: in("load", infinite)},
	{name: "infinite_read", read: in("load", infinite)},
	{name: "infinite_imported", imported: in("load", infinite)},

	{name: "state_unknown", apply: in("stamp", unknown)},
	{name: "write_only_not_null", plan: in("key_wo", to("leak"))},

	{name: "state_unknown_read", read: in("stamp", unknown)},
	{name: "state_unknown_imported", imported: in("stamp", unknown)},

	{name: "perpetual_diff", plan: in("stamp", unknown)},
	{name: "action_changed", replace: path.Root("name"), late: true},

	{name: "deferred", deferred: true},
	{name: "half_created", fails: true},

	{name: "nothing_applied", apply: null}, // the framework rejects it
}
