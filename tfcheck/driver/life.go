package driver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/expect"
)

// Test6 returns a driver for a test, of the server that the factory makes:
// an element of what acceptance tests call ProtoV6ProviderFactories. It is
// configured, with what Configure takes. The test ends at once if that fails, and
// the driver reports to it, with Fail unless an option says otherwise.
func Test6(t testing.TB, factory func() (tfprotov6.ProviderServer, error), config any, opts ...Option) *Driver {
	t.Helper()
	return test(t, New6, factory, config, opts)
}

// Test5 is Test6 for an element of ProtoV5ProviderFactories.
func Test5(t testing.TB, factory func() (tfprotov5.ProviderServer, error), config any, opts ...Option) *Driver {
	t.Helper()
	return test(t, New5, factory, config, opts)
}

func test[S any](t testing.TB, drive func(context.Context, S, ...Option) (*Driver, error), factory func() (S, error), config any, opts []Option) *Driver {
	t.Helper()
	if factory == nil {
		t.Fatal("there is no such factory of a provider")
	}
	server, err := factory()
	if err != nil {
		t.Fatalf("making the provider: %v", err)
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

// A Life is an Instance in a test. Its methods are those of Instance without what
// a test does not care for: they end the test at once where those return an error,
// and return the Life itself, for Expect. For an error that is to come, ask the
// Instance.
//
// Driver.Life makes one. Of one that is nil or zero, as it is left by a test that did
// not run, the methods panic and say so, for they have no test to end.
type Life struct {
	*Instance
	// Run is what the latest method did and found.
	Run *Run

	t       testing.TB
	planned cty.Value // what the latest method planned and did not apply
}

// Life returns an instance of the resource type, one that does not exist yet, for
// the test. The test ends if there is no such type, or the driver is nil or zero. What
// is found fails it as Fail says, unless the driver reports elsewhere (ReportTo).
func (d *Driver) Life(t testing.TB, typeName string) *Life {
	t.Helper()
	d.mustBe(t)
	instance, err := d.Resource(typeName)
	if err != nil {
		t.Fatal(err)
	}
	instance.reportTo = d.reportFor(t)
	return &Life{Instance: instance, Run: &Run{}, t: t}
}

// test returns the test that the Life is in.
func (l *Life) test() testing.TB {
	if l == nil || l.t == nil {
		panic("driver: this Life is nil or zero: Driver.Life makes one, and perhaps the test that calls it did not run")
	}
	return l.t
}

// mustBe ends the test if there is no driver.
func (d *Driver) mustBe(t testing.TB) {
	t.Helper()
	if d == nil || d.catalog == nil {
		t.Fatal("this Driver is nil or zero: driver.Test6 and driver.Test5 make one, and perhaps the test that calls them did not run")
	}
}

// reportFor returns the driver's report, unless that is only the one of the test that
// made the driver, in place of which another test has its own.
func (d *Driver) reportFor(t testing.TB) tfcheck.Report {
	if d.report == nil || d.ofTest {
		return tfcheck.Fail(t)
	}
	return d.report
}

// Data is ReadDataSource for the test, which ends at once where that returns an error,
// or the driver is nil or zero.
func (d *Driver) Data(t testing.TB, typeName string, config any) *DataRun {
	t.Helper()
	d.mustBe(t)
	run, err := d.data(t.Context(), catalog.Data, typeName, config, d.reportFor(t))
	endAt(t, typeName, err)
	return run
}

// Ephemeral is OpenEphemeral for the test, which ends at once where that returns an
// error, or the driver is nil or zero.
func (d *Driver) Ephemeral(t testing.TB, typeName string, config any) *DataRun {
	t.Helper()
	d.mustBe(t)
	run, err := d.data(t.Context(), catalog.Ephemeral, typeName, config, d.reportFor(t))
	endAt(t, typeName, err)
	return run
}

// endAt ends the test at an error.
func endAt(t testing.TB, typeName string, err error) {
	t.Helper()
	if broken, is := err.(*BrokenError); is && broken.Reported && broken.Finding.Severity == tfcheck.Rejected {
		t.FailNow() // for what it was told
	}
	if err != nil && !strings.Contains(err.Error(), typeName) {
		err = fmt.Errorf("%s: %w", typeName, err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Create is Instance.Create.
func (l *Life) Create(config any, opts ...RunOption) *Life {
	l.test().Helper()
	return l.lived(l.Instance.Create(l.t.Context(), config, opts...))
}

// Update is Instance.Update.
func (l *Life) Update(config any, opts ...RunOption) *Life {
	l.test().Helper()
	return l.lived(l.Instance.Update(l.t.Context(), config, opts...))
}

// Replace is Instance.Replace.
func (l *Life) Replace(config any, opts ...RunOption) *Life {
	l.test().Helper()
	return l.lived(l.Instance.Replace(l.t.Context(), config, opts...))
}

// Apply is Instance.Apply.
func (l *Life) Apply(config any, opts ...RunOption) *Life {
	l.test().Helper()
	return l.lived(l.Instance.Apply(l.t.Context(), config, opts...))
}

// Plan is Instance.Plan. After it, Expect looks at the planned object.
func (l *Life) Plan(config any, opts ...RunOption) *Life {
	l.test().Helper()
	l.lived(l.Instance.Plan(l.t.Context(), config, opts...))
	l.planned = l.Run.Lifecycle.InitialPlanned
	return l
}

// Replan is Instance.Replan. After it, Expect looks at the object of the first plan.
func (l *Life) Replan(config any, opts ...RunOption) *Life {
	l.test().Helper()
	l.lived(l.Instance.Replan(l.t.Context(), config, opts...))
	l.planned = l.Run.Lifecycle.InitialPlanned
	return l
}

// Refresh is Instance.Refresh.
func (l *Life) Refresh() *Life {
	l.test().Helper()
	return l.lived(l.Instance.Refresh(l.t.Context()))
}

// Upgrade is Instance.Upgrade.
func (l *Life) Upgrade(version int64, state []byte, private []byte) *Life {
	l.test().Helper()
	return l.lived(l.Instance.Upgrade(l.t.Context(), version, state, private))
}

// UpgradeState is Instance.UpgradeState.
func (l *Life) UpgradeState(version int64, state []byte) *Life {
	l.test().Helper()
	return l.lived(l.Instance.UpgradeState(l.t.Context(), version, state))
}

// MoveState is Instance.MoveState.
func (l *Life) MoveState(source MoveSource) *Life {
	l.test().Helper()
	return l.lived(l.Instance.MoveState(l.t.Context(), source))
}

// Import is Instance.Import.
func (l *Life) Import(id string) *Life {
	l.test().Helper()
	return l.lived(l.Instance.Import(l.t.Context(), id))
}

// ImportIdentity is Instance.ImportIdentity.
func (l *Life) ImportIdentity(identity any) *Life {
	l.test().Helper()
	return l.lived(l.Instance.ImportIdentity(l.t.Context(), identity))
}

// Destroy is Instance.Destroy.
func (l *Life) Destroy() *Life {
	l.test().Helper()
	return l.lived(l.Instance.Destroy(l.t.Context()))
}

// lived takes what a method of the Instance returned.
func (l *Life) lived(run *Run, err error) *Life {
	l.test().Helper()
	l.Run, l.planned = run, cty.NilVal
	endAt(l.t, l.typeName, err)
	return l
}

// Expect fails the test, which goes on, unless the latest method did that with the
// object, as in Run.Action, and the state is now the one that is wanted; after Plan,
// the planned object, in which some may be unknown. What is unknown equals an unknown
// value: cty.DynamicVal, or one of terraform-plugin-framework.
//
//   - nil wants that there is no object.
//   - A map has what is wanted at some paths, and leaves the rest alone. Paths are
//     written as messages and tfjsonpath.Path of terraform-plugin-testing write
//     them: disks[0].size or disks.0.size, tags["env"] or tags.env. They do not
//     lead into sets. What is wanted there is either a check, such as
//     knownvalue.NotNull() of terraform-plugin-testing: anything with its methods
//     CheckValue(any) error, which is given the value as Terraform writes it in
//     JSON, and String() string. Or it is the whole value there, which is what
//     ValueOf takes; where the schema leaves the type open, it is taken for the
//     type of what is there, if it can be that.
//   - Anything else is the whole state, and is what ValueOf takes: the State of
//     another Life, or a model with tfsdk tags.
//
// The message names each place with what is there and what was wanted, and shows
// nothing that is sensitive in the schema: neither what is there, nor what was wanted.
// A path that leads nowhere is told as it was given. Expect returns the Life itself.
func (l *Life) Expect(action objchange.Action, state any) *Life {
	l.test().Helper()
	if got := l.Run.Action; !slices.Contains(actions, action) {
		l.t.Errorf("%s: the action was %s, and %q is none: there are %q", l.typeName, got, action, actions)
	} else if got != action {
		l.t.Errorf("%s: the action was %s, not %s%s", l.typeName, got, action, l.Run.why())
	}
	value := l.state
	if there(l.planned) {
		value = l.planned
	}
	expect.Check(l.t, l.typeName, l.schema.Compiled, value, state)
	return l
}

var actions = []objchange.Action{
	objchange.ActionNoOp, objchange.ActionCreate, objchange.ActionUpdate, objchange.ActionReplace, objchange.ActionDelete,
}

// why tells what required replacement, if anything.
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

// Expect fails the test, which goes on, unless what was read is what is wanted:
// see Life.Expect.
func (r DataRun) Expect(t testing.TB, want any) {
	t.Helper()
	expect.Check(t, "what was read", r.schema, r.Result, want)
}
