package driver

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfcheck/internal/expect"
	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// A Driver sends a provider the requests that Terraform Core sends, without Terraform. It runs
// resource instances through their lifecycle and checks every step. Several goroutines may call
// its methods at the same time.
type Driver struct {
	server  tfprotov6.ProviderServer
	catalog *catalog.Catalog
	schemas *catalog.Schemas

	version    string
	report     tfcheck.Report
	ofTest     bool // report is the report of the test that created the driver
	deferral   bool
	program    tfcheck.Program
	filter     check.Filter
	applied    func(*Instance)
	configured atomic.Bool
}

// An Option configures a Driver.
type Option func(*Driver)

// For checks the provider for the program instead of Terraform.
func For(program tfcheck.Program) Option { return func(d *Driver) { d.program = program } }

// Ignore drops findings, as described at tfcheck.Ignore. A run still ends where Terraform stops.
func Ignore(known ...*tfcheck.IgnoreOption) Option {
	return func(d *Driver) {
		for _, k := range known { // the filter of a checking server has the option
			_, _, filter := check.Unwrap(tfcheck.Server6(d.server, nil, k))
			d.filter = append(d.filter, filter...)
		}
	}
}

// AllowDeferral sets the client capability that allows the provider to defer operations.
// Terraform allows deferral only in experiments.
func AllowDeferral() Option { return func(d *Driver) { d.deferral = true } }

// OnApply sets a function that the driver calls after each ApplyResourceChange. Its argument is
// the instance with the state that Core keeps: the previous state if there was no response. Later
// steps of the same run may still fail.
func OnApply(f func(*Instance)) Option { return func(d *Driver) { d.applied = f } }

// TerraformVersion sets the version that ConfigureProvider sends to the provider. The default is
// 1.14.0. The driver behaves like that version, or like the newest version if it cannot be parsed.
// Terraform 1.17 and later read an object whose configuration was removed before they plan to
// destroy it, and earlier versions plan first. Terraform 1.17 and later also send the client
// capabilities store_planned_private and computed_blocks_allowed. A provider that is called in this
// process does not receive these, because tfprotov6 does not have them. Terraform 1.11 and earlier
// ignore identities.
func TerraformVersion(version string) Option {
	return func(d *Driver) { d.version = version }
}

// is117 reports whether the driver behaves like Terraform 1.17 or later.
func (d *Driver) is117() bool {
	return d.program != tfcheck.OpenTofu && !check.Before(d.version, 17)
}

// capable returns a context for requests, which adds the client capabilities of Terraform 1.17.
func (d *Driver) capable(ctx context.Context) context.Context {
	if d.is117() {
		return wire.WithNewCapabilities(ctx)
	}
	return ctx
}

// ReportTo passes all findings to the report, including findings that only a driver can make,
// such as a perpetual diff. Each Run contains the findings too. A run ends at a finding that the
// report rejects, as it does at a finding that Core enforces.
func ReportTo(report tfcheck.Report) Option {
	return func(d *Driver) { d.report, d.ofTest = report, false }
}

// New6 returns a driver of the server. It requests the schemas, with a time limit of one minute. The
// error is the error of that request, a *RefusedError, or an invalid option. Call Configure next, as
// Core does: until then, the driver sends no other requests except calls of functions.
//
// If Server6 created the server, the driver uses the wrapped server and does the checks itself. It
// ignores findings as Server6 does, and uses its Program unless an option sets another one. The Report
// of Server6 does not receive the findings.
func New6(ctx context.Context, server tfprotov6.ProviderServer, opts ...Option) (*Driver, error) {
	if server == nil {
		return nil, errors.New("the provider server is nil")
	}
	server, program, filter := check.Unwrap(server)
	d := &Driver{
		server: server, catalog: &catalog.Catalog{Server: server},
		version: "1.14.0", program: tfcheck.Program(program), filter: filter,
	}
	set(d, opts)
	err := d.filter.Err()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, schemaTimeout, fmt.Errorf("no schemas within %s", schemaTimeout))
	defer cancel()
	if d.schemas, err = d.catalog.Load(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// schemaTimeout is the time limit of the request for the schemas. The largest providers take
// seconds.
const schemaTimeout = time.Minute

// New5 returns a driver of the server, like New6.
func New5(ctx context.Context, server tfprotov5.ProviderServer, opts ...Option) (*Driver, error) {
	if server == nil {
		return New6(ctx, nil)
	}
	server, program, filter := check.Unwrap(server)
	upgraded, err := tf5to6server.UpgradeServer(ctx, func() tfprotov5.ProviderServer { return server })
	if err != nil {
		return nil, err
	}
	replaced := func(d *Driver) { d.program, d.filter = tfcheck.Program(program), filter }
	return New6(ctx, upgraded, append([]Option{replaced}, opts...)...)
}

// Configure validates the provider configuration and configures the provider with it. It accepts
// the same data as ValueOf, and nil for an empty configuration. The configuration may contain
// unknown values, as it may when Core plans.
//
// The error is a *ConfigError, a *RefusedError, or the error of a request.
func (d *Driver) Configure(ctx context.Context, config any) error {
	schema := d.catalog.Find(d.capable(ctx), catalog.Provider, "")
	if schema.Err != nil {
		return schema.Err
	}
	value, err := configOf(schema, "provider configuration", config)
	if err != nil {
		return err
	}
	r := d.start(ctx, "", schema, nil)
	r.unsent = nil
	encoded := r.encode(value)
	_, err = call(r, r.server.ValidateProviderConfig, &tfprotov6.ValidateProviderConfigRequest{Config: encoded})
	if err != nil {
		return err
	}
	_, err = call(r, r.server.ConfigureProvider, &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: d.version, Config: encoded,
		ClientCapabilities: &tfprotov6.ConfigureProviderClientCapabilities{DeferralAllowed: d.deferral},
	})
	if err == nil {
		d.configured.Store(true)
	}
	return err
}

// ProviderSchema returns the schema of the provider's own configuration. It is empty if the
// provider has none. The caller must not modify it.
func (d *Driver) ProviderSchema() (*configschema.Block, error) {
	schema := d.catalog.Find(context.Background(), catalog.Provider, "")
	return schema.Compiled.Block(), schema.Err
}

// ResourceTypes returns the names of the provider's resource types, sorted.
func (d *Driver) ResourceTypes() []string { return d.schemas.Names(catalog.Resource) }

// ValueOf is like ctydata.ValueOf, but accepts more types of data:
//
//   - Structs become objects, maps and blocks. Their fields are named by the tags of
//     terraform-plugin-framework (tfsdk), or else as by encoding/json. Maps become objects, maps
//     and blocks too. Slices and arrays become lists, sets, tuples and blocks.
//   - Slices and arrays of bytes whose type marshals itself to JSON or text, such as net.IP, become
//     that JSON or text. Other byte slices become base64 text. Other byte arrays are an error.
//   - Pointers become the value that they point to. Nil pointers, maps and slices become null.
//   - A tftypes.Value, or a value of terraform-plugin-framework (ToTerraformValue), may appear
//     anywhere except inside data that encoding/json marshals. Like a cty.Value, it may be
//     incomplete. A null value becomes null, even for a block.
//   - Other types become the value that encoding/json marshals them to.
//
// ValueOf does not panic, even if a method of the data does.
func ValueOf(schema *configschema.Block, data any) (cty.Value, error) {
	return expect.ValueOf(schema, data)
}

// configOf returns the configuration that data describes. The error is a *ConfigError, with what
// as the name of the configuration.
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
	value, _ = value.UnmarkDeep() // Core does not send marks to providers
	if value.IsNull() || !value.IsKnown() {
		return cty.NilVal, &ConfigError{what, errors.New("it is null or unknown as a whole")}
	}
	return value, nil
}

// Resource returns an instance of the resource type, without an object. The error says that the
// type does not exist, or that its schema is invalid.
func (d *Driver) Resource(typeName string) (*Instance, error) {
	schema := d.catalog.Find(context.Background(), catalog.Resource, typeName)
	if schema.Err != nil {
		return nil, schema.Err
	}
	none := object{state: cty.NullVal(schema.Type)}
	return &Instance{driver: d, reportTo: d.report, typeName: typeName, schema: schema, object: none}, nil
}

// Continue returns an instance with the object of an instance of another driver, for example of a
// driver whose provider has crashed. The error says that the resource type does not exist in this
// provider, or has a different schema.
func (d *Driver) Continue(i *Instance) (*Instance, error) {
	again, err := d.Resource(i.typeName)
	if err != nil {
		return nil, err
	}
	if !again.schema.Type.Equals(i.schema.Type) {
		return nil, fmt.Errorf("%s has a different schema", i.typeName)
	}
	again.object, again.config, again.ignored = i.object, i.config, i.ignored
	return again, nil
}
