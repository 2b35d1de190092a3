package lifecycle_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck/driver"
)

// A timeLife is a lifecycle of one resource of the time provider.
type timeLife struct {
	typeName       string
	create, update map[string]any
	updated        objchange.Action
	replace        map[string]any
	importID       string
	afterImport    map[string]any // the configuration that matches the imported object
}

var timeLives = []timeLife{
	{
		typeName: "time_static",
		create:   map[string]any{"rfc3339": live.BaseTime},
		update:   map[string]any{"rfc3339": live.BaseTime}, updated: objchange.ActionNoOp, // all its arguments require replacement
		replace:  map[string]any{"rfc3339": "2025-01-01T00:00:00+02:00"},
		importID: live.BaseTime, afterImport: map[string]any{"rfc3339": live.BaseTime},
	},
	{
		typeName: "time_offset",
		create:   map[string]any{"base_rfc3339": live.BaseTime, "offset_years": 1},
		update:   map[string]any{"base_rfc3339": live.BaseTime, "offset_months": 2, "offset_days": 3, "offset_hours": -4}, updated: objchange.ActionUpdate,
		replace:  map[string]any{"base_rfc3339": live.BaseTime, "offset_years": 1, "triggers": map[string]any{"a": "b"}},
		importID: live.BaseTime + ",1,,,,,", afterImport: map[string]any{"base_rfc3339": live.BaseTime, "offset_years": 1},
	},
}

// TestReleasedProviderIsDriven runs resources of the released provider through a lifecycle, with the
// provider in a separate process. The expected findings are below.
func TestReleasedProviderIsDriven(t *testing.T) {
	d := timeDriver(t)
	for _, l := range timeLives {
		t.Run(l.typeName, func(t *testing.T) { l.live(t, d) })
	}
	t.Run("plans unknown as zero", func(t *testing.T) { plansUnknownAsZero(t, d) })
}

func (l timeLife) live(t *testing.T, d *driver.Driver) {
	i := live.Resource(t, d, l.typeName)
	must(t, objchange.ActionCreate)(i.Create(t.Context(), l.create, driver.Initially(unknown(l.create))))
	must(t, objchange.ActionNoOp)(i.Refresh(t.Context()))
	must(t, l.updated)(i.Update(t.Context(), l.update))
	must(t, objchange.ActionReplace)(i.Update(t.Context(), l.replace, driver.Initially(unknown(l.replace))))
	must(t, objchange.ActionReplace)(i.Replace(t.Context(), l.replace))
	must(t, objchange.ActionDelete)(i.Destroy(t.Context()))

	imported := live.Resource(t, d, l.typeName)
	must(t)(imported.Import(t.Context(), l.importID))
	// The import sets the triggers to an empty map. No configuration without triggers can match
	// it, and they require replacement.
	run := must(t, objchange.ActionReplace)(imported.Update(t.Context(), l.afterImport))
	if got := run.RequiresReplace; len(got) != 1 || objchange.PathString(got[0]) != ".triggers" {
		t.Errorf("%#v requires replacement", got)
	}
	must(t, objchange.ActionNoOp)(imported.Update(t.Context(), l.afterImport))
	must(t, objchange.ActionDelete)(imported.Destroy(t.Context()))
}

// plansUnknownAsZero checks an update with an unknown offset. The provider plans known values as if
// it were zero. The values change when it is known, and Terraform fails with an inconsistent final
// plan.
func plansUnknownAsZero(t *testing.T, d *driver.Driver) {
	i := live.Resource(t, d, "time_offset")
	must(t)(i.Create(t.Context(), map[string]any{"base_rfc3339": live.BaseTime, "offset_hours": 1}))
	after := map[string]any{"base_rfc3339": live.BaseTime, "offset_hours": 2}
	late := map[string]any{"base_rfc3339": live.BaseTime, "offset_hours": cty.DynamicVal}
	run, err := i.Update(t.Context(), after, driver.Initially(late))
	var broken *driver.BrokenError
	if !errors.As(err, &broken) || len(run.Findings) != 1 {
		t.Fatalf("the update ended with %v, %v", err, run.Findings)
	}
	var wrong []string
	for _, v := range broken.Finding.Violations {
		if v.Rule != objchange.RuleInconsistentValue || v.Phase != objchange.PhaseReplan {
			t.Errorf("found %v", v)
		}
		wrong = append(wrong, v.PathString())
	}
	if diff := cmp.Diff([]string{".hour", ".rfc3339", ".unix"}, wrong); diff != "" {
		t.Errorf("planned wrongly (-want +got):\n%s", diff)
	}
	must(t, objchange.ActionUpdate)(i.Update(t.Context(), after))
}

// unknown returns the configuration with unknown values.
func unknown(config map[string]any) map[string]any {
	late := map[string]any{}
	for name := range config {
		late[name] = cty.DynamicVal
	}
	return late
}

// timeDriver builds, launches and configures the released provider.
func timeDriver(t *testing.T) *driver.Driver {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "terraform-provider-time")
	live.BuildAs(t, live.TimeProvider, binary)
	plugin, err := driver.Launch(t.Context(), binary)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plugin.Close(); err != nil {
			t.Error(err)
		}
	})
	if got := plugin.Protocol(); got != 5 {
		t.Errorf("protocol %d", got)
	}
	d, err := plugin.Driver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Configure(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return d
}
