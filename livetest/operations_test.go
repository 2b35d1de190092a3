package livetest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// A stepKind is an operation on a resource that a driver and the real command can both do.
type stepKind int

const (
	applying   stepKind = iota // create or update
	replacing                  // even if the provider does not require it
	refreshing                 // only refresh
	destroying                 // like terraform destroy
	removing                   // remove it from the configuration; an object imported by a command has none yet
	importing                  // import the same object again, after removing it from the state
	adopting                   // import as above, and apply in the same run
	vanishing                  // remove the object without the provider
	reading                    // read a data source
	opening                    // open an ephemeral resource
)

func (d stepKind) String() string {
	return [...]string{"apply", "replace", "refresh", "destroy", "remove", "import", "adopt", "vanish", "read", "open"}[d]
}

// imports reports whether the operation imports the object.
func (d stepKind) imports() bool { return d == importing || d == adopting }

// ends reports whether the operation is not followed by another plan.
func (d stepKind) ends() bool { return d == destroying || d == removing || d == refreshing }

// A step is one operation on a resource.
type step struct {
	stepKind
	config map[string]any
	late   string // the argument that is only known at apply, or ""
}

// initially returns the configuration at plan.
func (s step) initially() map[string]any {
	config := maps.Clone(s.config)
	if s.late != "" {
		config[s.late] = cty.DynamicVal
	}
	return config
}

// An operation returns the steps for a resource of the type. The finding is expected in the last
// step.
type operation func(typeName string) []step

// create creates a resource with the full configuration, except for one argument.
func create(change ...any) operation {
	return func(typeName string) []step { return []step{{applying, full(typeName, change...), ""}} }
}

// createFrom plans with an argument that is known only at apply.
func createFrom(unknown string) operation {
	return func(typeName string) []step { return []step{{applying, full(typeName), unknown}} }
}

// update creates a resource, which must succeed, and changes one argument.
func update(change ...any) operation {
	return then(create(), applying, change...)
}

// updateFrom creates a resource, which must succeed, and changes one argument. Its new value is
// known only at apply.
func updateFrom(changed string, to any) operation {
	return func(typeName string) []step {
		return append(create()(typeName), step{applying, full(typeName, changed, to), changed})
	}
}

// destroyed creates a resource, which must succeed, and destroys it.
func destroyed() operation { return then(create(), destroying) }

// then adds another step.
func then(before operation, next stepKind, change ...any) operation {
	return func(typeName string) []step {
		return append(before(typeName), step{next, full(typeName, change...), ""})
	}
}

// readData reads a data source.
func readData() operation {
	return func(string) []step { return []step{{reading, map[string]any{"name": "x"}, ""}} }
}

// openEphemeral opens an ephemeral resource.
func openEphemeral() operation {
	return func(string) []step { return []step{{opening, map[string]any{"user": "x"}, ""}} }
}

// drive runs the steps with a driver. All except the last one must succeed. It returns the result
// of the last one.
func (o operation) drive(t *testing.T, p *provider, typeName string) ([]tfcheck.Finding, error) {
	t.Helper()
	d := newDriven(t, p, typeName)
	steps := o(typeName)
	for _, s := range steps[:len(steps)-1] {
		if found, err := d.take(t, s); err != nil || len(found) > 0 {
			t.Fatalf("%s ended with %v, %v", s, err, found)
		}
	}
	return d.take(t, steps[len(steps)-1])
}

// A driven is one resource of a driver.
type driven struct {
	*driver.Driver
	*driver.Instance
	provider *provider
	typeName string
	options  []driver.RunOption
	run      *driver.Run // the latest run
	err      error       // the error of the latest run
	result   cty.Value   // the read or opened value
}

func (d *driven) schema() *configschema.Block {
	if d.Instance == nil {
		return nil
	}
	return d.Instance.Schema().Block()
}

// ty returns the type of the stored value.
func (d *driven) ty() cty.Type {
	if d.Instance == nil {
		return d.result.Type()
	}
	return d.schema().ImpliedType().WithoutOptionalAttributesDeep()
}

func newDriven(t *testing.T, p *provider, typeName string, ignored ...string) *driven {
	t.Helper()
	d := &driven{Driver: p.driver(t), provider: p, typeName: typeName}
	if slices.Contains(ignored, everything) {
		d.options = []driver.RunOption{driver.IgnoreAllChanges()}
	} else if len(ignored) > 0 {
		var paths []cty.Path
		for _, name := range ignored {
			paths = append(paths, cty.GetAttrPath(name))
		}
		d.options = []driver.RunOption{driver.IgnoreChanges(paths...)}
	}
	d.Instance, _ = d.Resource(typeName) // nil for a data source
	return d
}

// take runs a step.
func (d *driven) take(t *testing.T, s step) (found []tfcheck.Finding, err error) {
	t.Helper()
	d.run = &driver.Run{}
	defer func() { d.err = err }()
	switch s.stepKind {
	case reading, opening:
		read := d.ReadDataSource
		if s.stepKind == opening {
			read = d.OpenEphemeral
		}
		run, err := read(t.Context(), d.typeName, s.config)
		if s.stepKind == reading { // an opened value is not stored
			d.result = run.Result
		}
		return run.Findings, err
	case applying, replacing:
		d.run, err = d.change(t, s)
	case refreshing:
		d.run, err = d.Refresh(t.Context())
	case destroying, removing:
		d.run, err = d.Destroy(t.Context())
	case importing, adopting:
		id := text(d.State(), "id")
		d.Instance = resource(t, d.Driver, d.typeName)
		d.run, err = d.Import(t.Context(), id)
		if s.stepKind == adopting && err == nil {
			if d.run, err = d.change(t, s); d.run.Lifecycle.InitialPlanned == cty.NilVal { // if nothing is planned, nothing is imported
				d.Instance = resource(t, d.Driver, d.typeName)
			}
		}
	case vanishing:
		d.provider.forget(text(d.State(), "id"))
	}
	return d.run.Findings, err
}

// change applies the configuration of the step.
func (d *driven) change(t *testing.T, s step) (*driver.Run, error) {
	change := d.Apply
	if s.stepKind == replacing && !d.State().IsNull() {
		change = d.Replace
	}
	return change(t.Context(), s.config, append(d.options, driver.Initially(s.initially()))...)
}

// full returns a configuration for the providers' faulty resources with a value for each
// attribute and block, except for a change: an argument and its value.
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
	for i := 0; i < len(change); i += 2 {
		config[change[i].(string)] = change[i+1]
	}
	return config
}
