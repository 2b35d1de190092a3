package lifecycle_test

import (
	"slices"
	"testing"

	"github.com/objchange/objchange/livetest/internal/live"
)

// TestUntaintKeepsTheObject follows the advice for inconsistent-value. In the given order, the
// object is kept. In the other order, it is destroyed.
func TestUntaintKeepsTheObject(t *testing.T) {
	const typeName = "fw_inconsistent_value"
	for _, untaintFirst := range []bool{true, false} {
		p := live.ProviderOf(t, nil, typeName)
		tf := live.NewTerraform(t, p, typeName, live.NewDriven(t, p, typeName, "").Block)
		tf.Configure(t, live.Do(live.Applying, live.Full(typeName), ""), "")
		tf.Run(t, "apply", "-auto-approve")
		created := idOf(t, tf)
		if untaintFirst {
			if out, failed := tf.Exec(t, "untaint", "-no-color", tf.Address()); failed || created == "" {
				t.Errorf("untaint of %q failed: %s", created, out)
			}
		}
		// The provider returns this name for any configuration.
		tf.Configure(t, live.Do(live.Applying, live.Full(typeName, "name", "other"), ""), "")
		r := tf.Run(t, "apply", "-auto-approve")
		if slices.ContainsFunc(r.Messages, live.Message.Failed) {
			t.Errorf("untaint first: %v, apply failed: %v", untaintFirst, r.Messages)
		}
		if kept := idOf(t, tf) == created; kept != untaintFirst {
			t.Errorf("untaint first: %v, the object is kept: %v", untaintFirst, kept)
		}
	}
}

// idOf returns the ID of the object in the state.
func idOf(t *testing.T, tf *live.Terraform) string {
	t.Helper()
	object, _ := tf.Object(t, tf.Block.ImpliedType())
	return live.Text(object, "id")
}
