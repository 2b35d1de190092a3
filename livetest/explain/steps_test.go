package explain_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
)

// fixes lists the breaches that the steps for users fix, with the change of the configuration
// that the steps describe. All other breaches can only be fixed in the provider.
var fixes = map[string][]any{
	"type-mismatch/fw_honest/mistypes-updated":   {},
	"plan-absent/fw_plan_absent":                 {"network", nil},
	"plan-present/fw_plan_present":               {"log", map[string]any{"target": "nobody asked"}},
	"plan-present/fw_honest/plans-destroyed":     {},
	"plan-present/sdk_honest/plans-destroyed":    {},
	"plan-not-config/fw_plan_not_config":         {"name", "other"},
	"plan-not-config/fw_plan_not_config_anew":    {"name", "other"},
	"plan-not-computed/fw_plan_not_computed":     {"size", 5},
	"plan-unknown-nested/fw_plan_unknown_nested": {"network", nil},
	"plan-unknown-blocks/fw_plan_unknown_blocks": {"step", nil},
	"plan-null-blocks/fw_honest/hand-made":       {"step", live.Noted(nil)},
	"plan-unknown-block/fw_plan_unknown_block":   {"step", nil},
	"plan-dynamic-block/fw_plan_dynamic_block":   {"name", "a"}, // with a known number of blocks
	"plan-count/fw_plan_count":                   {"disks", nil},
	"plan-key/fw_plan_key": {
		"mounts", map[string]any{"other": map[string]any{"path": "/"}},
	},
	"inconsistent-presence/fw_inconsistent_presence":       {"log", nil},
	"inconsistent-presence/fw_honest/keeps-deleted":        {},
	"inconsistent-presence/sdk_honest/keeps-deleted":       {},
	"inconsistent-value/fw_inconsistent_value":             {"name", "other"},
	"inconsistent-value/fw_inconsistent_chosen":            {"step", live.Noted(nil)},
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

// followSteps follows the steps of objchange explain for a breach that Terraform rejects, in order,
// with the real command. It checks that the breaches in fixes are fixed, that no object is
// destroyed, and that the last step says how to report the breach.
func followSteps(t *testing.T, b live.Breach, tf *live.Terraform, all []errorEntry) bool {
	t.Helper()
	if b.Change == live.Leaks || b.Change == live.LeaksUpdated {
		return false // Terraform rejects the leaked value because of another rule
	}
	i := slices.IndexFunc(all, func(e errorEntry) bool { return e.Rule == b.Rule && e.Severity == objchange.Rejected })
	if i < 0 {
		t.Fatalf("%s is not explained", b.Rule)
	}
	if last := all[i].Steps[len(all[i].Steps)-1]; !strings.Contains(last, "`objchange watch --record recording --redact -- terraform ") {
		t.Errorf("the last step is %q", last)
	}
	change, can := fixes[b.Name()]
	if why := follow(t, tf, b, all[i].Steps, change); (why == "") != can {
		t.Errorf("the steps fix it: %t, because of %q", why == "", why)
	}
	return true
}

// checkFixes checks that the steps of all breaches in fixes were followed.
func checkFixes(t *testing.T, results []*result) {
	t.Helper()
	followed := map[string]bool{}
	for n, b := range live.Breaches {
		followed[b.Name()] = results[n].followed
	}
	for name := range fixes {
		if !followed[name] {
			t.Errorf("%s was not tried", name)
		}
	}
}

var backquoted = regexp.MustCompile("`terraform ([^`]*)`")

// follow follows the steps. It returns the reason if the breach is not fixed.
func follow(t *testing.T, tf *live.Terraform, b live.Breach, steps []string, change []any) (why string) {
	t.Helper()
	if tf.Block == nil {
		return "it is no resource"
	}
	ty := tf.Block.ImpliedType().WithoutOptionalAttributesDeep()
	before, tainted := tf.Object(t, ty)
	taken := b.Run(b.TypeName)
	destroys := taken[len(taken)-1].StepKind == live.Destroying
	forgotten := before.IsNull() && len(taken) > 1 && !replaced[b.Name()]
	for _, do := range steps {
		command := backquoted.FindStringSubmatch(do)
		if configures.MatchString(do) {
			if len(change) == 0 {
				continue // nothing to change
			}
			tf.Configure(t, live.Do(live.Applying, live.Full(b.TypeName, change...), ""), "")
		}
		switch {
		case strings.HasPrefix(do, "Report it"):
		case command == nil:
		case strings.HasPrefix(command[1], "untaint"):
			if tainted {
				mustRun(t, tf, command[1])
			}
		case strings.Contains(do, "`terraform import"):
			if forgotten {
				mustRun(t, tf, "import -input=false "+tf.Address()+" "+b.TypeName+"-1")
				before, _ = tf.Object(t, ty)
			}
		case strings.HasPrefix(command[1], "state rm"):
			if destroys {
				mustRun(t, tf, command[1])
			}
		case strings.HasPrefix(command[1], "apply"):
			if out, failed := tf.Exec(t, append(strings.Fields(command[1]), "-auto-approve", "-no-color")...); failed {
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
	for _, m := range tf.Run(t, args...).Messages {
		if m.Failed() {
			why += m.Diagnostic.Summary + ": " + m.Diagnostic.Detail + "\n"
		}
	}
	after, _ := tf.Object(t, ty)
	if id := live.Text(before, "id"); !destroys && !replaced[b.Name()] && live.Text(after, "id") != id && id != "" {
		why += "the object was destroyed\n"
	}
	return why
}

// replaced lists the breaches in plans that replace the object, which the user has approved.
var replaced = map[string]bool{"plan-not-config/fw_plan_not_config_anew": true, "action-changed/fw_action_changed": true}

// configures matches the beginning of a step that changes the configuration.
var configures = regexp.MustCompile("^(Leave|Write|Remove|Set|Make|If a nested)")

// mustRun runs a command, and fails the test if the command fails.
func mustRun(t *testing.T, tf *live.Terraform, args string) {
	t.Helper()
	if out, failed := tf.Exec(t, append(strings.Fields(args), "-no-color")...); failed {
		t.Errorf("terraform %s: %s", args, out)
	}
}
