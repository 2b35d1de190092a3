package live

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/livetest/cloud"
	"github.com/objchange/objchange/livetest/frameworkprovider"
	"github.com/objchange/objchange/livetest/sdkprovider"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// A Provider is a server of either protocol, with its cloud.
type Provider struct {
	Server6 tfprotov6.ProviderServer
	Server5 tfprotov5.ProviderServer // if Server6 is nil
	Cloud   *cloud.Cloud
}

// ProviderOf returns a provider with the resource types that have the prefix typeName, because
// Terraform loads all schemas in each run. If change is not nil, it changes the responses.
func ProviderOf(t testing.TB, change *Change, typeName string) *Provider {
	t.Helper()
	p, err := NewProvider(t.Context(), change, typeName)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// NewProvider is like ProviderOf, outside of tests.
func NewProvider(ctx context.Context, change *Change, typeName string) (*Provider, error) {
	p := new(Provider)
	if strings.HasPrefix(typeName, "sdk") {
		s, c := sdkprovider.New()
		maps.DeleteFunc(s.ResourcesMap, func(name string, _ *schema.Resource) bool {
			return !strings.HasPrefix(name, typeName) && name != "sdk_honest" // an import of sdk_twins returns it
		})
		p.Server5, p.Cloud = s.GRPCProvider(), &c.Cloud
	} else {
		fw := &frameworkprovider.Provider{Prefix: typeName}
		p.Server6, p.Cloud = fw.Server(), &fw.Cloud
	}
	if change == nil {
		return p, nil
	}
	err := p.Upgrade(ctx)
	p.Server6 = Changed(p.Server6, change.edits...)
	return p, err
}

// Upgrade converts a provider of protocol 5 to protocol 6.
func (p *Provider) Upgrade(ctx context.Context) (err error) {
	if p.Server5 == nil {
		return nil
	}
	inner := p.Server5
	p.Server6, err = tf5to6server.UpgradeServer(ctx, func() tfprotov5.ProviderServer { return inner })
	p.Server5 = nil
	return err
}

// Check wraps the provider's servers in checking servers.
func (p *Provider) Check(report tfcheck.Report) {
	p.Server6, p.Server5 = tfcheck.Server6(p.Server6, report), tfcheck.Server5(p.Server5, report)
}

// Driver returns a configured driver of the provider.
func (p *Provider) Driver(t testing.TB, opts ...driver.Option) *driver.Driver {
	t.Helper()
	var d *driver.Driver
	var err error
	if p.Server5 != nil {
		d, err = driver.New5(t.Context(), p.Server5, opts...)
	} else {
		d, err = driver.New6(t.Context(), p.Server6, opts...)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Configure(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return d
}

// Resource returns the resource of the driver.
func Resource(t testing.TB, d *driver.Driver, typeName string) *driver.Instance {
	t.Helper()
	i, err := d.Resource(typeName)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// Text returns the string in an attribute of the object, or "".
func Text(object cty.Value, name string) string {
	if object == cty.NilVal || object.IsNull() {
		return ""
	}
	if v := object.GetAttr(name); v.IsKnown() && !v.IsNull() {
		return v.AsString()
	}
	return ""
}
