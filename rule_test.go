package objchange_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
)

// TestUntaintComesFirst: if Terraform rejects a new object at apply, it taints the object,
// and destroys it in the next apply. So the advice to users begins with untaint. That
// Terraform taints it is tested in tfcheck/livetest.
func TestUntaintComesFirst(t *testing.T) {
	untainted := map[objchange.Rule]string{
		objchange.RuleInvalidInput:           "no provider can break it",
		objchange.RuleTypeMismatch:           "Terraform keeps the state from before, without the object",
		objchange.RuleWriteOnlyNotNull:       "Terraform keeps the state from before, without the object",
		objchange.RuleInconsistentNullBlocks: "enforced for computed blocks only, which the protocol does not have",
		objchange.RuleStateNullBlocks:        "not enforced",
	}
	for _, rule := range objchange.Rules() {
		info := rule.Info()
		if !slices.Contains(info.Phases, objchange.PhaseApply) {
			if strings.Contains(info.Workaround, "untaint") {
				t.Errorf("%s advises untaint, and nothing is created with it", rule)
			}
			continue
		}
		advice := strings.ToLower(info.Workaround)
		untaint := strings.Index(advice, "untaint")
		if reason := untainted[rule]; (untaint < 0) != (reason != "") {
			t.Errorf("%s: the advice is %q; nothing is tainted: %q", rule, info.Workaround, reason)
		}
		for _, later := range []string{"write", "apply", "refresh", "import"} {
			if at := strings.Index(advice, later); untaint >= 0 && at >= 0 && at < untaint {
				t.Errorf("%s: %q comes before untaint: %s", rule, later, info.Workaround)
			}
		}
	}
}
