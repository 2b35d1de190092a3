package livetest_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fixes lists the breaches that the steps for users fix, with the change of the configuration
// that the steps describe. All other breaches can only be fixed in the provider.
var fixes = map[string][]any{
	"type-mismatch/fw_honest/" + mistypesUpdated:           {},
	"plan-absent/fw_plan_absent":                           {"network", nil},
	"plan-present/fw_plan_present":                         {"log", map[string]any{"target": "nobody asked"}},
	"plan-present/fw_honest/" + plansDestroyed:             {},
	"plan-present/sdk_honest/" + plansDestroyed:            {},
	"plan-not-config/fw_plan_not_config":                   {"name", "other"},
	"plan-not-config/fw_plan_not_config_anew":              {"name", "other"},
	"plan-not-computed/fw_plan_not_computed":               {"size", 5},
	"plan-unknown-nested/fw_plan_unknown_nested":           {"network", nil},
	"plan-unknown-blocks/fw_plan_unknown_blocks":           {"step", nil},
	"plan-null-blocks/fw_honest/" + handmade:               {"step", noted(nil)},
	"plan-unknown-block/fw_plan_unknown_block":             {"step", nil},
	"plan-dynamic-block/fw_plan_dynamic_block":             {"name", "a"}, // with a known number of blocks
	"plan-count/fw_plan_count":                             {"disks", nil},
	"plan-key/fw_plan_key":                                 {"mounts", map[string]any{"other": map[string]any{"path": "/"}}},
	"inconsistent-presence/fw_inconsistent_presence":       {"log", nil},
	"inconsistent-presence/fw_honest/" + keepsDeleted:      {},
	"inconsistent-presence/sdk_honest/" + keepsDeleted:     {},
	"inconsistent-value/fw_inconsistent_value":             {"name", "other"},
	"inconsistent-value/fw_inconsistent_chosen":            {"step", noted(nil)},
	"inconsistent-unknown/fw_inconsistent_unknown":         {},
	"inconsistent-unknown/sdk_inconsistent_unknown":        {},
	"inconsistent-type/fw_inconsistent_type":               {"anything", 1},
	"inconsistent-sensitive/fw_inconsistent_sensitive":     {"secret", "other"},
	"inconsistent-count/fw_inconsistent_count":             {"step", nil},
	"inconsistent-key/fw_inconsistent_key":                 {"tags", map[string]any{"other": "v"}},
	"inconsistent-key/sdk_tags_all":                        {},
	"inconsistent-set-element/fw_inconsistent_set_element": {"zones", []any{"other"}},
	"state-unknown/fw_state_unknown":                       {},
	"state-unknown/sdk_state_unknown":                      {},
	"action-changed/fw_action_changed":                     {},
}

// TestStepsFix follows the steps of objchange explain for each breach that Terraform rejects, in
// order, with the real command. It checks that the breaches in fixes are fixed, that no object is
// destroyed, and that the last step says how to report the breach.
func TestStepsFix(t *testing.T) {
	programsOnly(t)
	fixed := map[string]bool{}
	for _, b := range breaches {
		if b.reaction != coreRejects || supportedSince[b.typeName] != "" || b.made == leaks || b.made == leaksUpdated {
			continue // Terraform rejects the leaked value because of another rule
		}
		t.Run(b.name(), func(t *testing.T) {
			tf, printed := b.printed(t, "-json")
			all := explainText(t, printed)
			i := slices.IndexFunc(all, func(e explained) bool { return e.Rule == b.rule && e.Enforced })
			if i < 0 {
				t.Fatalf("%s is not explained", b.rule)
			}
			if last := all[i].Steps[len(all[i].Steps)-1]; !strings.Contains(last, "`objchange watch --record recording --redact -- terraform ") {
				t.Errorf("the last step is %q", last)
			}
			fixed[b.name()] = true
			change, can := fixes[b.name()]
			if why := tf.follow(t, b, all[i].Steps, change); (why == "") != can {
				t.Errorf("the steps fix it: %t, because of %q", why == "", why)
			}
		})
	}
	for name := range fixes {
		if !t.Failed() && len(fixed) > 0 && !fixed[name] {
			t.Errorf("%s was not tried", name)
		}
	}
}

var backquoted = regexp.MustCompile("`terraform ([^`]*)`")

// follow follows the steps. It returns the reason if the breach is not fixed.
func (tf *terraform) follow(t *testing.T, b breach, steps []string, change []any) (why string) {
	t.Helper()
	if tf.schema == nil {
		return "it is no resource"
	}
	ty := tf.schema.ImpliedType().WithoutOptionalAttributesDeep()
	before, tainted := tf.object(t, ty)
	taken := b.run(b.typeName)
	destroys := taken[len(taken)-1].stepKind == destroying
	forgotten := before.IsNull() && len(taken) > 1 && !replaced[b.name()]
	for _, do := range steps {
		command := backquoted.FindStringSubmatch(do)
		if configures.MatchString(do) {
			if len(change) == 0 {
				continue // nothing to change
			}
			tf.configure(t, step{applying, full(b.typeName, change...), ""}, "")
		}
		switch {
		case strings.HasPrefix(do, "Report it"):
		case command == nil:
		case strings.HasPrefix(command[1], "untaint"):
			if tainted {
				tf.must(t, command[1])
			}
		case strings.Contains(do, "`terraform import"):
			if forgotten {
				tf.must(t, "import -input=false "+tf.address()+" "+b.typeName+"-1")
				before, _ = tf.object(t, ty)
			}
		case strings.HasPrefix(command[1], "state rm"):
			if destroys {
				tf.must(t, command[1])
			}
		case strings.HasPrefix(command[1], "apply"):
			if out, failed := tf.exec(t, append(strings.Fields(command[1]), "-auto-approve", "-no-color")...); failed {
				why += string(out)
			}
		}
	}
	if forgotten && before.IsNull() {
		why += "Terraform has forgotten the object\n"
	}
	args := []string{"apply", "-auto-approve"}
	if destroys {
		args = append(args, "-destroy")
	}
	for _, m := range tf.run(t, args...).messages {
		if m.failed() {
			why += m.Diagnostic.Summary + ": " + m.Diagnostic.Detail + "\n"
		}
	}
	after, _ := tf.object(t, ty)
	if id := text(before, "id"); !destroys && !replaced[b.name()] && text(after, "id") != id && id != "" {
		why += "the object was destroyed\n"
	}
	return why
}

// replaced lists the breaches in plans that replace the object, which the user has approved.
var replaced = map[string]bool{"plan-not-config/fw_plan_not_config_anew": true, "action-changed/fw_action_changed": true}

// configures matches the beginning of a step that changes the configuration.
var configures = regexp.MustCompile("^(Leave|Write|Remove|Set|Make|If a nested)")

// must runs a command, and fails the test if the command fails.
func (tf *terraform) must(t *testing.T, args string) {
	t.Helper()
	if out, failed := tf.exec(t, append(strings.Fields(args), "-no-color")...); failed {
		t.Errorf("terraform %s: %s", args, out)
	}
}
