package livetest_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/livetest/frameworkprovider"
	"github.com/objchange/objchange/tfcheck/livetest/sdkprovider"
	"github.com/zclconf/go-cty/cty"
)

// An operation is done with one resource type and tells what was found.
type operation func(*testing.T, *tfcheck.Driver, string) ([]tfcheck.Finding, error)

// create creates a resource with the full configuration but for one argument.
func create(change ...any) operation {
	return func(t *testing.T, d *tfcheck.Driver, typeName string) ([]tfcheck.Finding, error) {
		run, err := resource(t, d, typeName).Create(t.Context(), full(typeName, change...))
		return run.Findings, err
	}
}

// createFrom plans with an argument that is known only at apply.
func createFrom(unknown string) operation {
	return func(t *testing.T, d *tfcheck.Driver, typeName string) ([]tfcheck.Finding, error) {
		initially := tfcheck.Initially(full(typeName, unknown, cty.DynamicVal))
		run, err := resource(t, d, typeName).Create(t.Context(), full(typeName), initially)
		return run.Findings, err
	}
}

// update creates a resource, which must go well, and changes one argument.
func update(change ...any) operation {
	return func(t *testing.T, d *tfcheck.Driver, typeName string) ([]tfcheck.Finding, error) {
		i := resource(t, d, typeName)
		must(t)(i.Create(t.Context(), full(typeName)))
		run, err := i.Update(t.Context(), full(typeName, change...))
		return run.Findings, err
	}
}

// updateFrom creates a resource, which must go well, and changes one argument
// whose new value is known only at apply.
func updateFrom(changed string, to any) operation {
	return func(t *testing.T, d *tfcheck.Driver, typeName string) ([]tfcheck.Finding, error) {
		i := resource(t, d, typeName)
		must(t)(i.Create(t.Context(), full(typeName)))
		initially := tfcheck.Initially(full(typeName, changed, cty.DynamicVal))
		run, err := i.Update(t.Context(), full(typeName, changed, to), initially)
		return run.Findings, err
	}
}

// importing imports a resource.
func importing() operation {
	return func(t *testing.T, d *tfcheck.Driver, typeName string) ([]tfcheck.Finding, error) {
		run, err := resource(t, d, typeName).Import(t.Context(), "x")
		return run.Findings, err
	}
}

// readData reads a data source.
func readData() operation {
	return func(t *testing.T, d *tfcheck.Driver, typeName string) ([]tfcheck.Finding, error) {
		run, err := d.ReadDataSource(t.Context(), typeName, map[string]any{"name": "x"})
		return run.Findings, err
	}
}

// openEphemeral opens an ephemeral resource.
func openEphemeral() operation {
	return func(t *testing.T, d *tfcheck.Driver, typeName string) ([]tfcheck.Finding, error) {
		run, err := d.OpenEphemeral(t.Context(), typeName, map[string]any{"user": "x"})
		return run.Findings, err
	}
}

// full returns a configuration of the providers' faulty resources with something
// of everything, but for a change: an argument and its value.
func full(typeName string, change ...any) map[string]any {
	config := map[string]any{
		"name": "a", "secret": "s", "key_wo": "w",
		"tags": map[string]any{"k": "v"},
		"step": []any{map[string]any{"title": "t"}},
	}
	if strings.HasPrefix(typeName, "sdk_") {
		maps.Copy(config, map[string]any{"rule": []any{map[string]any{"port": "https"}}})
	} else {
		maps.Copy(config, map[string]any{
			"zones": []any{"z"}, "anything": "text",
			"network": map[string]any{"cidr": "10.0.0.0/8"},
			"disks":   []any{map[string]any{"size": 1}},
			"mounts":  map[string]any{"m": map[string]any{"path": "/"}},
			"ports":   []any{map[string]any{"number": 1}},
		})
	}
	if len(change) == 2 {
		config[change[0].(string)] = change[1]
	}
	return config
}

// driverOf returns a configured driver of the provider made that way; one made
// by hand breaks the rule.
func driverOf(t testing.TB, made string, rule objchange.Rule, opts ...tfcheck.DriverOption) *tfcheck.Driver {
	t.Helper()
	var d *tfcheck.Driver
	var err error
	switch made {
	case framework:
		d, err = tfcheck.NewDriver6(t.Context(), frameworkprovider.Server(), opts...)
	case sdk:
		d, err = tfcheck.NewDriver5(t.Context(), sdkprovider.Server(), opts...)
	default:
		d, err = tfcheck.NewDriver6(t.Context(), bent(rule), opts...)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Configure(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return d
}

func resource(t testing.TB, d *tfcheck.Driver, typeName string) *tfcheck.Instance {
	t.Helper()
	i, err := d.Resource(typeName)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// must returns a function that takes what a method of an Instance returns, and
// fails the test if there is an error or a finding.
func must(t testing.TB) func(*tfcheck.Run, error) *tfcheck.Run {
	return func(run *tfcheck.Run, err error) *tfcheck.Run {
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
