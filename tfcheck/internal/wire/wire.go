//go:build !wasm

package wire

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	// These register the messages and services of the two protocols.
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// Method returns the RPC that the method of a ProviderServer with the given name
// serves. The error says that the service, or the method in it, does not exist.
func Method(service protoreflect.FullName, name string) (protoreflect.MethodDescriptor, error) {
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(service)
	if err != nil {
		return nil, fmt.Errorf("service %s is not known", service)
	}
	descriptor, ok := found.(protoreflect.ServiceDescriptor)
	if !ok {
		return nil, fmt.Errorf("%s is no service", service)
	}
	rpc := protoreflect.Name(name)
	if other, ok := named5[name]; ok && service == Service5 {
		rpc = protoreflect.Name(other)
	}
	method := descriptor.Methods().ByName(rpc)
	if method == nil {
		return nil, fmt.Errorf("service %s has no %s", service, rpc)
	}
	return method, nil
}

// Append returns what is on the wire of a response of the named method with the fields
// of the struct that more points to after it: where they repeat, there are more, and
// all else is as it was.
func Append(service protoreflect.FullName, name string, encoded []byte, more any) ([]byte, error) {
	method, err := Method(service, name)
	if err != nil {
		return nil, err
	}
	out, err := newMessage(method.Output())
	if err != nil {
		return nil, err
	}
	if err := ToProto(more, out); err != nil {
		return nil, err
	}
	return proto.MarshalOptions{}.MarshalAppend(slices.Clip(encoded), out)
}

func newMessage(descriptor protoreflect.MessageDescriptor) (proto.Message, error) {
	kind, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.FullName())
	if err != nil {
		return nil, fmt.Errorf("message %s is not known", descriptor.FullName())
	}
	return kind.New().Interface(), nil
}

// ToProto fills the empty message with the fields of the struct that from points
// to. What is zero in the struct is left out of the message. The error says
// which field has no place in the message, and where; no value is in it.
func ToProto(from any, to proto.Message) (err error) {
	defer recovered(&err, from, to.ProtoReflect().Descriptor().FullName())
	v := reflect.ValueOf(from)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return errors.New("not a pointer to a struct, or nil")
	}
	return toMessage(v.Elem(), to.ProtoReflect())
}

// FromProto fills the zero struct that to points to with the fields of the
// message. Fields that the struct has not are left out. The error says which
// field of the message makes no sense, and where; no value is in it.
func FromProto(from proto.Message, to any) (err error) {
	defer recovered(&err, to, from.ProtoReflect().Descriptor().FullName())
	v := reflect.ValueOf(to)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return errors.New("not a pointer to a struct, or nil")
	}
	return fromMessage(from.ProtoReflect(), v.Elem())
}
