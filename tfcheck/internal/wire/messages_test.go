package wire

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

var update = flag.Bool("update", false, "write messages.txt anew")

// read are the RPCs whose messages are read from bytes: those that tfcheck judges, which
// fails for others, and those that have schemas.
var read = []protoreflect.Name{
	"GetSchema", "GetProviderSchema", "GetResourceIdentitySchemas", "UpgradeResourceState", "MoveResourceState",
	"ImportResourceState", "ReadResource", "PlanResourceChange", "ApplyResourceChange", "ReadDataSource", "OpenEphemeralResource",
}

// The table of messages is what terraform-plugin-go registers.
func TestMessages(t *testing.T) {
	const name = "messages.txt"
	var b strings.Builder
	for _, service := range []protoreflect.FullName{Service5, Service6} {
		found, err := protoregistry.GlobalFiles.FindDescriptorByName(service)
		if err != nil {
			t.Fatal(err)
		}
		var all []protoreflect.MessageDescriptor
		methods := found.(protoreflect.ServiceDescriptor).Methods()
		for i := range methods.Len() {
			if m := methods.Get(i); slices.Contains(read, m.Name()) {
				fmt.Fprintf(&b, "rpc /%s/%s %s %s\n", service, m.Name(), m.Input().FullName(), m.Output().FullName())
				all = needed(needed(all, m.Input()), m.Output())
			}
		}
		for _, m := range all {
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

// needed adds a message, and all that it is made of.
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
