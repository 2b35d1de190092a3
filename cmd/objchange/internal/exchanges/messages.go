//go:build !wasm

package exchanges

import (
	"crypto/sha256"
	"strings"

	_ "github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server" // registers the messages of protocol 5
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server" // registers the messages of protocol 6
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// methodOf returns what is known of an RPC by its path, nil if it is none of the
// protocol's.
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

// typeFields are the names of the field with the type that a request is about.
var typeFields = []protoreflect.Name{"type_name", "target_type_name", "action_type"}

// TypeOf returns the type that a request is about, by the path of the RPC, or "".
func TypeOf(path string, request []byte) string {
	method := methodOf(path)
	if method == nil {
		return ""
	}
	for _, name := range typeFields {
		field := method.Input().Fields().ByName(name)
		if field == nil || field.Kind() != protoreflect.StringKind {
			continue
		}
		if message, err := parse(method.Input(), request); err == nil {
			return message.Get(field).String()
		}
	}
	return ""
}

// parse returns the message of a kind that the bytes are.
func parse(kind protoreflect.MessageDescriptor, raw []byte) (protoreflect.Message, error) {
	known, err := protoregistry.GlobalTypes.FindMessageByName(kind.FullName())
	if err != nil {
		return nil, err
	}
	message := known.New()
	return message, proto.Unmarshal(raw, message.Interface())
}

// encode returns the bytes of a message that has come as bytes.
func encode(message protoreflect.Message) []byte {
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(message.Interface())
	if err != nil || raw == nil {
		return []byte{}
	}
	return raw
}

// A digest stands for a response.
type digest [sha256.Size]byte

// digestOf returns the digest of a response. Equal messages have equal digests, whatever
// the order of their fields: the entries of protobuf's maps have none.
func digestOf(path string, response []byte) digest {
	if method := methodOf(path); method != nil {
		if message, err := parse(method.Output(), response); err == nil {
			response = encode(message)
		}
	}
	return sha256.Sum256(response)
}
