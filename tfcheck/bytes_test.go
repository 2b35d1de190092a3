package tfcheck_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck"
)

// A string is any bytes, in Core and in cty; some real providers return such.

const latin = "caf\xe9"

func TestStringsOfAnyBytes(t *testing.T) {
	mapped := cty.MapVal(map[string]cty.Value{latin: cty.StringVal(latin)})
	free := cty.ObjectVal(map[string]cty.Value{"x": cty.SetVal([]cty.Value{cty.StringVal(latin)})})
	for name, test := range map[string]struct {
		value cty.Value
		ty    cty.Type
	}{
		"a string":          {cty.StringVal(latin), cty.String},
		"a key":             {mapped, mapped.Type()},
		"in a dynamic type": {free, cty.DynamicPseudoType},
	} {
		t.Run(name, func(t *testing.T) {
			encoded6, encoded5 := must(tfcheck.Encode6(test.value, test.ty)), must(tfcheck.Encode5(test.value, test.ty))
			for protocol, got := range map[string]cty.Value{
				"6": must(tfcheck.Decode6(encoded6, test.ty)), "5": must(tfcheck.Decode5(encoded5, test.ty)),
				"tftypes": must(tfcheck.ValueToCty(must(tfcheck.ValueFromCty(test.value)), test.ty)),
			} {
				if !got.RawEquals(test.value) {
					t.Errorf("%s: got %#v, want %#v", protocol, got, test.value)
				}
			}
		})
	}
	if got := value(obj{"name": latin}).GetAttr("name"); got.AsString() != latin {
		t.Errorf("of plain data: %#v", got)
	}
	path := tftypes.NewAttributePath().WithElementKeyValue(tftypes.NewValue(tftypes.String, latin))
	if got := must(tfcheck.PathToCty(path)); !got.Equals(cty.IndexPath(cty.StringVal(latin))) {
		t.Errorf("path %#v", got)
	}
	proposed, err := tfcheck.ProposedNew6(thing, tftypes.NewValue(thing.ValueType(), nil), must(tfcheck.ValueFromCty(value(obj{"name": latin}))))
	if err != nil || !proposed.Equal(must(tfcheck.ValueFromCty(value(obj{"name": latin})))) {
		t.Errorf("proposed %s, %v", proposed, err)
	}
	// JSON has no such strings: like Core's, its reader makes U+FFFD of them.
	if got := must(tfcheck.Decode6(&tfprotov6.DynamicValue{JSON: []byte("\"" + latin + "\"")}, cty.String)); got.AsString() != "caf\ufffd" {
		t.Errorf("of JSON: %#v", got)
	}
}

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
