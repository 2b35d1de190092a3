package wire_test

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/wire"
)

var update = flag.Bool("update", false, "write messages.binpb anew")

// What WebAssembly has of the protocols is what terraform-plugin-go registers: the RPCs
// that are judged or have schemas, and all that their messages are made of.
func TestMessages(t *testing.T) {
	const name = "messages.binpb"
	want := &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{
		protodesc.ToFileDescriptorProto(timestamppb.File_google_protobuf_timestamp_proto),
	}}
	strip(want.File[0])
	for _, service := range []protoreflect.FullName{wire.Service5, wire.Service6} {
		want.File = append(want.File, judged(t, service))
	}
	if *update {
		text, err := proto.MarshalOptions{Deterministic: true}.Marshal(want)
		if err == nil {
			err = os.WriteFile(name, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(text, got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("%s is not what terraform-plugin-go has: go test -run Messages -update . writes it (-want +got):\n%s", name, diff)
	}
	files, err := protodesc.NewFiles(got)
	if err != nil {
		t.Fatal(err)
	}
	if files.NumFiles() != 3 {
		t.Errorf("%d files", files.NumFiles())
	}
}

// judged returns what is registered of a service, without what only others need.
func judged(t *testing.T, service protoreflect.FullName) *descriptorpb.FileDescriptorProto {
	t.Helper()
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(service)
	if err != nil {
		t.Fatal(err)
	}
	methods := found.(protoreflect.ServiceDescriptor).Methods()
	needed, rpcs := map[string]bool{}, map[string]bool{}
	for i := range methods.Len() {
		m := methods.Get(i)
		schemas := slices.Contains([]protoreflect.Name{"GetSchema", "GetProviderSchema", "GetResourceIdentitySchemas"}, m.Name())
		if schemas || tfcheck.Judged(string(m.Name())) {
			rpcs[string(m.Name())] = true
			need(m.Input(), needed)
			need(m.Output(), needed)
		}
	}
	file := protodesc.ToFileDescriptorProto(found.ParentFile())
	strip(file)
	file.Service = slices.DeleteFunc(file.Service, func(s *descriptorpb.ServiceDescriptorProto) bool { return s.GetName() != string(service.Name()) })
	of := file.Service[0]
	of.Method = slices.DeleteFunc(of.Method, func(m *descriptorpb.MethodDescriptorProto) bool { return !rpcs[m.GetName()] })
	file.MessageType = pruned(file.GetPackage(), file.MessageType, needed)
	return file
}

// need notes a message, and all that it is made of.
func need(m protoreflect.MessageDescriptor, needed map[string]bool) {
	if needed[string(m.FullName())] {
		return
	}
	needed[string(m.FullName())] = true
	for i := range m.Fields().Len() {
		if inner := m.Fields().Get(i).Message(); inner != nil {
			need(inner, needed)
		}
	}
}

// pruned returns those messages that are needed, or have such inside.
func pruned(scope string, all []*descriptorpb.DescriptorProto, needed map[string]bool) (kept []*descriptorpb.DescriptorProto) {
	for _, m := range all {
		name := scope + "." + m.GetName()
		m.NestedType = pruned(name, m.NestedType, needed)
		if !needed[name] {
			m.Field, m.OneofDecl = nil, nil
		}
		if needed[name] || len(m.NestedType) > 0 {
			kept = append(kept, m)
		}
	}
	return kept
}

// strip removes what does not matter on the wire.
func strip(file *descriptorpb.FileDescriptorProto) {
	file.Options = nil
	for _, s := range file.Service {
		for _, m := range s.Method {
			m.Options = nil
		}
	}
	var stripAll func([]*descriptorpb.DescriptorProto)
	stripAll = func(all []*descriptorpb.DescriptorProto) {
		for _, m := range all {
			m.ReservedName, m.ReservedRange = nil, nil
			for _, f := range m.Field {
				f.JsonName, f.Options = nil, nil
			}
			stripAll(m.NestedType)
		}
	}
	stripAll(file.MessageType)
}
