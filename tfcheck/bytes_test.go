package tfcheck_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
)

// A string is any bytes, in Core and in cty; some real providers return such.
const latin = "caf\xe9"

// No finding is about such a string, and those about others show it escaped.
func TestFindingsOfAnyBytes(t *testing.T) {
	d, _ := drive(t, &fake{data: func(r *tfprotov6.ReadDataSourceResponse) {
		r.State = with(r.State, map[string]cty.Value{"id": text(latin)})
	}})
	run, err := d.ReadDataSource(ctx, "test_thing", obj{"name": latin})
	if err != nil || len(run.Findings) > 0 || run.Result.GetAttr("id").AsString() != latin {
		t.Errorf("%v, %v", err, run)
	}

	_, thing := drive(t, &fake{apply: func(_ applyReq, r applyResp) {
		r.NewState = with(r.NewState, map[string]cty.Value{"name": text(latin)})
	}})
	run2, err := thing.Create(ctx, obj{"name": "caf\xe8"})
	if err == nil || !strings.Contains(err.Error(), `was planned to be "caf\xe8" and is "caf\xe9"`) {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"ApplyResourceChange response .name inconsistent-value"}, brief(run2.Findings)); diff != "" {
		t.Error(diff)
	}
}
