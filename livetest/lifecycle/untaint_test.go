package lifecycle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/zclconf/go-cty/cty"
)

// TestUntaintWhereTerraformTaints creates an object for each rule that can be broken at apply,
// with the real command. If Terraform taints the object, terraform untaint must work and must be
// the first advice to users. If no breach of a rule taints the object, its advice must not
// contain it.
func TestUntaintWhereTerraformTaints(t *testing.T) {
	taints := map[objchange.Rule]bool{
		// An unknown value in a new state also breaks state-unknown.
		objchange.RuleInconsistentUnknown: true,
	}
	for _, b := range live.Breaches {
		steps := b.Run(b.TypeName)
		if b.RPC != live.Apply || b.Reaction == live.CoreTolerates || len(steps) > 1 || steps[0].StepKind != live.Applying {
			continue
		}
		t.Run(b.Name(), func(t *testing.T) {
			tf := createBroken(t, b)
			if _, tainted := tf.Object(t, tf.Block.ImpliedType()); !tainted {
				return
			}
			taints[b.Rule] = true
			untaint(t, tf)
		})
	}
	if t.Failed() || len(taints) == 1 { // terraform is not available
		return
	}
	for _, rule := range objchange.Rules() {
		if first := strings.Contains(rule.Info().Workaround[0].Text, "terraform untaint ADDRESS"); first != taints[rule] {
			t.Errorf("%s: a breach taints a new object: %v, the advice begins with untaint: %v", rule, taints[rule], first)
		}
	}
}

// TestUntaintKeepsTheObject follows the advice for inconsistent-value. In the given order, the
// object is kept. In the other order, it is destroyed.
func TestUntaintKeepsTheObject(t *testing.T) {
	i := slices.IndexFunc(live.Breaches, func(b live.Breach) bool { return b.TypeName == "fw_inconsistent_value" })
	for _, untaintFirst := range []bool{true, false} {
		tf := createBroken(t, live.Breaches[i])
		created := idOf(t, tf)
		if untaintFirst {
			untaint(t, tf)
		}
		// The provider returns this name for any configuration.
		tf.Configure(t, live.Do(live.Applying, live.Full(tf.TypeName, "name", "other"), ""), "")
		r := tf.Run(t, "apply", "-auto-approve")
		if slices.ContainsFunc(r.Messages, live.Message.Failed) {
			t.Errorf("untaint first: %v, apply failed: %v", untaintFirst, r.Messages)
		}
		if kept := idOf(t, tf) == created; kept != untaintFirst {
			t.Errorf("untaint first: %v, the object is kept: %v", untaintFirst, kept)
		}
	}
}

// createBroken creates the object with the broken rule.
func createBroken(t *testing.T, b live.Breach) *live.Terraform {
	t.Helper()
	p := live.ProviderOf(t, b.Made, b.Rule, b.TypeName)
	tf := live.NewTerraform(t, p, b.TypeName, live.NewDriven(t, p, b.TypeName).Block())
	tf.Configure(t, b.Run(b.TypeName)[0], "")
	tf.Run(t, "apply", "-auto-approve")
	return tf
}

// untaint runs terraform untaint, which must succeed.
func untaint(t *testing.T, tf *live.Terraform) {
	t.Helper()
	if out, failed := tf.Exec(t, "untaint", "-no-color", tf.Address()); failed {
		t.Errorf("untaint failed: %s", out)
	}
	if _, tainted := tf.Object(t, tf.Block.ImpliedType()); tainted {
		t.Error("the object is still tainted")
	}
}

// idOf returns the ID of the object in the state.
func idOf(t *testing.T, tf *live.Terraform) string {
	t.Helper()
	object, _ := tf.Object(t, tf.Block.ImpliedType())
	if object == cty.NilVal || object.IsNull() {
		t.Fatal("there is no object")
	}
	return live.Text(object, "id")
}
