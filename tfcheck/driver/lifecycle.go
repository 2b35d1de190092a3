package driver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfcheck/internal/expect"
)

// Test6 returns a configured driver for a test. The factory with the name creates the server. The
// factories are the ProtoV6ProviderFactories of acceptance tests. config may be any data that
// Configure accepts, and nil for an empty provider block. The test ends at once if there is no such
// factory, or if creating or configuring the provider fails. The driver reports to the test with Fail,
// and not with the report of Factories6, unless an option sets another report.
func Test6(
	t testing.TB, factories map[string]func() (tfprotov6.ProviderServer, error), name string, config any, opts ...Option,
) *Driver {
	t.Helper()
	return test(t, New6, check.Factory(t, factories, name), config, opts)
}

// Test5 is like Test6, for ProtoV5ProviderFactories.
func Test5(
	t testing.TB, factories map[string]func() (tfprotov5.ProviderServer, error), name string, config any, opts ...Option,
) *Driver {
	t.Helper()
	return test(t, New5, check.Factory(t, factories, name), config, opts)
}

func test[S any](
	t testing.TB, drive func(context.Context, S, ...Option) (*Driver, error),
	factory func() (S, error), config any, opts []Option,
) *Driver {
	t.Helper()
	server, err := check.Create(factory)
	if err != nil {
		t.Fatalf("creating the provider: %v", err)
	}
	own := func(d *Driver) { d.report, d.ofTest = tfcheck.Fail(t), true }
	driver, err := drive(t.Context(), server, append([]Option{own}, opts...)...)
	if err == nil {
		err = driver.Configure(t.Context(), config)
	}
	if err != nil {
		t.Fatal(err)
	}
	return driver
}

// A Lifecycle is an Instance in a test. It has the methods of Instance without contexts and errors:
// they end the test at once if the method of Instance returns an error, and return the Lifecycle
// itself, for Expect. To test for an expected error, call the method of Instance.
//
// Create a Lifecycle with Driver.Lifecycle.
type Lifecycle struct {
	*Instance
	// Run is the run of the latest method.
	Run *Run

	t       testing.TB
	planned cty.Value // the planned object, if the latest method only planned
}

// Lifecycle returns an instance of the resource type, without an object, for the test. The test ends
// if the type does not exist. Findings fail the test as described at Fail, unless the driver reports
// elsewhere (ReportTo).
func (d *Driver) Lifecycle(t testing.TB, typeName string) *Lifecycle {
	t.Helper()
	instance, err := d.Resource(typeName)
	if err != nil {
		t.Fatal(err)
	}
	instance.reportTo = d.reportFor(t)
	return &Lifecycle{Instance: instance, Run: &Run{}, t: t}
}

// reportFor returns the driver's report. It returns a report for t instead if the driver only
// reports to the test that created it.
func (d *Driver) reportFor(t testing.TB) tfcheck.Report {
	if d.report == nil || d.ofTest {
		return tfcheck.Fail(t)
	}
	return d.report
}

// Data calls ReadDataSource for the test. It ends the test at once if ReadDataSource returns an
// error.
func (d *Driver) Data(t testing.TB, typeName string, config any) *DataRun {
	t.Helper()
	run, err := d.data(t.Context(), catalog.Data, typeName, config, d.reportFor(t))
	failOnError(t, typeName, err)
	return run
}

// Ephemeral calls OpenEphemeral for the test. It ends the test at once if OpenEphemeral returns an
// error.
func (d *Driver) Ephemeral(t testing.TB, typeName string, config any) *DataRun {
	t.Helper()
	run, err := d.data(t.Context(), catalog.Ephemeral, typeName, config, d.reportFor(t))
	failOnError(t, typeName, err)
	return run
}

// failOnError ends the test if there is an error.
func failOnError(t testing.TB, typeName string, err error) {
	t.Helper()
	if broken, is := err.(*BrokenError); is && broken.Reported && broken.Finding.Severity == objchange.Rejected {
		t.FailNow() // the finding was reported already
	}
	if errors.As(err, new(*ConfigError)) { // other errors name the type
		err = fmt.Errorf("%s: %w", typeName, err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Create calls Instance.Create.
func (l *Lifecycle) Create(config any, opts ...RunOption) *Lifecycle {
	l.t.Helper()
	return l.record(l.Instance.Create(l.t.Context(), config, opts...))
}

// Update calls Instance.Update.
func (l *Lifecycle) Update(config any, opts ...RunOption) *Lifecycle {
	l.t.Helper()
	return l.record(l.Instance.Update(l.t.Context(), config, opts...))
}

// Replace calls Instance.Replace.
func (l *Lifecycle) Replace(config any, opts ...RunOption) *Lifecycle {
	l.t.Helper()
	return l.record(l.Instance.Replace(l.t.Context(), config, opts...))
}

// Apply calls Instance.Apply.
func (l *Lifecycle) Apply(config any, opts ...RunOption) *Lifecycle {
	l.t.Helper()
	return l.record(l.Instance.Apply(l.t.Context(), config, opts...))
}

// Plan calls Instance.Plan. After it, Expect checks the planned object.
func (l *Lifecycle) Plan(config any, opts ...RunOption) *Lifecycle {
	l.t.Helper()
	l.record(l.Instance.Plan(l.t.Context(), config, opts...))
	l.planned = l.Run.Lifecycle.InitialPlanned
	return l
}

// Replan calls Instance.Replan. After it, Expect checks the object of the first plan.
func (l *Lifecycle) Replan(config any, opts ...RunOption) *Lifecycle {
	l.t.Helper()
	l.record(l.Instance.Replan(l.t.Context(), config, opts...))
	l.planned = l.Run.Lifecycle.InitialPlanned
	return l
}

// Refresh calls Instance.Refresh.
func (l *Lifecycle) Refresh() *Lifecycle {
	l.t.Helper()
	return l.record(l.Instance.Refresh(l.t.Context()))
}

// Upgrade calls Instance.Upgrade.
func (l *Lifecycle) Upgrade(version int64, state []byte, private []byte, opts ...StateOption) *Lifecycle {
	l.t.Helper()
	return l.record(l.Instance.Upgrade(l.t.Context(), version, state, private, opts...))
}

// UpgradeState calls Instance.UpgradeState.
func (l *Lifecycle) UpgradeState(version int64, state []byte, opts ...StateOption) *Lifecycle {
	l.t.Helper()
	return l.record(l.Instance.UpgradeState(l.t.Context(), version, state, opts...))
}

// MoveState calls Instance.MoveState.
func (l *Lifecycle) MoveState(source MoveSource) *Lifecycle {
	l.t.Helper()
	return l.record(l.Instance.MoveState(l.t.Context(), source))
}

// Import calls Instance.Import.
func (l *Lifecycle) Import(id string) *Lifecycle {
	l.t.Helper()
	return l.record(l.Instance.Import(l.t.Context(), id))
}

// ImportIdentity calls Instance.ImportIdentity.
func (l *Lifecycle) ImportIdentity(identity any) *Lifecycle {
	l.t.Helper()
	return l.record(l.Instance.ImportIdentity(l.t.Context(), identity))
}

// Destroy calls Instance.Destroy.
func (l *Lifecycle) Destroy() *Lifecycle {
	l.t.Helper()
	return l.record(l.Instance.Destroy(l.t.Context()))
}

// record stores the results of a method of Instance.
func (l *Lifecycle) record(run *Run, err error) *Lifecycle {
	l.t.Helper()
	l.Run, l.planned = run, cty.NilVal
	failOnError(l.t, l.typeName, err)
	return l
}

// Expect checks the action of the latest method (Run.Action) and the state. After Plan and
// Replan, it checks the planned object, which may contain unknown values. If they differ from the
// expected ones, the test fails but continues. An unknown value equals an unknown value:
// cty.DynamicVal, or one of terraform-plugin-framework.
//
//   - nil expects that there is no object.
//   - A map expects values at some paths, and ignores all others. Paths have the syntax of
//     messages and of tfjsonpath.Path of terraform-plugin-testing: disks[0].size or disks.0.size,
//     tags["env"] or tags.env. They do not lead into sets. The expected value is either a check
//     or a value. A check, such as knownvalue.NotNull() of terraform-plugin-testing, is anything
//     with the methods CheckValue(any) error and String() string. CheckValue receives the actual
//     value as Terraform writes it in JSON. A value is the whole value at the path, as any data
//     that ValueOf accepts. If the type in the schema is dynamic, the data is converted to the
//     type of the actual value, if possible.
//   - Anything else is the whole state, as any data that ValueOf accepts: the State of another
//     Lifecycle, or a model with tfsdk tags.
//
// The message lists the actual and the expected value for each path. It shows neither for paths
// that the schema marks as sensitive. A path that does not exist is shown as it was passed.
// Expect returns the Lifecycle itself.
func (l *Lifecycle) Expect(action objchange.Action, state any) *Lifecycle {
	l.t.Helper()
	if got := l.Run.Action; got != action {
		l.t.Errorf("%s: the action was %s, not %s%s", l.typeName, got, action, l.Run.why())
	}
	value := l.object.state
	if isSet(l.planned) {
		value = l.planned
	}
	expect.Check(l.t, l.typeName, l.schema.Compiled, value, state)
	return l
}

// why returns the paths that required replacement, or "" if no path did.
func (r *Run) why() string {
	var paths []string
	for _, path := range r.RequiresReplace {
		paths = append(paths, r.Lifecycle.Schema.PathString(path))
	}
	if len(paths) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s requires replacement)", strings.Join(paths, ", "))
}

// Expect checks the result, as described at Lifecycle.Expect. If the result differs, the test fails
// but continues.
func (r DataRun) Expect(t testing.TB, want any) {
	t.Helper()
	expect.Check(t, "the read object", r.schema, r.Result, want)
}
