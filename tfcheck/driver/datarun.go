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

// A DataRun is the result of reading a data source or opening an ephemeral resource, with the
// findings.
type DataRun struct {
	Config, Result cty.Value // Result is the zero cty.Value if reading failed
	Deferred       string    // the provider's reason for deferral, or ""
	Warnings       []Diagnostic
	Findings       []tfcheck.Finding

	schema *objchange.Schema
}

// String returns the findings as text. It does not show values that the schema marks as sensitive.
func (r DataRun) String() string { return runText("read", r.Deferred, r.Findings) }

// ReadDataSource validates the configuration and reads the data source. It accepts the same data
// as ValueOf. If the configuration is not wholly known, the data source is not read: the result
// is the planned object that Core uses in its place. The run is never nil. The errors are the
// errors of the methods of Instance.
func (d *Driver) ReadDataSource(ctx context.Context, typeName string, config any) (*DataRun, error) {
	return d.data(ctx, catalog.Data, typeName, config, d.report)
}

// OpenEphemeral validates the configuration, opens the ephemeral resource and closes it.
// Otherwise it is like ReadDataSource.
func (d *Driver) OpenEphemeral(ctx context.Context, typeName string, config any) (*DataRun, error) {
	return d.data(ctx, catalog.Ephemeral, typeName, config, d.report)
}

func (d *Driver) data(
	ctx context.Context, k catalog.Kind, typeName string, config any, report tfcheck.Report,
) (*DataRun, error) {
	r := d.start(ctx, typeName, d.catalog.Find(ctx, k, typeName), report)
	read := r.readData
	if k == catalog.Ephemeral {
		read = r.openEphemeral
	}
	err := r.schema.Err
	if err == nil {
		r.run.Lifecycle.Config, err = configOf(r.schema, "configuration", config)
	}
	if err == nil {
		err = read(r.encode(r.run.Lifecycle.Config))
	}
	if err == errDeferred {
		err = nil
	}
	return &DataRun{
		Config: r.run.Lifecycle.Config, Result: r.run.Lifecycle.New,
		Deferred: r.run.Deferred, Warnings: r.run.Warnings, Findings: r.run.Findings,
		schema: r.schema.Compiled,
	}, err
}

func (r *operation) readData(config *tfprotov6.DynamicValue) error {
	_, err := call(r, r.server.ValidateDataResourceConfig, &tfprotov6.ValidateDataResourceConfigRequest{
		TypeName: r.typeName, Config: config,
	})
	if err != nil || r.postponed() {
		return err
	}
	resp, err := call(r, r.server.ReadDataSource, &tfprotov6.ReadDataSourceRequest{
		TypeName: r.typeName, Config: config,
		ClientCapabilities: &tfprotov6.ReadDataSourceClientCapabilities{DeferralAllowed: r.driver.deferral},
	})
	if err != nil {
		return err
	}
	return r.result(resp.Deferred, resp.State)
}

func (r *operation) openEphemeral(config *tfprotov6.DynamicValue) error {
	_, err := call(r, r.server.ValidateEphemeralResourceConfig, &tfprotov6.ValidateEphemeralResourceConfigRequest{
		TypeName: r.typeName, Config: config,
	})
	if err != nil || r.postponed() {
		return err
	}
	resp, err := call(r, r.server.OpenEphemeralResource, &tfprotov6.OpenEphemeralResourceRequest{
		TypeName: r.typeName, Config: config,
		ClientCapabilities: &tfprotov6.OpenEphemeralResourceClientCapabilities{DeferralAllowed: r.driver.deferral},
	})
	if resp == nil || catalog.Failed(resp.Diagnostics) {
		return err // nothing was opened, so there is nothing to close
	}
	if err == nil {
		err = r.result(resp.Deferred, resp.Result)
	}
	if resp.Deferred != nil {
		return err
	}
	_, closing := call(r, r.server.CloseEphemeralResource, &tfprotov6.CloseEphemeralResourceRequest{
		TypeName: r.typeName, Private: resp.Private,
	})
	return errors.Join(err, closing)
}

// postponed reports whether the configuration is not wholly known. In that case it sets the
// result to the object that Core uses in place of the result.
func (r *operation) postponed() bool {
	if r.run.Lifecycle.Config.IsWhollyKnown() {
		return false
	}
	// The configuration conforms, so there is no error.
	r.run.Lifecycle.New, _ = objchange.PlannedDataResource(r.schema.Compiled, r.run.Lifecycle.Config)
	return true
}

// result decodes and stores the result, unless the response is deferred.
func (r *operation) result(deferred *tfprotov6.Deferred, value *tfprotov6.DynamicValue) error {
	err := r.deferred(deferred)
	if err == nil {
		r.run.Lifecycle.New, err = r.decode(value)
	}
	return err
}
