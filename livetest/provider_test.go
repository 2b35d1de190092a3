package livetest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/frameworkprovider"
	"github.com/objchange/objchange/livetest/sdkprovider"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfconv"
)

// A provider is a server of either protocol, with its cloud.
type provider struct {
	server6 tfprotov6.ProviderServer
	server5 tfprotov5.ProviderServer // if server6 is nil
	forget  func(id string)          // removes an object from the cloud
	keepIn  func(file string) error  // stores the cloud in a file
}

// providerOf returns the provider with the resource type and the changes named made. A hand-made
// provider breaks the rule.
func providerOf(t testing.TB, made string, rule objchange.Rule, typeName string) *provider {
	t.Helper()
	p, err := newProvider(t.Context(), made, rule, typeName)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newProvider(ctx context.Context, made string, rule objchange.Rule, typeName string) (*provider, error) {
	p := new(provider)
	if strings.HasPrefix(typeName, "sdk_") {
		s, cloud := sdkprovider.New()
		p.server5, p.forget = s.GRPCProvider(), cloud.Forget
		p.keepIn = cloud.KeepIn
	} else {
		fw := new(frameworkprovider.Provider)
		p.server6, p.forget = fw.Server(), fw.Cloud.Forget
		p.keepIn = fw.Cloud.KeepIn
	}
	if made == framework || made == sdk {
		return p, nil
	}
	if err := p.upgrade(ctx); err != nil {
		return nil, err
	}
	all, err := p.server6.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	schema, err := tfconv.Schema6(all.ResourceSchemas[typeName])
	if err != nil {
		return nil, err
	}
	p.server6 = withChanges(p.server6, made, rule, schema.Block.ImpliedType())
	return p, nil
}

// upgrade converts a provider of protocol 5 to protocol 6.
func (p *provider) upgrade(ctx context.Context) (err error) {
	if p.server5 == nil {
		return nil
	}
	inner := p.server5
	p.server6, err = tf5to6server.UpgradeServer(ctx, func() tfprotov5.ProviderServer { return inner })
	p.server5 = nil
	return err
}

// check wraps the provider's servers in checking servers.
func (p *provider) check(report tfcheck.Report) {
	p.server6, p.server5 = tfcheck.Server6(p.server6, report), tfcheck.Server5(p.server5, report)
}

// driver returns a configured driver of the provider.
func (p *provider) driver(t testing.TB, opts ...driver.Option) *driver.Driver {
	t.Helper()
	var d *driver.Driver
	var err error
	if p.server5 != nil {
		d, err = driver.New5(t.Context(), p.server5, opts...)
	} else {
		d, err = driver.New6(t.Context(), p.server6, opts...)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Configure(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return d
}

// driverOf returns a configured driver of a provider with the changes named made.
func driverOf(t testing.TB, made string, opts ...driver.Option) *driver.Driver {
	t.Helper()
	typeName := "fw_honest"
	if made == sdk {
		typeName = "sdk_honest"
	}
	return providerOf(t, made, "", typeName).driver(t, opts...)
}

func resource(t testing.TB, d *driver.Driver, typeName string) *driver.Instance {
	t.Helper()
	i, err := d.Resource(typeName)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// must returns a function for the results of a method of an Instance. It fails the test if there
// is an error or a finding.
func must(t testing.TB) func(*driver.Run, error) *driver.Run {
	return func(run *driver.Run, err error) *driver.Run {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range run.Findings {
			t.Errorf("%v", f)
		}
		return run
	}
}

// act is like must, and also checks the action.
func act(t testing.TB, want objchange.Action) func(*driver.Run, error) *driver.Run {
	return func(run *driver.Run, err error) *driver.Run {
		t.Helper()
		must(t)(run, err)
		if run.Action != want {
			t.Errorf("the action was %s, not %s", run.Action, want)
		}
		return run
	}
}

func text(object cty.Value, name string) string {
	if object == cty.NilVal || object.IsNull() {
		return ""
	}
	if v := object.GetAttr(name); v.IsKnown() && !v.IsNull() {
		return v.AsString()
	}
	return ""
}

func paths(all []cty.Path) (texts []string) {
	for _, p := range all {
		texts = append(texts, objchange.PathString(p))
	}
	return texts
}
