package wire

import (
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// servers are the interfaces whose methods the RPCs are.
var servers = map[protoreflect.FullName][]reflect.Type{
	Service5: {
		reflect.TypeFor[tfprotov5.ProviderServer](),
		reflect.TypeFor[tfprotov5.ListResourceServer](),
		reflect.TypeFor[tfprotov5.ActionServer](),
	},
	Service6: {
		reflect.TypeFor[tfprotov6.ProviderServer](),
		reflect.TypeFor[tfprotov6.ListResourceServer](),
		reflect.TypeFor[tfprotov6.ActionServer](),
		reflect.TypeFor[tfprotov6.StateStoreServer](),
	},
}

type rpc struct {
	service           protoreflect.FullName
	name              string
	method            protoreflect.MethodDescriptor
	request, response reflect.Type // structs
}

func (r rpc) String() string { return string(r.service) + "." + r.name }

// unary returns every RPC of both services that does not stream.
func unary(t testing.TB) (all []rpc) {
	t.Helper()
	for service, interfaces := range servers {
		for _, server := range interfaces {
			for i := range server.NumMethod() {
				m := server.Method(i)
				method, err := Method(service, m.Name)
				if err != nil {
					t.Fatal(err)
				}
				if !method.IsStreamingClient() && !method.IsStreamingServer() {
					all = append(all, rpc{service, m.Name, method, m.Type.In(1).Elem(), m.Type.Out(0).Elem()})
				}
			}
		}
	}
	return all
}

// Each RPC of the services is a method of a server, and the other way round.
func TestEveryRPC(t *testing.T) {
	known := map[protoreflect.FullName]bool{}
	for _, r := range unary(t) {
		known[r.method.FullName()] = true
	}
	for service := range servers {
		descriptor, err := protoregistry.GlobalFiles.FindDescriptorByName(service)
		if err != nil {
			t.Fatal(err)
		}
		methods := descriptor.(protoreflect.ServiceDescriptor).Methods()
		for i := range methods.Len() {
			method := methods.Get(i)
			streams := method.IsStreamingClient() || method.IsStreamingServer()
			if known[method.FullName()] == streams {
				t.Errorf("%s: known is %t, streams is %t", method.FullName(), !streams, streams)
			}
		}
	}
}
