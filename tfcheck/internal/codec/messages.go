// Package codec encodes and decodes the requests and responses of tfprotov6 as protobuf messages of
// the plugin protocol, and calls providers with them. It matches the fields of structs and of
// generated messages by name, so the same code handles all messages. The messages of protocol 5
// have the same fields, and are handled like messages of protocol 6.
package codec

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	// These packages register the messages of both protocols.
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// The services of the plugin protocol.
const (
	Service5 = "tfplugin5.Provider"
	Service6 = "tfplugin6.Provider"
)

// Service returns the service of protocol 5, or the service of protocol 6 for all other versions.
func Service(protocol int) string {
	if protocol == 5 {
		return Service5
	}
	return Service6
}

// named5 lists the methods of tfprotov6.ProviderServer that have another name in protocol 5.
var named5 = map[string]string{
	"ConfigureProvider":          "Configure",
	"GetProviderSchema":          "GetSchema",
	"StopProvider":               "Stop",
	"ValidateProviderConfig":     "PrepareProviderConfig",
	"ValidateResourceConfig":     "ValidateResourceTypeConfig",
	"ValidateDataResourceConfig": "ValidateDataSourceConfig",
}

// An RPC is an RPC of the plugin protocol.
type RPC struct {
	Path              string // such as /tfplugin6.Provider/ReadResource
	Request, Response Message
}

// A Message is the type of a request or a response.
type Message struct{ kind protoreflect.MessageType }

// Path returns the path of the RPC for the method of tfprotov6.ProviderServer with the name.
func Path(service, name string) string {
	if other, ok := named5[name]; ok && service == Service5 {
		name = other
	}
	return "/" + service + "/" + name
}

// Name returns the name of the method of tfprotov6.ProviderServer for the path of an RPC, or "" if
// the RPC belongs to another service.
func Name(service, path string) string {
	name, ok := strings.CutPrefix(path, "/"+service+"/")
	if !ok {
		return ""
	}
	for ours := range named5 {
		if path == Path(service, ours) {
			return ours
		}
	}
	return name
}

// Find returns the RPC of the service for the method of tfprotov6.ProviderServer with the name.
// The error says that the RPC does not exist.
func Find(service, name string) (RPC, error) {
	path := Path(service, name)
	full := protoreflect.FullName(strings.ReplaceAll(path[1:], "/", "."))
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(full)
	method, ok := found.(protoreflect.MethodDescriptor)
	if err != nil || !ok {
		return RPC{}, fmt.Errorf("%s is not known", path)
	}
	request, err := protoregistry.GlobalTypes.FindMessageByName(method.Input().FullName())
	response, errResponse := protoregistry.GlobalTypes.FindMessageByName(method.Output().FullName())
	return RPC{path, Message{request}, Message{response}}, errors.Join(err, errResponse)
}

// Marshal returns the message for the struct of tfprotov6 that from points to. It omits zero fields.
// The error contains the path of the field that cannot be encoded, and no values.
func (m Message) Marshal(from any) (_ []byte, err error) {
	defer recovered(&err, from, m.kind)
	message := m.kind.New().Interface()
	if err := wire.Copy(reflect.ValueOf(from).Elem(), reflect.ValueOf(message).Elem(), encode); err != nil {
		return nil, err
	}
	encoded, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil { // the only error of a message without required fields
		err = errors.New("a string is not valid UTF-8")
	}
	return encoded, err
}

// Unmarshal decodes a message into the zero struct of tfprotov6 that to points to. It ignores fields
// that only the message or only the struct has. If newer is not nil, it records unknown fields there.
// The error contains no values.
func (m Message) Unmarshal(encoded []byte, to any, newer *wire.Newer) (err error) {
	defer recovered(&err, to, m.kind)
	message := m.kind.New().Interface()
	if proto.Unmarshal(encoded, message) != nil { // its error may contain values
		return errors.New("it is not a protobuf message")
	}
	d := decoder{newer: newer}
	return wire.Copy(reflect.ValueOf(message).Elem(), reflect.ValueOf(to).Elem(), d.decode)
}

// recovered converts a panic to an error. Reflection panics if the structure is nil or not a pointer to
// a struct, or if a struct field and a message field with the same name have different types. tftypes
// panics if a type is incomplete.
func recovered(err *error, structure any, kind protoreflect.MessageType) {
	if recover() != nil {
		*err = fmt.Errorf("%T does not fit %s", structure, kind.Descriptor().FullName())
	}
}
