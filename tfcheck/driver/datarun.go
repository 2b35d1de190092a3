package driver

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// A DataRun is what reading a data source, or opening an ephemeral resource,
// gave and found.
type DataRun struct {
	Config, Result cty.Value // Result is the zero cty.Value if reading failed
	Deferred       string    // the reason why the provider deferred, or ""
	Warnings       []Diagnostic
	Findings       []tfcheck.Finding

	schema *objchange.Schema
}

// String tells what was read and found, and shows nothing that is sensitive in
// the schema.
func (r DataRun) String() string {
	return runText("read", r.Deferred, r.schema, cty.NilVal, r.Result, r.Findings)
}

// ReadDataSource validates the configuration, which is what ValueOf takes, and
// reads the data source. With a configuration that is not wholly known there is
// nothing to ask the provider: the result is what Core plans with. The run is
// there in any case; the error is as that of an Instance's methods.
func (d *Driver) ReadDataSource(ctx context.Context, typeName string, config any) (*DataRun, error) {
	return d.startData(ctx, catalog.Data, typeName, d.report).readDataSource(config)
}

// OpenEphemeral validates the configuration, which is what ValueOf takes, opens
// the ephemeral resource and closes it. For the rest it is as ReadDataSource.
func (d *Driver) OpenEphemeral(ctx context.Context, typeName string, config any) (*DataRun, error) {
	return d.startData(ctx, catalog.Ephemeral, typeName, d.report).open(config)
}

func (d *Driver) startData(ctx context.Context, k catalog.Kind, typeName string, report tfcheck.Report) *operation {
	schema := d.catalog.Find(ctx, k, typeName)
	return (&Instance{driver: d, report: report, typeName: typeName, schema: schema}).start(ctx)
}

func (r *operation) readDataSource(config any) (*DataRun, error) {
	err := r.configure(config)
	if err == nil {
		err = r.readData()
	}
	return r.data(), err
}

func (r *operation) open(config any) (*DataRun, error) {
	err := r.configure(config)
	if err == nil {
		err = r.openEphemeral()
	}
	return r.data(), err
}

func (r *operation) configure(config any) error {
	if r.schema.Err != nil {
		return r.schema.Err
	}
	value, err := configOf(r.schema, "configuration", config)
	r.run.Lifecycle.Config = value
	return err
}

func (r *operation) readData() error {
	config := r.encode(r.run.Lifecycle.Config)
	valid, err := send(r, "ValidateDataResourceConfig", r.server.ValidateDataResourceConfig,
		&tfprotov6.ValidateDataResourceConfigRequest{TypeName: r.typeName, Config: config})
	if err != nil {
		return err
	}
	if err := r.answered("ValidateDataResourceConfig", valid.Diagnostics); err != nil || r.postponed() {
		return err
	}
	req := &tfprotov6.ReadDataSourceRequest{TypeName: r.typeName, Config: config}
	if r.driver.deferral {
		req.ClientCapabilities = &tfprotov6.ReadDataSourceClientCapabilities{DeferralAllowed: true}
	}
	resp, err := send(r, "ReadDataSource", r.server.ReadDataSource, req)
	if err != nil {
		return err
	}
	return r.result("ReadDataSource", resp.State, resp.Diagnostics, resp.Deferred)
}

func (r *operation) openEphemeral() error {
	config := r.encode(r.run.Lifecycle.Config)
	valid, err := send(r, "ValidateEphemeralResourceConfig", r.server.ValidateEphemeralResourceConfig,
		&tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: r.typeName, Config: config})
	if err != nil {
		return err
	}
	if err := r.answered("ValidateEphemeralResourceConfig", valid.Diagnostics); err != nil || r.postponed() {
		return err
	}
	req := &tfprotov6.OpenEphemeralResourceRequest{TypeName: r.typeName, Config: config}
	if r.driver.deferral {
		req.ClientCapabilities = &tfprotov6.OpenEphemeralResourceClientCapabilities{DeferralAllowed: true}
	}
	resp, err := send(r, "OpenEphemeralResource", r.server.OpenEphemeralResource, req)
	if err != nil {
		return err
	}
	err = r.result("OpenEphemeralResource", resp.Result, resp.Diagnostics, resp.Deferred)
	if catalog.Failed(resp.Diagnostics) || resp.Deferred != nil {
		return err // nothing was opened
	}
	closed, closing := send(r, "CloseEphemeralResource", r.server.CloseEphemeralResource,
		&tfprotov6.CloseEphemeralResourceRequest{TypeName: r.typeName, Private: resp.Private})
	if closing == nil {
		closing = r.answered("CloseEphemeralResource", closed.Diagnostics)
	}
	return errors.Join(err, closing)
}

// postponed reports whether nothing can be read yet, and makes the result that
// Core goes on with.
func (r *operation) postponed() bool {
	if r.run.Lifecycle.Config.IsWhollyKnown() {
		return false
	}
	// The configuration conforms, so there is no error.
	r.run.Lifecycle.New, _ = objchange.PlannedDataResource(r.schema.Compiled, r.run.Lifecycle.Config)
	return true
}

// result keeps what was read.
func (r *operation) result(rpc string, value *tfprotov6.DynamicValue, diags []*tfprotov6.Diagnostic, deferred *tfprotov6.Deferred) error {
	if err := r.answered(rpc, diags); err != nil {
		return err
	}
	if r.deferred(deferred) {
		return nil
	}
	result, err := r.decode(value)
	r.run.Lifecycle.New = result
	return err
}

func (r *operation) data() *DataRun {
	return &DataRun{
		Config: r.run.Lifecycle.Config, Result: r.run.Lifecycle.New,
		Deferred: r.run.Deferred, Warnings: r.run.Warnings, Findings: r.run.Findings,
		schema: r.schema.Compiled,
	}
}
