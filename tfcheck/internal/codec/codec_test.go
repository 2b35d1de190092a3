package codec

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// TestDecodingReturnsTheEncoded checks that decoding the encoding of each request and response
// returns the original, and that decoding arbitrary bytes does not panic.
func TestDecodingReturnsTheEncoded(t *testing.T) {
	for _, r := range append(all(t, Service5), all(t, Service6)...) {
		for message, structure := range map[Message]reflect.Type{r.RPC.Request: r.request, r.RPC.Response: r.response} {
			name := string(message.kind.Descriptor().FullName())
			t.Run(name, rapid.MakeCheck(func(rt *rapid.T) {
				value := generated(rt, structure, 6)
				clear5(value, strings.HasPrefix(name, "tfplugin5"))
				sent := value.Addr().Interface()
				encoded, err := message.Marshal(sent)
				if err != nil {
					rt.Fatal(err)
				}
				got := reflect.New(structure).Interface()
				if err := message.Unmarshal(encoded, got, nil); err != nil {
					rt.Fatal(err)
				}
				if diff := cmp.Diff(sent, got); diff != "" {
					rt.Fatal(diff)
				}
				if len(encoded) > 0 {
					encoded[rapid.IntRange(0, len(encoded)-1).Draw(rt, "at")] = rapid.Byte().Draw(rt, "byte")
					_ = message.Unmarshal(encoded, reflect.New(structure).Interface(), nil)
				}
			}))
		}
	}
}

// clear5 clears the fields that the protocol does not have.
func clear5(v reflect.Value, five bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			clear5(v.Elem(), five)
		}
	case reflect.Slice:
		for i := range v.Len() {
			clear5(v.Index(i), five)
		}
	case reflect.Map:
		for _, element := range v.Seq2() {
			clear5(element, five)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Name() + "." + v.Type().Field(i).Name
			if only5, known := missing[name]; known && only5 == !five {
				v.Field(i).SetZero()
			} else if v.Type() != timeType && v.Type().Field(i).IsExported() {
				clear5(v.Field(i), five)
			}
		}
	}
}

// missing lists the struct fields that one protocol does not have: protocol 6 if the value is
// true, else protocol 5.
var missing = map[string]bool{
	"ValidateProviderConfigResponse.PreparedConfig": true,
	"SchemaAttribute.NestedType":                    false,
	"GetMetadataResponse.StateStores":               false,
	"GetProviderSchemaResponse.StateStoreSchemas":   false,
}

// TestEachFieldHasAStructField checks that each field of each message has a struct field.
// TestDecodingReturnsTheEncoded fails for a struct field without a field of the message.
func TestEachFieldHasAStructField(t *testing.T) {
	for _, r := range append(all(t, Service5), all(t, Service6)...) {
		seen := map[reflect.Type]bool{}
		compare(t, r.request, reflect.TypeOf(r.RPC.Request.kind.New().Interface()), seen)
		compare(t, r.response, reflect.TypeOf(r.RPC.Response.kind.New().Interface()), seen)
	}
}

func compare(t *testing.T, structure, message reflect.Type, seen map[reflect.Type]bool) {
	structure, message = inner(structure), inner(message)
	if structure == inner(pathType) || structure == timeType {
		return
	}
	if message.Kind() != reflect.Struct || structure.Kind() != reflect.Struct || seen[message] {
		return
	}
	seen[message] = true
	ours, theirs := wire.FieldsOf(structure), wire.FieldsOf(message)
	for name, at := range theirs {
		if i, ok := ours[name]; ok {
			compare(t, structure.Field(i).Type, message.Field(at).Type, seen)
		} else if !(structure.Name() == "SchemaObject" && strings.HasSuffix(name, "items")) && !strings.HasSuffix(structure.Name(), "ClientCapabilities") {
			// The items are never used, and each RPC has a separate struct for the client's capabilities.
			t.Errorf("%s has no %s", structure.Name(), name)
		}
	}
}

// inner returns the type of the elements of pointers, slices and maps.
func inner(typ reflect.Type) reflect.Type {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
		typ = typ.Elem()
	}
	return typ
}

// TestClientMethodsCallTheirRPC checks that each method of a client calls the RPC with its name.
func TestClientMethodsCallTheirRPC(t *testing.T) {
	for _, service := range []string{Service5, Service6} {
		var called naming
		server := reflect.ValueOf(NewClient(service, called.call))
		for _, r := range all(t, service) {
			server.MethodByName(r.name).Call([]reflect.Value{reflect.ValueOf(t.Context()), reflect.New(r.request)})
			if string(called) != r.Path {
				t.Errorf("%s calls %s", r.name, called)
			}
		}
	}
}

type naming string

func (n *naming) call(_ context.Context, path string, _ []byte) ([]byte, error) {
	*n = naming(path)
	return nil, nil
}

func TestMarshalErrors(t *testing.T) {
	var none *tfprotov6.ReadResourceRequest
	secret := "secret\xff"
	set := tftypes.NewAttributePath().WithAttributeName("a").WithElementKeyValue(tftypes.NewValue(tftypes.String, secret))
	for name, tc := range map[string]struct {
		from any
		to   string
		want string
	}{
		"nil":         {nil, "tfplugin6.ReadResource.Request", "<nil> does not fit tfplugin6.ReadResource.Request"},
		"nil pointer": {none, "tfplugin6.ReadResource.Request", "*tfprotov6.ReadResourceRequest does not fit tfplugin6.ReadResource.Request"},
		"no struct":   {&secret, "tfplugin6.ReadResource.Request", "*string does not fit tfplugin6.ReadResource.Request"},
		"string":      {&tfprotov6.ReadResourceRequest{TypeName: secret}, "tfplugin6.ReadResource.Request", "a string is not valid UTF-8"},
		"map key": {
			&tfprotov6.UpgradeResourceStateRequest{RawState: &tfprotov6.RawState{Flatmap: map[string]string{secret: ""}}},
			"tfplugin6.UpgradeResourceState.Request", "a string is not valid UTF-8",
		},
		"nil element": {
			&tfprotov6.CallFunctionRequest{Arguments: []*tfprotov6.DynamicValue{{}, nil}},
			"tfplugin6.CallFunction.Request", "Arguments: [1]: is nil",
		},
		"path into a set": {
			&tfprotov6.PlanResourceChangeResponse{RequiresReplace: []*tftypes.AttributePath{set}},
			"tfplugin6.PlanResourceChange.Response", "RequiresReplace: [0]: steps[1]: the protocol has no paths into sets",
		},
		"incomplete type": {
			&tfprotov6.GetFunctionsResponse{Functions: map[string]*tfprotov6.Function{"f": {Return: &tfprotov6.FunctionReturn{Type: tftypes.List{}}}}},
			"tfplugin6.GetFunctions.Response", "*tfprotov6.GetFunctionsResponse does not fit tfplugin6.GetFunctions.Response",
		},
		"other type": {
			&struct{ TypeName bool }{true},
			"tfplugin6.ReadResource.Request", "*struct { TypeName bool } does not fit tfplugin6.ReadResource.Request",
		},
	} {
		t.Run(name, func(t *testing.T) {
			kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(tc.to))
			if err != nil {
				t.Fatal(err)
			}
			_, err = Message{kind}.Marshal(tc.from)
			wantError(t, err, tc.want)
		})
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}
