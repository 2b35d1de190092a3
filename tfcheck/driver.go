package tfcheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

// A Driver does with a provider what Terraform Core does, without Terraform: it
// takes resource instances through their lives and checks every step. Its
// methods may be called by several goroutines at once.
type Driver struct {
	server   tfprotov6.ProviderServer
	catalog  *catalog
	provided *provided

	version    string
	report     Report
	ofTest     bool     // the report is that of the test which made the driver
	reports    []Report // of a checking server, which the driver stands in for
	deferral   bool
	program    Program
	configured atomic.Bool
}

// A DriverOption changes how a Driver presents itself to the provider. A Program is
// one, too.
type DriverOption interface{ set(*Driver) }

type driverOption func(*Driver)

func (o driverOption) set(d *Driver) { o(d) }

// AllowDeferral tells the provider that it may defer what it cannot do yet,
// which Terraform allows only in experiments.
func AllowDeferral() DriverOption { return driverOption(func(d *Driver) { d.deferral = true }) }

// TerraformVersion is the version that the provider gets told when it is
// configured. Without the option it is 1.14.0. The driver does what that version
// does: from 1.17 on, Terraform reads an object whose configuration was removed
// before it plans to destroy it; earlier versions, and what is not a version, plan
// first.
func TerraformVersion(version string) DriverOption {
	return driverOption(func(d *Driver) { d.version = version })
}

// readsRemoved reports whether an object whose configuration was removed is read
// before its destruction is planned.
func (d *Driver) readsRemoved() bool {
	var major, minor int
	_, err := fmt.Sscanf(d.version, "%d.%d", &major, &minor)
	return err == nil && d.program != OpenTofu && (major > 1 || major == 1 && minor >= 17)
}

// ReportTo has the report told of all findings as they are made, also those that
// only a driver can make, such as a perpetual diff. They are in each Run all the
// same. What the report rejects ends a run like what Core enforces.
func ReportTo(report Report) DriverOption {
	return driverOption(func(d *Driver) { d.report, d.ofTest = report, false })
}

// NewDriver6 returns a driver of the server. It asks for the schemas; the error
// is that of the request, or a *RefusedError. Call Configure next, as Core does:
// without it, requests are not sent.
//
// Of a server that Server6 made the driver takes the one inside, and judges itself:
// that server's report is told, beside the one of ReportTo, and its Program counts
// unless an option says otherwise.
func NewDriver6(ctx context.Context, server tfprotov6.ProviderServer, opts ...DriverOption) (*Driver, error) {
	if server == nil {
		return nil, errors.New("there is no server to drive")
	}
	server, reports, program := unchecked6(server)
	d := &Driver{server: server, catalog: &catalog{source: source6{server}}, reports: reports, version: "1.14.0", program: program}
	for _, opt := range opts {
		if opt != nil {
			opt.set(d)
		}
	}
	var err error
	if d.provided, err = d.catalog.load(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// NewDriver5 returns a driver of the server, like NewDriver6.
func NewDriver5(ctx context.Context, server tfprotov5.ProviderServer, opts ...DriverOption) (*Driver, error) {
	if server == nil {
		return NewDriver6(ctx, nil)
	}
	server, reports, program := unchecked5(server)
	upgraded, err := tf5to6server.UpgradeServer(ctx, func() tfprotov5.ProviderServer { return server })
	if err != nil {
		return nil, err
	}
	told := driverOption(func(d *Driver) { d.reports = append(d.reports, reports...) })
	return NewDriver6(ctx, upgraded, slices.Concat([]DriverOption{program}, opts, []DriverOption{told})...)
}

// Configure validates the provider configuration and configures the provider
// with it. It takes what ValueOf takes, and nil for an empty configuration; it
// may hold unknown values, as it may when Core plans.
//
// The error is a *ConfigError, a *RefusedError, or that of a request.
func (d *Driver) Configure(ctx context.Context, config any) error {
	schema, value, err := d.providerConfig(ctx, config)
	if err != nil {
		return err
	}
	validated, err := ask(ctx, "ValidateProviderConfig", "", d.server.ValidateProviderConfig, &tfprotov6.ValidateProviderConfigRequest{Config: value})
	if err != nil {
		return err
	}
	if err := refusal("ValidateProviderConfig", "", diagnosticsOf(validated.Diagnostics, schema)); err != nil {
		return err
	}
	req := &tfprotov6.ConfigureProviderRequest{TerraformVersion: d.version, Config: value}
	if d.deferral {
		req.ClientCapabilities = &tfprotov6.ConfigureProviderClientCapabilities{DeferralAllowed: true}
	}
	resp, err := ask(ctx, "ConfigureProvider", "", d.server.ConfigureProvider, req)
	if err != nil {
		return err
	}
	if err := refusal("ConfigureProvider", "", diagnosticsOf(resp.Diagnostics, schema)); err != nil {
		return err
	}
	d.configured.Store(true)
	return nil
}

// ProviderSchema returns the schema of the provider's own configuration: an empty
// one if it has none. It is not to be changed.
func (d *Driver) ProviderSchema() (*configschema.Block, error) {
	if !d.provided.configurable() {
		return &configschema.Block{}, nil
	}
	schema := d.catalog.find(context.Background(), providerKind, "")
	return schema.compiled.Block(), schema.err
}

// ResourceTypes returns the names of the provider's resource types, in order.
func (d *Driver) ResourceTypes() []string { return d.provided.names(resourceKind) }

// emptySchema is that of a provider without a configuration of its own.
var emptySchema, _ = objchange.Compile(&configschema.Block{})

func (d *Driver) providerConfig(ctx context.Context, config any) (*objchange.Schema, *tfprotov6.DynamicValue, error) {
	if !d.provided.configurable() {
		none, err := tfconv.Encode6(cty.EmptyObjectVal, cty.EmptyObject)
		return emptySchema, none, err
	}
	schema := d.catalog.find(ctx, providerKind, "")
	if schema.err != nil {
		return nil, nil, schema.err
	}
	value, err := schema.config("provider configuration", config)
	if err != nil {
		return nil, nil, err
	}
	encoded, err := tfconv.Encode6(value, schema.ty)
	return schema.compiled, encoded, err
}

// config makes a configuration of data, and says what is wrong with it.
func (s *described) config(what string, data any) (cty.Value, error) {
	if data == nil {
		data = s.compiled.EmptyValue()
	}
	value, err := ValueOf(s.compiled.Block(), data)
	if err == nil {
		err = objchange.AssertConfigValid(s.compiled, value).Err()
	}
	if err != nil {
		return cty.NilVal, &ConfigError{what, err}
	}
	value, _ = value.UnmarkDeep() // Core keeps marks to itself
	if value.IsNull() || !value.IsKnown() {
		return cty.NilVal, &ConfigError{what, errors.New("it is null or unknown as a whole")}
	}
	return value, nil
}

// Resource returns an instance of the resource type, one that does not exist
// yet. Its error says that there is no such type, or that its schema is invalid.
func (d *Driver) Resource(typeName string) (*Instance, error) {
	schema := d.catalog.find(context.Background(), resourceKind, typeName)
	if schema.err != nil {
		return nil, schema.err
	}
	return &Instance{driver: d, report: d.report, typeName: typeName, schema: schema, state: cty.NullVal(schema.ty)}, nil
}
