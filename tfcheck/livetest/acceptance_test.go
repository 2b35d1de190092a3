package livetest_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/livetest/frameworkprovider"
	"github.com/objchange/objchange/tfcheck/livetest/sdkprovider"
)

// testCase is how an acceptance test has its providers checked: only the
// factories are wrapped.
func testCase(report tfcheck.Report) acceptance.TestCase {
	return acceptance.TestCase{
		ProtoV6ProviderFactories: tfcheck.Factories6(map[string]func() (tfprotov6.ProviderServer, error){
			"fw": func() (tfprotov6.ProviderServer, error) { return frameworkprovider.Server(), nil },
		}, report),
		ProtoV5ProviderFactories: tfcheck.Factories5(map[string]func() (tfprotov5.ProviderServer, error){
			"sdk":    func() (tfprotov5.ProviderServer, error) { return sdkprovider.Server(), nil },
			"broken": func() (tfprotov5.ProviderServer, error) { return nil, errors.New("no such provider") },
		}, report),
		Steps: []acceptance.TestStep{{Config: `resource "fw_honest" "x" { name = "a" }`}},
	}
}

// configured configures a driver that was made without an error.
func configured(d *tfcheck.Driver, err error) (*tfcheck.Driver, error) {
	if err != nil {
		return nil, err
	}
	return d, d.Configure(context.Background(), nil)
}

// What Terraform would do with the factories, the driver does.
func TestFactories(t *testing.T) {
	c := testCase(tfcheck.FailStrict(t))
	if got := slices.Collect(maps.Keys(c.ProtoV6ProviderFactories)); !slices.Equal(got, []string{"fw"}) {
		t.Errorf("factories of %v", got)
	}
	server6, err := c.ProtoV6ProviderFactories["fw"]()
	if err != nil {
		t.Fatal(err)
	}
	d6, err := configured(tfcheck.NewDriver6(t.Context(), server6))
	if err != nil {
		t.Fatal(err)
	}
	act(t, objchange.ActionCreate)(resource(t, d6, "fw_honest").Create(t.Context(), full("fw_honest")))

	server5, err := c.ProtoV5ProviderFactories["sdk"]()
	if err != nil {
		t.Fatal(err)
	}
	d5, err := configured(tfcheck.NewDriver5(t.Context(), server5))
	if err != nil {
		t.Fatal(err)
	}
	act(t, objchange.ActionCreate)(resource(t, d5, "sdk_honest").Create(t.Context(), full("sdk_honest")))

	if server, err := c.ProtoV5ProviderFactories["broken"](); err == nil || server != nil {
		t.Errorf("a factory that fails made %v, %v", server, err)
	}
}

// What Reject rejects, which does not excuse the legacy SDK, ends the run of a driver
// as it ends that of Terraform, and is in the run.
func TestRejectingFactories(t *testing.T) {
	c := testCase(tfcheck.Reject)
	server6, err := c.ProtoV6ProviderFactories["fw"]()
	if err != nil {
		t.Fatal(err)
	}
	server5, err := c.ProtoV5ProviderFactories["sdk"]()
	if err != nil {
		t.Fatal(err)
	}
	d6, err := configured(tfcheck.NewDriver6(t.Context(), server6))
	if err != nil {
		t.Fatal(err)
	}
	d5, err := configured(tfcheck.NewDriver5(t.Context(), server5))
	if err != nil {
		t.Fatal(err)
	}
	for typeName, d := range map[string]*tfcheck.Driver{"fw_plan_not_config": d6, "sdk_plan_not_config": d5} {
		run, err := resource(t, d, typeName).Create(t.Context(), full(typeName))
		var v *objchange.Violation
		if !errors.As(err, &v) || v.Rule != objchange.RulePlanNotConfig || v.PathString() != ".name" {
			t.Errorf("%s ended with %v", typeName, err)
		}
		severity := tfcheck.Rejected
		if d == d5 {
			severity = tfcheck.Tolerated
		}
		if want := []seen{{plan, objchange.RulePlanNotConfig, severity}}; !slices.Equal(summaries(run.Findings), want) {
			t.Errorf("%s: found %v", typeName, run.Findings)
		}
	}
}
