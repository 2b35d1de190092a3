package exchanges

import (
	"strings"

	_ "github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server" // registers the messages of protocol 5
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server" // registers the messages of protocol 6
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// methodOf returns the descriptor of the RPC with the path, or nil if it is not an RPC of the
// protocol.
func methodOf(path string) protoreflect.MethodDescriptor {
	service, method, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if service != "tfplugin5.Provider" && service != "tfplugin6.Provider" {
		return nil
	}
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service + "." + method))
	if described, ok := found.(protoreflect.MethodDescriptor); err == nil && ok {
		return described
	}
	return nil
}

// typeFields are the names of the field with the type of a request.
var typeFields = []protoreflect.Name{"type_name", "target_type_name", "action_type"}

// TypeName returns the type that the request is about, or "".
func (x RPC) TypeName() string {
	method := methodOf(x.Method)
	if method == nil {
		return ""
	}
	for _, name := range typeFields {
		field := method.Input().Fields().ByName(name)
		if field == nil || field.Kind() != protoreflect.StringKind {
			continue
		}
		if message, err := parse(method.Input(), x.Request()); err == nil {
			return message.Get(field).String()
		}
	}
	return ""
}

// Config returns the encoded configuration in the request, or nil.
func (x RPC) Config() []byte {
	method := methodOf(x.Method)
	if method == nil {
		return nil
	}
	field := method.Input().Fields().ByName("config")
	message, err := parse(method.Input(), x.Request())
	if err != nil || field == nil || field.Message() == nil {
		return nil
	}
	return encode(message.Get(field).Message())
}

// parse decodes a message of the given kind.
func parse(kind protoreflect.MessageDescriptor, raw []byte) (protoreflect.Message, error) {
	known, err := protoregistry.GlobalTypes.FindMessageByName(kind.FullName())
	if err != nil {
		return nil, err
	}
	message := known.New()
	return message, proto.Unmarshal(raw, message.Interface())
}

// encode returns the bytes of a message that was decoded before.
func encode(message protoreflect.Message) []byte {
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(message.Interface())
	if err != nil || raw == nil {
		return []byte{}
	}
	return raw
}
