package wire

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

var update = flag.Bool("update", false, "write messages.txt anew")

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
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
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
		method := found.(protoreflect.ServiceDescriptor).Methods().ByName(protoreflect.Name(name))
		if method == nil {
			t.Fatalf("%s has no %s", service, name)
		}
		path := "/" + service + "/" + name
		in, out := method.Input().FullName(), method.Output().FullName()
		rpcs = append(rpcs, rpc{RPC{path, string(in), string(out)}, m.Name, method, m.Type.In(1).Elem(), m.Type.Out(0).Elem()})
	}
	return rpcs
}

// TestMessages checks that the table of messages matches the messages that terraform-plugin-go
// registers.
func TestMessages(t *testing.T) {
	const name = "messages.txt"
	var b strings.Builder
	for _, service := range []string{Service5, Service6} {
		var messages []protoreflect.MessageDescriptor
		for _, r := range all(t, service) {
			fmt.Fprintf(&b, "rpc %s %s %s\n", r.Path, r.RPC.request, r.RPC.response)
			messages = needed(needed(messages, r.method.Input()), r.method.Output())
		}
		for _, m := range messages {
			if service == Service5 || m.ParentFile().Package() != "google.protobuf" { // once
				describeMessage(t, &b, m)
			}
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(b.String(), messagesText); diff != "" {
		t.Errorf("%s is not what terraform-plugin-go has: go test -run Messages -update . writes it (-want +got):\n%s", name, diff)
	}
}

// needed adds a message and all messages that it contains.
func needed(all []protoreflect.MessageDescriptor, m protoreflect.MessageDescriptor) []protoreflect.MessageDescriptor {
	if m.IsMapEntry() {
		if value := m.Fields().ByNumber(2).Message(); value != nil {
			return needed(all, value)
		}
		return all
	}
	if slices.Contains(all, m) {
		return all
	}
	all = append(all, m)
	for i := range m.Fields().Len() {
		if inner := m.Fields().Get(i).Message(); inner != nil {
			all = needed(all, inner)
		}
	}
	return all
}

func describeMessage(t *testing.T, b *strings.Builder, m protoreflect.MessageDescriptor) {
	t.Helper()
	fmt.Fprintf(b, "message %s\n", m.FullName())
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		kind, more := kindOf(t, f), ""
		switch {
		case f.IsMap() && f.MapKey().Kind() != protoreflect.StringKind, f.IsList() && f.IsPacked():
			t.Fatalf("%s cannot be read", f.FullName())
		case f.IsMap():
			kind, more = kindOf(t, f.MapValue()), " map"
		case f.IsList():
			more = " repeated"
		case f.HasPresence() && f.Message() == nil:
			more = " optional"
		}
		fmt.Fprintf(b, "\t%d %s %s%s\n", f.Number(), f.Name(), kind, more)
	}
}

func kindOf(t *testing.T, f protoreflect.FieldDescriptor) string {
	t.Helper()
	switch f.Kind() {
	case protoreflect.MessageKind:
		return string(f.Message().FullName())
	case protoreflect.BoolKind, protoreflect.Int32Kind, protoreflect.Int64Kind, protoreflect.EnumKind, protoreflect.BytesKind, protoreflect.StringKind:
		return f.Kind().String()
	}
	t.Fatalf("%s of kind %s cannot be read", f.FullName(), f.Kind())
	return ""
}
