package tfcheck

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
)

// A DataRun is what reading a data source, or opening an ephemeral resource,
// gave and found.
type DataRun struct {
	Config, Result cty.Value // Result is the zero cty.Value if nothing was read
	Deferred       string    // the reason why the provider deferred, or ""
	Warnings       []Diagnostic
	Findings       []Finding
}

// ReadDataSource validates the configuration, which is what ValueOf takes, and
// reads the data source. The run is there in any case; the error is as that of
// an Instance's methods.
func (d *Driver) ReadDataSource(ctx context.Context, typeName string, config any) (*DataRun, error) {
	r, value, err := d.startData(ctx, dataKind, typeName, config)
	if err != nil {
		return r.data(), err
	}
	valid, err := ask(r.ctx, "ValidateDataResourceConfig", r.typeName, r.server.ValidateDataResourceConfig,
		&tfprotov6.ValidateDataResourceConfigRequest{TypeName: typeName, Config: value})
	if err == nil {
		err = r.answered("ValidateDataResourceConfig", valid.Diagnostics)
	}
	if err != nil {
		return r.data(), err
	}
	req := &tfprotov6.ReadDataSourceRequest{TypeName: typeName, Config: value}
	if d.deferral {
		req.ClientCapabilities = &tfprotov6.ReadDataSourceClientCapabilities{DeferralAllowed: true}
	}
	resp, err := ask(r.ctx, "ReadDataSource", r.typeName, r.server.ReadDataSource, req)
	if err == nil {
		err = r.result("ReadDataSource", resp.State, resp.Diagnostics, resp.Deferred)
	}
	return r.data(), err
}

// OpenEphemeral validates the configuration, which is what ValueOf takes, opens
// the ephemeral resource and closes it. The run is there in any case; the error
// is as that of an Instance's methods.
func (d *Driver) OpenEphemeral(ctx context.Context, typeName string, config any) (*DataRun, error) {
	r, value, err := d.startData(ctx, ephemeralKind, typeName, config)
	if err != nil {
		return r.data(), err
	}
	valid, err := ask(r.ctx, "ValidateEphemeralResourceConfig", r.typeName, r.server.ValidateEphemeralResourceConfig,
		&tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: typeName, Config: value})
	if err == nil {
		err = r.answered("ValidateEphemeralResourceConfig", valid.Diagnostics)
	}
	if err != nil {
		return r.data(), err
	}
	req := &tfprotov6.OpenEphemeralResourceRequest{TypeName: typeName, Config: value}
	if d.deferral {
		req.ClientCapabilities = &tfprotov6.OpenEphemeralResourceClientCapabilities{DeferralAllowed: true}
	}
	resp, err := ask(r.ctx, "OpenEphemeralResource", r.typeName, r.server.OpenEphemeralResource, req)
	if err != nil {
		return r.data(), err
	}
	if err := r.result("OpenEphemeralResource", resp.Result, resp.Diagnostics, resp.Deferred); err != nil || r.run.Deferred != "" {
		return r.data(), err
	}
	closed, err := ask(r.ctx, "CloseEphemeralResource", r.typeName, r.server.CloseEphemeralResource,
		&tfprotov6.CloseEphemeralResourceRequest{TypeName: typeName, Private: resp.Private})
	if err == nil {
		err = r.answered("CloseEphemeralResource", closed.Diagnostics)
	}
	return r.data(), err
}

// startData returns an operation and the configuration.
func (d *Driver) startData(ctx context.Context, k kind, typeName string, config any) (*operation, *tfprotov6.DynamicValue, error) {
	schema := d.catalog.find(ctx, k, typeName)
	r := (&Instance{driver: d, typeName: typeName, schema: schema}).start(ctx)
	if schema.err != nil {
		return r, nil, schema.err
	}
	value, err := schema.config("configuration", config)
	if err != nil {
		return r, nil, err
	}
	r.run.Lifecycle.Config = value
	dynamic, err := Encode6(value, schema.ty)
	return r, dynamic, err
}

// result keeps what was read.
func (r *operation) result(rpc string, value *tfprotov6.DynamicValue, diags []*tfprotov6.Diagnostic, deferred *tfprotov6.Deferred) error {
	if err := r.answered(rpc, diags); err != nil {
		return err
	}
	if done, err := r.deferred(rpc, deferred); done {
		return err
	}
	result, err := r.decode(value)
	r.run.Lifecycle.New = result
	return err
}

func (r *operation) data() *DataRun {
	return &DataRun{
		Config: r.run.Lifecycle.Config, Result: r.run.Lifecycle.New,
		Deferred: r.run.Deferred, Warnings: r.run.Warnings, Findings: r.run.Findings,
	}
}
