package live

import (
	"maps"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// A StepKind is an operation on a resource that a driver and the real command can both do.
type StepKind string

const (
	Applying   StepKind = "apply"   // create or update
	Replacing  StepKind = "replace" // even if the provider does not require it
	Refreshing StepKind = "refresh" // only refresh
	Destroying StepKind = "destroy" // like terraform destroy
	Removing   StepKind = "remove"  // remove it from the configuration; an object imported by a command has none yet
	Importing  StepKind = "import"  // import the same object again, after removing it from the state
	Adopting   StepKind = "adopt"   // import as above, and apply in the same run
	Vanishing  StepKind = "vanish"  // remove the object without the provider
	Reading    StepKind = "read"    // read a data source
	Opening    StepKind = "open"    // open an ephemeral resource
)

// Imports reports whether the operation imports the object.
func (k StepKind) Imports() bool { return k == Importing || k == Adopting }

// Ends reports whether the operation is not followed by another plan.
func (k StepKind) Ends() bool { return k == Destroying || k == Removing || k == Refreshing }

// A Step is one operation on a resource.
type Step struct {
	StepKind
	Config map[string]any
	Late   string // the argument that is only known at apply, or ""
}

// Do returns a step.
func Do(kind StepKind, config map[string]any, late string) Step { return Step{kind, config, late} }

// initially returns the configuration at plan.
func (s Step) initially() map[string]any {
	config := maps.Clone(s.Config)
	if s.Late != "" {
		config[s.Late] = cty.DynamicVal
	}
	return config
}

// An Operation returns the steps for a resource of the type. The finding is expected in the last
// step.
type Operation func(typeName string) []Step

// Create creates a resource with the full configuration, except for one argument.
func Create(change ...any) Operation {
	return func(typeName string) []Step { return []Step{{Applying, Full(typeName, change...), ""}} }
}

// late makes an argument of the last step known only at apply.
func (o Operation) late(argument string) Operation {
	return func(typeName string) []Step {
		steps := o(typeName)
		steps[len(steps)-1].Late = argument
		return steps
	}
}

// Update creates a resource, which must succeed, and changes one argument.
func Update(change ...any) Operation { return Then(Create(), Applying, change...) }

// Destroyed creates a resource, which must succeed, and destroys it.
func Destroyed() Operation { return Then(Create(), Destroying) }

// Then adds another step.
func Then(before Operation, next StepKind, change ...any) Operation {
	return func(typeName string) []Step {
		return append(before(typeName), Step{next, Full(typeName, change...), ""})
	}
}

// ReadData reads a data source.
func ReadData() Operation {
	return func(string) []Step { return []Step{{Reading, map[string]any{"name": "x"}, ""}} }
}

// OpenEphemeral opens an ephemeral resource.
func OpenEphemeral() Operation {
	return func(string) []Step { return []Step{{Opening, map[string]any{"user": "x"}, ""}} }
}

// Drive runs the steps with a driver. All except the last one must succeed. It returns the result
// of the last one.
func (o Operation) Drive(t *testing.T, p *Provider, typeName string) ([]tfcheck.Finding, error) {
	t.Helper()
	d := NewDriven(t, p, typeName, "")
	steps := o(typeName)
	for _, s := range steps[:len(steps)-1] {
		if found, err := d.Take(t, s); err != nil || len(found) > 0 {
			t.Fatalf("%s ended with %v, %v", s.StepKind, err, found)
		}
	}
	return d.Take(t, steps[len(steps)-1])
}

// Everything ignores changes of all attributes.
const Everything = "all"

// A DrivenResource is a resource of a driver.
type DrivenResource struct {
	Instance *driver.Instance // nil for a data source
	driver   *driver.Driver
	provider *Provider
	typeName string
	ignored  []driver.RunOption
	Block    *configschema.Block // nil for a data source
	Run      *driver.Run         // the latest run
	Result   cty.Value           // the read or opened value
}

// Type returns the type of the stored value.
func (d *DrivenResource) Type() cty.Type {
	if d.Block == nil {
		return d.Result.Type()
	}
	return d.Block.ImpliedType().WithoutOptionalAttributesDeep()
}

// NewDriven returns the resource with a driver of the provider. Changes of the ignored attribute
// are ignored.
func NewDriven(t *testing.T, p *Provider, typeName, ignored string) *DrivenResource {
	t.Helper()
	d := &DrivenResource{driver: p.Driver(t), provider: p, typeName: typeName}
	switch ignored {
	case "":
	case Everything:
		d.ignored = []driver.RunOption{driver.IgnoreAllChanges()}
	default:
		d.ignored = []driver.RunOption{driver.IgnoreChanges(cty.GetAttrPath(ignored))}
	}
	if d.Instance, _ = d.driver.Resource(typeName); d.Instance != nil {
		d.Block = d.Instance.Schema().Block()
	}
	return d
}

// Take runs a step.
func (d *DrivenResource) Take(t *testing.T, s Step) (found []tfcheck.Finding, err error) {
	t.Helper()
	d.Run = &driver.Run{}
	switch s.StepKind {
	case Reading, Opening:
		read := d.driver.ReadDataSource
		if s.StepKind == Opening {
			read = d.driver.OpenEphemeral
		}
		run, err := read(t.Context(), d.typeName, s.Config)
		if s.StepKind == Reading { // an opened value is not stored
			d.Result = run.Result
		}
		return run.Findings, err
	case Applying, Replacing:
		d.Run, err = d.change(t, s)
	case Refreshing:
		d.Run, err = d.Instance.Refresh(t.Context())
	case Destroying, Removing:
		d.Run, err = d.Instance.Destroy(t.Context())
	case Importing, Adopting:
		id := Text(d.Instance.State(), "id")
		d.Instance = Resource(t, d.driver, d.typeName)
		d.Run, err = d.Instance.Import(t.Context(), id)
		if s.StepKind == Adopting && err == nil {
			d.Run, err = d.change(t, s)
			if d.Run.Lifecycle.InitialPlanned == cty.NilVal { // nothing is planned, so nothing is imported
				d.Instance = Resource(t, d.driver, d.typeName)
			}
		}
	case Vanishing:
		d.provider.Cloud.Forget(Text(d.Instance.State(), "id"))
	}
	return d.Run.Findings, err
}

// change applies the configuration of the step.
func (d *DrivenResource) change(t *testing.T, s Step) (*driver.Run, error) {
	change := d.Instance.Apply
	if s.StepKind == Replacing && !d.Instance.State().IsNull() {
		change = d.Instance.Replace
	}
	return change(t.Context(), s.Config, append(d.ignored, driver.Initially(s.initially()))...)
}

// Full returns a configuration for the providers' faulty resources with a value for each
// attribute and block, except for a change: an argument and its value.
func Full(typeName string, change ...any) map[string]any {
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
