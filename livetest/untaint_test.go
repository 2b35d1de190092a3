package livetest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
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
	for _, b := range breaches {
		steps := b.run(b.typeName)
		if b.rpc != apply || b.reaction == coreTolerates || len(steps) > 1 || steps[0].stepKind != applying {
			continue
		}
		t.Run(b.name(), func(t *testing.T) {
			tf := createBroken(t, b)
			if _, tainted := tf.object(t, tf.schema.ImpliedType()); !tainted {
				return
			}
			taints[b.rule] = true
			tf.untaint(t)
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
	i := slices.IndexFunc(breaches, func(b breach) bool { return b.typeName == "fw_inconsistent_value" })
	for _, untaintFirst := range []bool{true, false} {
		tf := createBroken(t, breaches[i])
		created := tf.id(t)
		if untaintFirst {
			tf.untaint(t)
		}
		// The provider returns this name for any configuration.
		tf.configure(t, step{applying, full(tf.typeName, "name", "other"), ""}, "")
		r := tf.run(t, "apply", "-auto-approve")
		if slices.ContainsFunc(r.messages, message.failed) {
			t.Errorf("untaint first: %v, apply failed: %v", untaintFirst, r.messages)
		}
		if kept := tf.id(t) == created; kept != untaintFirst {
			t.Errorf("untaint first: %v, the object is kept: %v", untaintFirst, kept)
		}
	}
}

// createBroken creates the object with the broken rule.
func createBroken(t *testing.T, b breach) *terraform {
	t.Helper()
	p := providerOf(t, b.made, b.rule, b.typeName)
	tf := newTerraform(t, p, b.typeName, newDriven(t, p, b.typeName).schema())
	tf.configure(t, b.run(b.typeName)[0], "")
	tf.run(t, "apply", "-auto-approve")
	return tf
}

// untaint runs terraform untaint, which must succeed.
func (tf *terraform) untaint(t *testing.T) {
	t.Helper()
	if out, failed := tf.exec(t, "untaint", "-no-color", tf.address()); failed {
		t.Errorf("untaint failed: %s", out)
	}
	if _, tainted := tf.object(t, tf.schema.ImpliedType()); tainted {
		t.Error("the object is still tainted")
	}
}

// id returns the ID of the object in the state.
func (tf *terraform) id(t *testing.T) string {
	t.Helper()
	object, _ := tf.object(t, tf.schema.ImpliedType())
	if object == cty.NilVal || object.IsNull() {
		t.Fatal("there is no object")
	}
	return text(object, "id")
}
