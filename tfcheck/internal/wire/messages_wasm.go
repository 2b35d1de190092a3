package wire

import (
	_ "embed"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// described are the names and numbers of the protocols, which elsewhere come with the
// servers of terraform-plugin-go, and these with gRPC and net/http.
//
//go:embed messages.binpb
var described []byte

// files has the services of the two protocols, with the RPCs that are judged.
var files = sync.OnceValue(func() *protoregistry.Files {
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(described, set); err != nil {
		panic(err) // the file is part of the program
	}
	found, err := protodesc.NewFiles(set)
	if err != nil {
		panic(err)
	}
	return found
})

func newMessage(descriptor protoreflect.MessageDescriptor) (proto.Message, error) {
	return dynamicpb.NewMessage(descriptor), nil
}
