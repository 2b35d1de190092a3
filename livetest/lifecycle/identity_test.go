package lifecycle_test

import (
	"slices"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
)

// TestIdentityOfThisVersion checks that a checking server rejects an unknown identity only if this
// version of Terraform does. Terraform 1.11 and earlier ignore identities.
func TestIdentityOfThisVersion(t *testing.T) {
	const typeName = "fw_alias" // its planned identity is unknown in each update
	p := live.ProviderOf(t, nil, typeName)
	var found tfcheck.Collector
	p.Check(found.Report)
	tf := live.NewTerraform(t, p, typeName, live.NewDriven(t, live.ProviderOf(t, nil, typeName), typeName, "").Block)
	failed := false
	for _, s := range live.Update("name", "b")(typeName) {
		failed = failed || slices.ContainsFunc(tf.Command(t, s, "").Messages, live.Message.Failed)
	}
	rejected := func(f tfcheck.Finding) bool { return f.Severity == objchange.Rejected }
	if all := found.Findings(); len(all) == 0 || slices.ContainsFunc(all, rejected) != failed {
		t.Errorf("Terraform rejected the identity: %v, and the findings are %v", failed, all)
	}
}
