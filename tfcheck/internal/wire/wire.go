// Package wire carries the requests and responses of tfprotov5 and tfprotov6 to
// a provider and back, in the protobuf messages of the plugin protocol. Struct
// fields and message fields are matched by name, so one mechanism serves every
// message of both protocols.
package wire

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// The services of the plugin protocol.
const (
	Service5 protoreflect.FullName = "tfplugin5.Provider"
	Service6 protoreflect.FullName = "tfplugin6.Provider"
)

// named5 holds the methods of tfprotov5.ProviderServer that protocol 5 itself
// calls otherwise.
var named5 = map[string]protoreflect.Name{
	"ConfigureProvider": "Configure",
	"GetProviderSchema": "GetSchema",
	"StopProvider":      "Stop",
}

// Method returns the RPC that the method of a ProviderServer with the given name
// serves. The error says that the service, or the method in it, does not exist.
func Method(service protoreflect.FullName, name string) (protoreflect.MethodDescriptor, error) {
	found, err := files().FindDescriptorByName(service)
	if err != nil {
		return nil, fmt.Errorf("service %s is not known", service)
	}
	descriptor, ok := found.(protoreflect.ServiceDescriptor)
	if !ok {
		return nil, fmt.Errorf("%s is no service", service)
	}
	rpc := protoreflect.Name(name)
	if other, ok := named5[name]; ok && service == Service5 {
		rpc = other
	}
	method := descriptor.Methods().ByName(rpc)
	if method == nil {
		return nil, fmt.Errorf("service %s has no %s", service, rpc)
	}
	return method, nil
}

// Path returns the path of an RPC, as /tfplugin6.Provider/ReadResource.
func Path(method protoreflect.MethodDescriptor) string {
	return fmt.Sprintf("/%s/%s", method.Parent().FullName(), method.Name())
}

// UnmarshalRequest fills the zero struct that request points to with what is on the
// wire of a request of the method.
func UnmarshalRequest(method protoreflect.MethodDescriptor, encoded []byte, request any) error {
	return unmarshal(method.Input(), encoded, request)
}

// UnmarshalResponse does so for a response.
func UnmarshalResponse(method protoreflect.MethodDescriptor, encoded []byte, response any) error {
	return unmarshal(method.Output(), encoded, response)
}

func unmarshal(kind protoreflect.MessageDescriptor, encoded []byte, to any) error {
	message, err := newMessage(kind)
	if err != nil {
		return err
	}
	if err := proto.Unmarshal(encoded, message); err != nil {
		return err
	}
	return FromProto(message, to)
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

// ToProto fills the empty message with the fields of the struct that from points
// to. What is zero in the struct is left out of the message. The error says
// which field has no place in the message, and where; no value is in it.
func ToProto(from any, to proto.Message) (err error) {
	defer recovered(&err, from, to)
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
	defer recovered(&err, to, from)
	v := reflect.ValueOf(to)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return errors.New("not a pointer to a struct, or nil")
	}
	return fromMessage(from.ProtoReflect(), v.Elem())
}

// recovered turns a panic into an error. Reflection panics when a field of a
// struct has another type than its namesake, tftypes when a type is incomplete.
func recovered(err *error, structure any, message proto.Message) {
	if recover() != nil {
		*err = fmt.Errorf("%T does not fit %s", structure, message.ProtoReflect().Descriptor().FullName())
	}
}
