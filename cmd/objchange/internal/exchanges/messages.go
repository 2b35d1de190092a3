//go:build !wasm

package exchanges

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// methodOf returns what is known of an RPC by its path, nil if it is none of the
// protocol's.
func methodOf(path string) protoreflect.MethodDescriptor {
	service, method, ok := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if !ok || service != "tfplugin5.Provider" && service != "tfplugin6.Provider" {
		return nil
	}
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
	if err != nil {
		return nil
	}
	described, ok := found.(protoreflect.ServiceDescriptor)
	if !ok {
		return nil
	}
	return described.Methods().ByName(protoreflect.Name(method))
}

// typeFields are what the protocol calls the type that a request is about.
var typeFields = []protoreflect.Name{"type_name", "target_type_name", "action_type"}

// TypeOf returns the type that a request is about, by the path of the RPC, or "".
func TypeOf(path string, request []byte) string {
	method := methodOf(path)
	if method == nil {
		return ""
	}
	for _, name := range typeFields {
		if field := method.Input().Fields().ByName(name); field != nil && field.Kind() == protoreflect.StringKind {
			return textOf(request, field.Number())
		}
	}
	return ""
}

// textOf returns the string that a message has in a field, without a look at others.
func textOf(message []byte, number protowire.Number) (text string) {
	for len(message) > 0 {
		num, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return ""
		}
		value := protowire.ConsumeFieldValue(num, kind, message[n:])
		if value < 0 {
			return ""
		}
		if num == number && kind == protowire.BytesType {
			content, _ := protowire.ConsumeBytes(message[n:])
			text = strings.ToValidUTF8(string(content), "\uFFFD")
		}
		message = message[n+value:]
	}
	return text
}

// A digest stands for a message.
type digest [sha256.Size]byte

// digestOf returns the digest of a message, the same for one with the same fields in
// another order: those of maps have none.
func digestOf(message []byte) digest {
	var fields []digest
	for len(message) > 0 {
		n := fieldSize(message)
		fields = append(fields, sha256.Sum256(message[:n]))
		message = message[n:]
	}
	slices.SortFunc(fields, func(a, b digest) int { return cmp.Compare(string(a[:]), string(b[:])) })
	all := sha256.New()
	for _, f := range fields {
		all.Write(f[:])
	}
	return digest(all.Sum(nil))
}

// fieldSize returns how long the first field of a message is: all, if it is none.
func fieldSize(message []byte) int {
	if _, _, n := protowire.ConsumeField(message); n >= 0 {
		return n
	}
	return len(message)
}
