package lifecycle_test

import (
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// Models like those of framework providers: structs with tfsdk tags and values of the framework,
// with all kinds of nesting.
type (
	serverModel struct {
		named
		*placed
		ignored `tfsdk:"-"`
		ID      types.String          `tfsdk:"id"`
		Image   types.String          `tfsdk:"image"`
		Secret  *string               `tfsdk:"secret"`
		Network *networkModel         `tfsdk:"network"`
		Disks   []diskModel           `tfsdk:"disks"`
		Mounts  map[string]mountModel `tfsdk:"mounts"`
		Ports   types.Set             `tfsdk:"ports"`
		Client  *driver.Driver        `tfsdk:"-"`
	}
	named struct {
		Name types.String `tfsdk:"name"`
	}
	placed struct {
		Region string `tfsdk:"region"`
	}
	ignored struct {
		No string `tfsdk:"no"`
	}
	networkModel struct {
		CIDR    types.String `tfsdk:"cidr"`
		Public  types.Bool   `tfsdk:"public"`
		Gateway types.String `tfsdk:"gateway"`
	}
	diskModel struct {
		Size   int64        `tfsdk:"size"`
		Device types.String `tfsdk:"device"`
	}
	mountModel struct {
		Path     string     `tfsdk:"path"`
		Readonly types.Bool `tfsdk:"readonly"`
	}
)

// portType is the type of an element of a server's ports.
var portType = map[string]attr.Type{"number": types.NumberType, "protocol": types.StringType, "rule_id": types.StringType}

func port(number int64) attr.Value {
	return types.ObjectValueMust(portType, map[string]attr.Value{
		"number": types.NumberValue(big.NewFloat(float64(number))), "protocol": types.StringNull(), "rule_id": types.StringNull(),
	})
}

func modelOfServer() serverModel {
	password := "hunter2"
	return serverModel{
		named: named{types.StringValue("web")}, placed: &placed{"north"}, ignored: ignored{"x"}, Secret: &password,
		Network: &networkModel{CIDR: types.StringValue("10.0.0.0/8")},
		Disks:   []diskModel{{Size: 1}},
		Mounts:  map[string]mountModel{"root": {Path: "/"}, "data": {Path: "/d", Readonly: types.BoolValue(true)}},
		Ports:   types.SetValueMust(types.ObjectType{AttrTypes: portType}, []attr.Value{port(80), port(443)}),
	}
}

// TestModels checks that the model of a resource can be a configuration and an expectation.
func TestModels(t *testing.T) {
	cloud := live.DriverOf(t, live.Framework, driver.ReportTo(tfcheck.Fail(t)))
	web := cloud.Lifecycle(t, "fw_server")
	model := modelOfServer()
	web.Create(&model).Expect("create", map[string]any{"network.cidr": "10.0.0.0/8", "ports": web.State().GetAttr("ports")})
	web.Update(serverConfig("north", 1, 80, 443)).Expect("no-op", web.State())
}

func TestValuesOfModels(t *testing.T) {
	schema := live.Resource(t, live.DriverOf(t, live.Framework), "fw_server").Schema().Block()
	bare := map[string]any{"name": "web", "region": "north"}
	late := map[string]any{"name": cty.DynamicVal, "region": "north", "ports": cty.DynamicVal}
	for name, test := range map[string]struct {
		model serverModel
		want  map[string]any
	}{
		"all":     {modelOfServer(), serverConfig("north", 1, 80, 443)},
		"zero":    {serverModel{named: named{types.StringValue("web")}, placed: &placed{"north"}}, bare},
		"unknown": {serverModel{named: named{types.StringUnknown()}, placed: &placed{"north"}, Ports: types.SetUnknown(types.ObjectType{AttrTypes: portType})}, late},
		"nil":     {serverModel{named: named{types.StringValue("web")}}, map[string]any{"name": "web"}},
	} {
		want, err := driver.ValueOf(schema, test.want)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := driver.ValueOf(schema, test.model); err != nil || !got.RawEquals(want) {
			t.Errorf("%s: got\n%#v, %v\nwant\n%#v", name, got, err, want)
		}
	}
}

// TestErrorsOfModels checks that errors about a model contain the path.
func TestErrorsOfModels(t *testing.T) {
	schema := live.Resource(t, live.DriverOf(t, live.Framework), "fw_server").Schema().Block()
	for name, test := range map[string]struct {
		model any
		want  string
	}{
		"misspelt": {struct {
			N string `tfsdk:"nmae"`
		}{}, `.nmae: no such attribute or block; did you mean "name"?`},
		"nested": {struct {
			N []struct {
				S string `tfsdk:"sise"`
			} `tfsdk:"disks"`
		}{N: make([]struct {
			S string `tfsdk:"sise"`
		}, 2)}, `.disks[0].sise: no such attribute or block; did you mean "size"?` + "\n" + `.disks[1].sise: no such attribute or block; did you mean "size"?`},
		"another kind": {struct {
			N types.List `tfsdk:"name"`
		}{types.ListValueMust(types.StringType, nil)}, ".name: must be a string, not a list of string"},
		"without a tag": {struct {
			N networkless `tfsdk:"network"`
		}{}, ".network.CIDR: no such attribute or block"},
		"not exported": {struct {
			n string `tfsdk:"name"`
			R string `tfsdk:"region"`
		}{}, `the value: the field n has the tag "name", but is not exported`},
		"twice": {struct {
			A string `tfsdk:"name"`
			B string `tfsdk:"name"`
		}{"a", "b"}, `the value: the fields A and B both have the tag "name"`},
		"data": {struct {
			N func() `tfsdk:"name"`
		}{func() {}}, ".name: a func() is not supported"},
	} {
		_, err := driver.ValueOf(schema, test.model)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got error\n%v\nwant\n%s", name, err, test.want)
		}
	}
}

type networkless struct{ CIDR string }
