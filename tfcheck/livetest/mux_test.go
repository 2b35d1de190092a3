package livetest_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6muxserver"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/livetest/frameworkprovider"
	"github.com/objchange/objchange/tfcheck/livetest/sdkprovider"
)

// Both providers behind one server, as providers that migrate from one SDK to
// the other have it, and the checks in front of that.
func TestMux(t *testing.T) {
	var collector tfcheck.Collector
	d, err := tfcheck.NewDriver6(t.Context(), tfcheck.Server6(mux(t), collector.Report))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Configure(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, typeName := range []string{"fw_honest", "sdk_honest"} {
		i := resource(t, d, typeName)
		act(t, objchange.ActionCreate)(i.Create(t.Context(), full(typeName)))
		act(t, objchange.ActionUpdate)(i.Update(t.Context(), full(typeName, "name", "b")))
		act(t, objchange.ActionDelete)(i.Destroy(t.Context()))
	}
	if found := collector.Findings(); len(found) > 0 {
		t.Errorf("the server found %v", found)
	}
	for _, want := range []seen{
		{apply, objchange.RuleInconsistentValue, tfcheck.Rejected},
		{apply, objchange.RuleInconsistentValue, tfcheck.Tolerated},
	} {
		typeName := "fw_inconsistent_value"
		if want.Severity == tfcheck.Tolerated {
			typeName = "sdk_inconsistent_value"
		}
		before := len(collector.Findings())
		run, _ := resource(t, d, typeName).Create(t.Context(), full(typeName))
		for name, found := range map[string][]tfcheck.Finding{"driver": run.Findings, "server": collector.Findings()[before:]} {
			if diff := cmp.Diff([]seen{want}, summaries(found)); diff != "" {
				t.Errorf("%s found in %s (-want +got):\n%s", name, typeName, diff)
			}
		}
	}
}

func mux(t *testing.T) tfprotov6.ProviderServer {
	t.Helper()
	upgraded, err := tf5to6server.UpgradeServer(t.Context(), sdkprovider.Server)
	if err != nil {
		t.Fatal(err)
	}
	muxed, err := tf6muxserver.NewMuxServer(t.Context(), frameworkprovider.Server,
		func() tfprotov6.ProviderServer { return upgraded })
	if err != nil {
		t.Fatal(err)
	}
	return muxed.ProviderServer()
}

// The checking server has the optional interfaces of the muxed one.
func TestMuxKeepsInterfaces(t *testing.T) {
	inner := mux(t)
	outer := tfcheck.Server6(inner, tfcheck.FailStrict(t))
	has := func(s tfprotov6.ProviderServer) []bool {
		_, lists := s.(tfprotov6.ListResourceServer)
		_, acts := s.(tfprotov6.ActionServer)
		_, stores := s.(tfprotov6.StateStoreServer)
		return []bool{lists, acts, stores}
	}
	if got, want := has(outer), has(inner); !slices.Equal(got, want) {
		t.Errorf("optional interfaces %v, not %v", got, want)
	}
	if _, err := outer.GetMetadata(context.Background(), &tfprotov6.GetMetadataRequest{}); err != nil {
		t.Error(err)
	}
}
