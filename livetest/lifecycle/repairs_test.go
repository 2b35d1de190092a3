package lifecycle_test

import (
	"errors"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck/driver"
)

// repairs lists breaches that an SDK does not pass on. It returns either a valid response or an
// error.
var repairs = []struct {
	rule     objchange.Rule
	typeName string
	made     string
	run      live.Operation
	refuses  string // the RPC that ends with an error
}{
	// The framework changes null blocks to empty ones, and write-only attributes to null.
	{objchange.RulePlanNullBlocks, "fw_null_blocks_planned", live.Framework, live.Create("step", []any{}), ""},
	{objchange.RuleInconsistentNullBlocks, "fw_null_blocks_applied", live.Framework, live.Create("step", []any{}), ""},
	{objchange.RuleStateNullBlocks, "fw_null_blocks_read", live.Framework, live.Create("step", []any{}), ""},
	{objchange.RuleWriteOnlyNotNull, "fw_write_only_applied", live.Framework, live.Create(), ""},
	// The framework reports a missing object as an error, and cannot encode values of another
	// type.
	{objchange.RuleInconsistentPresence, "fw_nothing_applied", live.Framework, live.Create(), live.Apply},
	{objchange.RuleTypeMismatch, "fw_mistyped", live.Framework, live.Create(), live.Plan},
	// In a plan to destroy, the framework only plans null. It discards the state of a destroyed
	// object. Core ignores paths that require replacement.
	{objchange.RulePlanPresent, "fw_destroy_planned", live.Framework, live.Destroyed(), live.Plan},
	{objchange.RuleInconsistentPresence, "fw_kept_deleted", live.Framework, live.Destroyed(), ""},
	{objchange.RuleReplacePath, "fw_replace_path_destroyed", live.Framework, live.Destroyed(), ""},
	// The SDK returns the planned set as the new one if the planned set is wholly known.
	{objchange.RuleInconsistentSetElement, "sdk_set_element_applied", live.SDK, live.Create(), ""},
	{objchange.RuleWriteOnlyNotNull, "sdk_write_only_applied", live.SDK, live.Create(), ""},
	{objchange.RuleInconsistentPresence, "sdk_kept_deleted", live.SDK, live.Destroyed(), ""},
}

func TestRepairs(t *testing.T) {
	for _, r := range repairs {
		t.Run(string(r.rule)+"/"+r.typeName, func(t *testing.T) {
			found, err := r.run.Drive(t, live.ProviderOf(t, r.made, r.rule, r.typeName), r.typeName)
			for _, f := range found {
				t.Errorf("%v", f)
			}
			var refused *driver.RefusedError
			rpc := ""
			if errors.As(err, &refused) {
				rpc = refused.RPC
			}
			if rpc != r.refuses || (err != nil) != (r.refuses != "") {
				t.Errorf("the run ended with %v", err)
			}
		})
	}
}
