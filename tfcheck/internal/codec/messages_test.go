package codec

import (
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// rpc is an RPC of tfprotov6.ProviderServer in one of the services.
type rpc struct {
	RPC
	name              string
	method            protoreflect.MethodDescriptor
	request, response reflect.Type // structs of tfprotov6
}

// all returns the RPCs of a service.
func all(t testing.TB, service string) (rpcs []rpc) {
	t.Helper()
	descriptor, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
	if err != nil {
		t.Fatal(err)
	}
	server := reflect.TypeFor[tfprotov6.ProviderServer]()
	for i := range server.NumMethod() {
		m := server.Method(i)
		name := m.Name
		if other, ok := named5[name]; ok && service == Service5 {
			name = other
		}
		method := descriptor.(protoreflect.ServiceDescriptor).Methods().ByName(protoreflect.Name(name))
		if method == nil {
			t.Fatalf("%s has no %s", service, name)
		}
		found, err := Find(service, m.Name)
		if err != nil {
			t.Fatal(err)
		}
		rpcs = append(rpcs, rpc{found, m.Name, method, m.Type.In(1).Elem(), m.Type.Out(0).Elem()})
	}
	return rpcs
}
