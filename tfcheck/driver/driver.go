package driver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/expect"
	"github.com/objchange/objchange/tfconv"
)

// A Driver does with a provider what Terraform Core does, without Terraform: it
// takes resource instances through their lives and checks every step. Its
// methods may be called by several goroutines at once.
type Driver struct {
	server   tfprotov6.ProviderServer
	catalog  *catalog.Catalog
	provided *catalog.Provided

	version    string
	report     tfcheck.Report
	ofTest     bool             // the report is that of the test which made the driver
	reports    []tfcheck.Report // of a checking server, which the driver stands in for
	deferral   bool
	program    tfcheck.Program
	filter     tfcheck.Filter
	applied    func(*Instance)
	configured atomic.Bool
}

// An Option changes how a Driver presents itself to the provider.
type Option func(*Driver)

// For checks the provider for the program instead of Terraform.
func For(program tfcheck.Program) Option { return func(d *Driver) { d.program = program } }

// Ignore drops findings, as tfcheck.Ignore says. A run still ends where Terraform stops.
func Ignore(known ...*tfcheck.Ignored) Option {
	return func(d *Driver) { d.filter = append(d.filter, known...) }
}

// AllowDeferral tells the provider that it may defer what it cannot do yet,
// which Terraform allows only in experiments.
func AllowDeferral() Option { return func(d *Driver) { d.deferral = true } }

// OnApply calls the function after each ApplyResourceChange, with the instance as Core keeps it
// from then on: as before if there was no response. What comes after it in the same run may
// still fail.
func OnApply(f func(*Instance)) Option { return func(d *Driver) { d.applied = f } }

// TerraformVersion is the version that ConfigureProvider sends to the provider. Without the option it is 1.14.0. The driver does what that version
// does: from 1.17 on, Terraform reads an object whose configuration was removed
// before it plans to destroy it; earlier versions, and what is not a version, plan
// first.
func TerraformVersion(version string) Option {
	return func(d *Driver) { d.version = version }
}

// readsRemoved reports whether an object whose configuration was removed is read
// before its destruction is planned.
func (d *Driver) readsRemoved() bool {
	var major, minor int
	_, err := fmt.Sscanf(d.version, "%d.%d", &major, &minor)
	return err == nil && d.program != tfcheck.OpenTofu && (major > 1 || major == 1 && minor >= 17)
}

// ReportTo passes all findings to the report, also those that only a driver can make,
// such as a perpetual diff. Each Run has them, too. What the report rejects ends a run like
// what Core enforces.
func ReportTo(report tfcheck.Report) Option {
	return func(d *Driver) { d.report, d.ofTest = report, false }
}

// New6 returns a driver of the server. It asks for the schemas; the error
// is that of the request, or a *RefusedError. Call Configure next, as Core does:
// without it, requests are not sent.
//
// If Server6 made the server, the driver takes the one inside and does the checks itself:
// it passes findings to that server's report, too, and uses its Program unless an option
// says otherwise.
func New6(ctx context.Context, server tfprotov6.ProviderServer, opts ...Option) (*Driver, error) {
	if server == nil {
		return nil, errors.New("there is no server to drive")
	}
	server, reports, program, filter := tfcheck.Inside6(server)
	d := &Driver{server: server, catalog: &catalog.Catalog{Source: catalog.Of6(server)}, reports: reports, version: "1.14.0", program: program, filter: filter}
	for _, opt := range opts {
		if opt != nil {
			opt(d)
		}
	}
	err := d.filter.Err()
	if err != nil {
		return nil, err
	}
	if d.provided, err = d.catalog.Load(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// New5 returns a driver of the server, like New6.
func New5(ctx context.Context, server tfprotov5.ProviderServer, opts ...Option) (*Driver, error) {
	if server == nil {
		return New6(ctx, nil)
	}
	server, reports, program, filter := tfcheck.Inside5(server)
	upgraded, err := tf5to6server.UpgradeServer(ctx, func() tfprotov5.ProviderServer { return server })
	if err != nil {
		return nil, err
	}
	more := Option(func(d *Driver) { d.reports, d.filter = append(d.reports, reports...), append(d.filter, filter...) })
	return New6(ctx, upgraded, slices.Concat([]Option{For(program)}, opts, []Option{more})...)
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
	validated, err := catalog.Ask(ctx, "ValidateProviderConfig", "", d.server.ValidateProviderConfig, &tfprotov6.ValidateProviderConfigRequest{Config: value})
	if err == nil {
		err = catalog.Refusal("ValidateProviderConfig", "", catalog.Diagnostics(validated.Diagnostics, schema))
	}
	if err != nil {
		return err
	}
	resp, err := catalog.Ask(ctx, "ConfigureProvider", "", d.server.ConfigureProvider, &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: d.version, Config: value,
		ClientCapabilities: &tfprotov6.ConfigureProviderClientCapabilities{DeferralAllowed: d.deferral},
	})
	if err == nil {
		err = catalog.Refusal("ConfigureProvider", "", catalog.Diagnostics(resp.Diagnostics, schema))
	}
	if err == nil {
		d.configured.Store(true)
	}
	return err
}

// ProviderSchema returns the schema of the provider's own configuration: an empty
// one if it has none. It is not to be changed.
func (d *Driver) ProviderSchema() (*configschema.Block, error) {
	if !d.provided.Configurable() {
		return &configschema.Block{}, nil
	}
	schema := d.catalog.Find(context.Background(), catalog.Provider, "")
	return schema.Compiled.Block(), schema.Err
}

// ResourceTypes returns the names of the provider's resource types, in order.
func (d *Driver) ResourceTypes() []string { return d.provided.Names(catalog.Resource) }

// emptySchema is that of a provider without a configuration of its own.
var emptySchema, _ = objchange.Compile(&configschema.Block{})

func (d *Driver) providerConfig(ctx context.Context, config any) (*objchange.Schema, *tfprotov6.DynamicValue, error) {
	if !d.provided.Configurable() {
		none, err := tfconv.Encode6(cty.EmptyObjectVal, cty.EmptyObject)
		return emptySchema, none, err
	}
	schema := d.catalog.Find(ctx, catalog.Provider, "")
	if schema.Err != nil {
		return nil, nil, schema.Err
	}
	value, err := configOf(schema, "provider configuration", config)
	if err != nil {
		return nil, nil, err
	}
	encoded, err := tfconv.Encode6(value, schema.Type)
	return schema.Compiled, encoded, err
}

// ValueOf is ctydata.ValueOf for more of what a test or a program has at hand:
//
//   - structs by the tags of terraform-plugin-framework (tfsdk), or else as encoding/json
//     writes them, and maps, are objects, maps and blocks; slices and arrays are lists,
//     sets, tuples and blocks
//   - bytes are what their type writes as JSON or text, such as net.IP; of other types,
//     slices of bytes are text in base64, and arrays of bytes are an error
//   - pointers are what they point to, and those that are nil, like nil maps and
//     slices, are null
//   - tftypes.Value and values of terraform-plugin-framework (ToTerraformValue) may
//     be anywhere but in what encoding/json writes, and need not be complete either;
//     those that are null are null, blocks too
//   - other types are what encoding/json makes of them
//
// Nothing panics, whatever the data's own methods do.
func ValueOf(schema *configschema.Block, data any) (cty.Value, error) {
	return expect.ValueOf(schema, data)
}

// configOf makes a configuration of data, and says what is wrong with it.
func configOf(s *catalog.Schema, what string, data any) (cty.Value, error) {
	if data == nil {
		data = s.Compiled.EmptyValue()
	}
	value, err := ValueOf(s.Compiled.Block(), data)
	if err == nil {
		err = objchange.AssertConfigValid(s.Compiled, value).Err()
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
	schema := d.catalog.Find(context.Background(), catalog.Resource, typeName)
	if schema.Err != nil {
		return nil, schema.Err
	}
	return &Instance{driver: d, reportTo: d.report, typeName: typeName, schema: schema, state: cty.NullVal(schema.Type)}, nil
}

// Continue returns an instance with the object of an instance of another driver, such as one
// whose provider has crashed. The error says that the resource type does not exist here, or has
// another schema.
func (d *Driver) Continue(i *Instance) (*Instance, error) {
	again, err := d.Resource(i.typeName)
	if err != nil {
		return nil, err
	}
	if !again.schema.Type.Equals(i.schema.Type) {
		return nil, fmt.Errorf("%s has another schema", i.typeName)
	}
	again.state, again.private, again.identity, again.tainted = i.state, i.private, i.identity, i.tainted
	again.config, again.ignored = i.config, i.ignored
	return again, nil
}
