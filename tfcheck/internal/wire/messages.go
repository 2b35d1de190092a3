//go:build !wasm

package wire

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	// These register the messages and services of the two protocols.
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// files has the services of the two protocols.
func files() *protoregistry.Files { return protoregistry.GlobalFiles }

func newMessage(descriptor protoreflect.MessageDescriptor) (proto.Message, error) {
	kind, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.FullName())
	if err != nil {
		return nil, fmt.Errorf("message %s is not known", descriptor.FullName())
	}
	return kind.New().Interface(), nil
}
