package tfcheck_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/driver"
)

func remove(opts ...driver.RunOption) step {
	return func(_ *fake, i *driver.Instance) (*driver.Run, error) { return i.Remove(ctx, opts...) }
}

// removeRuns are runs that remove or only plan an object.
var removeRuns = []run{
	{does: "a removed object is read after the plan to destroy it", fake: on(), steps: []step{create(small), remove()},
		took: "Upgrade Plan Read Upgrade Apply", did: objchange.ActionDelete, asked: []string{"nothing kept"}},
	{does: "Terraform 1.17 reads a removed object before the plan to destroy it", fake: on(), opts: with1(driver.TerraformVersion("1.17.0")), steps: []step{create(small), remove()},
		took: "Upgrade Read Plan Upgrade Apply", did: objchange.ActionDelete, asked: []string{"nothing kept"}},
	{does: "a removed object is not read without a refresh", fake: on(fail[read]), steps: []step{fails(create(small)), remove(nil, driver.WithoutRefresh())},
		took: "Upgrade Plan Upgrade Apply", did: objchange.ActionDelete, asked: []string{"nothing kept"}},
	{does: "a removal of an object that does not exist", fake: on(), steps: []step{remove()}, did: objchange.ActionNoOp},
	{does: "a plan for an unknown configuration", fake: on(), steps: []step{planning(later)}, took: "Validate Plan", did: objchange.ActionCreate, asked: []string{"config name=a, size=unknown"}},
	{does: "an apply for an unknown configuration", fake: on(), steps: []step{create(later)}, fails: "see Initially"},
}

// TestAnotherDriverContinues checks that another driver can continue with the object of an instance.
func TestAnotherDriverContinues(t *testing.T) {
	f := on()
	_, first := drive(t, f)
	if _, exists, err := first.Saved(); exists || err != nil {
		t.Errorf("without an object: Saved returned exists %v, error %v", exists, err)
	}
	must(first.Create(ctx, small))
	saved, exists, err := first.Saved()
	want := driver.StateObject{
		Attributes: json.RawMessage(`{"id":"i-1","name":"a","password":null,"rule":[],"size":1,"token":null}`), Private: []byte("pa"), Identity: json.RawMessage(`{"id":"i-1"}`),
		SchemaVersion: saved.SchemaVersion, IdentityVersion: saved.IdentityVersion,
	}
	if diff := cmp.Diff(want, saved); diff != "" || !exists || err != nil {
		t.Errorf("%v, %v\n%s", exists, err, diff)
	}
	other, _ := drive(t, f)
	second, err := other.Continue(first)
	if err != nil {
		t.Fatal(err)
	}
	if again, _, _ := second.Saved(); !cmp.Equal(saved, again) {
		t.Errorf("the second instance continued with %v", again)
	}
	if run, err := second.Update(ctx, large); err != nil || run.Action != objchange.ActionUpdate {
		t.Errorf("%v, %v", run, err)
	}
}

// TestOnApplyIsCalledAfterEachApply checks that the function of OnApply is called after each
// ApplyResourceChange, with or without a response, before the run continues.
func TestOnApplyIsCalledAfterEachApply(t *testing.T) {
	var states []string
	f := on()
	_, i := drive(t, f, driver.OnApply(func(i *driver.Instance) {
		state := "none"
		if !i.State().IsNull() {
			state = i.State().GetAttr("size").AsBigFloat().String()
		}
		states = append(states, state)
	}))
	must(i.Create(ctx, small))
	must(i.Replace(ctx, large))
	f.edits = []any{fail[apply]}
	_, _ = i.Destroy(ctx)
	f.edits = nil
	must(i.Destroy(ctx))
	if diff := cmp.Diff([]string{"1", "none", "2", "2", "none"}, states); diff != "" {
		t.Error(diff)
	}
}
