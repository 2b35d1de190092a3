package tfcheck_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-mux/tf6to5server"

	"github.com/objchange/objchange/tfcheck/driver"
)

// configurable gives the provider a configuration.
func configurable(r *tfprotov6.GetProviderSchemaResponse) {
	r.Provider = &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "region", Type: tftypes.String, Optional: true},
	}}}
}

func TestConfigure(t *testing.T) {
	d, err := driver.New6(ctx, &fake{schema: configurable}, driver.TerraformVersion("1.2.3"))
	if err != nil {
		t.Fatal(err)
	}
	for _, fine := range []any{nil, obj{}, obj{"region": "x"}, obj{"region": unknown}} {
		if err := d.Configure(ctx, fine); err != nil {
			t.Errorf("%v: %v", fine, err)
		}
	}
	if err := d.Configure(ctx, obj{"regoin": "x"}); err == nil || !strings.Contains(err.Error(), "the provider configuration is not valid: ") {
		t.Error(err)
	}
	if _, err := driver.New6(ctx, &fake{schema: func(r *tfprotov6.GetProviderSchemaResponse) { r.Diagnostics = failing }}); err == nil ||
		err.Error() != "GetProviderSchema: Out of things" {
		t.Error(err)
	}
}

// What the provider has can be asked for, whichever its protocol.
func TestDriverTellsSchemas(t *testing.T) {
	f := &fake{schema: configurable}
	server := must(tf6to5server.DowngradeServer(ctx, func() tfprotov6.ProviderServer { return f }))
	for name, d := range map[string]*driver.Driver{"5": must(driver.New5(ctx, server)), "6": must(driver.New6(ctx, f))} {
		if got := strings.Join(d.ResourceTypes(), " "); got != "test_thing" {
			t.Errorf("protocol %s has %s", name, got)
		}
		if schema, err := d.ProviderSchema(); err != nil || len(schema.Attributes) == 0 {
			t.Errorf("protocol %s has %v, %v", name, schema, err)
		}
	}
	if schema, err := must(driver.New6(ctx, &fake{})).ProviderSchema(); err != nil || len(schema.Attributes) != 0 {
		t.Errorf("without a configuration there is %v, %v", schema, err)
	}
}

// Core asks nothing of a provider that is not configured, and some crash if asked.
func TestNotConfigured(t *testing.T) {
	f := &fake{}
	d := must(driver.New6(ctx, f))
	f.calls = nil
	const want = "ValidateResourceConfig of test_thing: not sent: Configure was not called, or failed"
	if run, err := must(d.Resource("test_thing")).Create(ctx, config); !errors.Is(err, driver.ErrNotConfigured) || err.Error() != want || run == nil {
		t.Errorf("%v, %v", run, err)
	}
	if run, err := d.ReadDataSource(ctx, "test_thing", config); !errors.Is(err, driver.ErrNotConfigured) || run == nil {
		t.Errorf("%v, %v", run, err)
	}
	if f.calls != nil {
		t.Errorf("it was asked %v", f.calls)
	}
}
