package wire

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"pgregory.net/rapid"
)

func message(t testing.TB, name protoreflect.FullName) proto.Message {
	t.Helper()
	kind, err := protoregistry.GlobalTypes.FindMessageByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return kind.New().Interface()
}

// Every request and response comes back as it was sent.
func TestRoundTrip(t *testing.T) {
	for _, r := range unary(t) {
		for typ, name := range map[reflect.Type]protoreflect.FullName{
			r.request:  r.method.Input().FullName(),
			r.response: r.method.Output().FullName(),
		} {
			t.Run(string(name), rapid.MakeCheck(func(rt *rapid.T) {
				sent := generated(rt, reflect.PointerTo(typ), 6)
				there := message(t, name)
				if err := ToProto(sent.Interface(), there); err != nil {
					rt.Fatal(err)
				}
				raw, err := proto.Marshal(there)
				if err != nil {
					rt.Fatal(err)
				}
				back := message(t, name)
				if err := proto.Unmarshal(raw, back); err != nil {
					rt.Fatal(err)
				}
				got := reflect.New(typ)
				if err := FromProto(back, got.Interface()); err != nil {
					rt.Fatal(err)
				}
				if diff := cmp.Diff(sent.Interface(), got.Interface()); diff != "" {
					rt.Fatal(diff)
				}
			}))
		}
	}
}

func TestToProtoErrors(t *testing.T) {
	var none *tfprotov6.ReadResourceRequest
	secret := "secret\xff"
	set := tftypes.NewAttributePath().WithAttributeName("a").WithElementKeyValue(tftypes.NewValue(tftypes.String, secret))
	for name, tc := range map[string]struct {
		from any
		to   protoreflect.FullName
		want string
	}{
		"nil":            {nil, "tfplugin6.ReadResource.Request", "not a pointer to a struct, or nil"},
		"nil pointer":    {none, "tfplugin6.ReadResource.Request", "not a pointer to a struct, or nil"},
		"no pointer":     {tfprotov6.ReadResourceRequest{}, "tfplugin6.ReadResource.Request", "not a pointer to a struct, or nil"},
		"no struct":      {&secret, "tfplugin6.ReadResource.Request", "not a pointer to a struct, or nil"},
		"string":         {&tfprotov6.ReadResourceRequest{TypeName: secret}, "tfplugin6.ReadResource.Request", "TypeName: is not valid UTF-8"},
		"string element": {&tfprotov6.GetStatesResponse{StateIDs: []string{"", secret}}, "tfplugin6.GetStates.Response", "StateIDs[1]: is not valid UTF-8"},
		"map key": {
			&tfprotov5.UpgradeResourceStateRequest{RawState: &tfprotov5.RawState{Flatmap: map[string]string{secret: ""}}},
			"tfplugin5.UpgradeResourceState.Request", "RawState.Flatmap: a key is not valid UTF-8",
		},
		"map value": {
			&tfprotov5.UpgradeResourceStateRequest{RawState: &tfprotov5.RawState{Flatmap: map[string]string{"a": secret}}},
			"tfplugin5.UpgradeResourceState.Request", `RawState.Flatmap["a"]: is not valid UTF-8`,
		},
		"nil element": {
			&tfprotov6.CallFunctionRequest{Arguments: []*tfprotov6.DynamicValue{{}, nil}},
			"tfplugin6.CallFunction.Request", "Arguments[1]: is nil",
		},
		"nil path": {
			&tfprotov6.PlanResourceChangeResponse{RequiresReplace: []*tftypes.AttributePath{nil}},
			"tfplugin6.PlanResourceChange.Response", "RequiresReplace[0]: is nil",
		},
		"path into a set": {
			&tfprotov6.PlanResourceChangeResponse{RequiresReplace: []*tftypes.AttributePath{set}},
			"tfplugin6.PlanResourceChange.Response", "RequiresReplace[0].steps[1]: the protocol has no paths into sets",
		},
		"attribute name": {
			&tfprotov6.Diagnostic{Attribute: tftypes.NewAttributePath().WithAttributeName(secret)},
			"tfplugin6.Diagnostic", "Attribute.steps[0]: is not valid UTF-8",
		},
		"map index": {
			&tfprotov6.Diagnostic{Attribute: tftypes.NewAttributePath().WithElementKeyString(secret)},
			"tfplugin6.Diagnostic", "Attribute.steps[0]: is not valid UTF-8",
		},
		"no such field": {
			&tfprotov6.ValidateProviderConfigResponse{PreparedConfig: &tfprotov6.DynamicValue{}},
			"tfplugin6.ValidateProviderConfig.Response", "PreparedConfig: the protocol has no such field",
		},
		"time": {
			&tfprotov6.RenewEphemeralResourceResponse{RenewAt: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
			"tfplugin6.RenewEphemeralResource.Response", "RenewAt: is not between the years 1 and 9999",
		},
		"incomplete type": {
			&tfprotov6.FunctionReturn{Type: tftypes.List{}},
			"tfplugin6.Function.Return", "*tfprotov6.FunctionReturn does not fit tfplugin6.Function.Return",
		},
		"other type": {
			&struct{ TypeName bool }{true},
			"tfplugin6.ReadResource.Request", "TypeName: is not valid UTF-8",
		},
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, ToProto(tc.from, message(t, tc.to)), tc.want)
		})
	}
}

func TestFromProtoErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		from protoreflect.FullName
		raw  []byte // of the message
		to   any
		want string
	}{
		"nil":        {"tfplugin6.Diagnostic", nil, nil, "not a pointer to a struct, or nil"},
		"no pointer": {"tfplugin6.Diagnostic", nil, tfprotov6.Diagnostic{}, "not a pointer to a struct, or nil"},
		"no step": {
			"tfplugin6.Diagnostic", []byte{4<<3 | 2, 2, 1<<3 | 2, 0}, &tfprotov6.Diagnostic{},
			"Attribute.steps[0]: selects nothing",
		},
		"type": {
			"tfplugin6.Function.Return", []byte("\x0a\x08\"secret\""), &tfprotov6.FunctionReturn{},
			"Type: is not the JSON of a type",
		},
		"type of nothing": {
			"tfplugin6.Function.Return", []byte("\x0a\x04null"), &tfprotov6.FunctionReturn{},
			"Type: is not the JSON of a type",
		},
		"time": {
			"tfplugin6.RenewEphemeralResource.Response", []byte("\x12\x0b\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), &tfprotov6.RenewEphemeralResourceResponse{},
			"RenewAt: is not a valid timestamp",
		},
		"other type": {
			"tfplugin6.ReadDataSource.Request", []byte("\x0a\x06secret"), &struct{ TypeName bool }{},
			"*struct { TypeName bool } does not fit tfplugin6.ReadDataSource.Request",
		},
	} {
		t.Run(name, func(t *testing.T) {
			from := message(t, tc.from)
			if err := proto.Unmarshal(tc.raw, from); err != nil {
				t.Fatal(err)
			}
			wantError(t, FromProto(from, tc.to), tc.want)
		})
	}
}

func TestMethodErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		service protoreflect.FullName
		method  string
		want    string
	}{
		"service": {"tfplugin4.Provider", "ReadResource", "service tfplugin4.Provider is not known"},
		"message": {"tfplugin6.Diagnostic", "ReadResource", "tfplugin6.Diagnostic is no service"},
		"method":  {Service6, "Configure", "service tfplugin6.Provider has no Configure"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Method(tc.service, tc.method)
			wantError(t, err, tc.want)
		})
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", want)
	}
	if got := err.Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
