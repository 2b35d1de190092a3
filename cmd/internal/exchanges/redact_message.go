package exchanges

import (
	"errors"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/objchange/objchange/tfconv"
)

// A messageRedactor redacts the messages of one RPC. It drops all fields that it does not know.
type messageRedactor struct {
	pseudonyms    pseudonyms
	provider      *redactedProvider
	rpc, typeName string
}

// These are the names of the protocol's messages and fields.
const (
	dynamicMessage   = "DynamicValue"
	identityMessage  = "ResourceIdentityData"
	importedMessage  = "ImportedResource"
	pathMessage      = "AttributePath"
	metaField        = "provider_meta"
	diagnosticsField = "diagnostics"
	severityField    = "severity"
	importIDField    = "id"
)

// keptTexts are the string fields that do not contain values.
var keptTexts = map[protoreflect.Name]bool{
	"type_name": true, "target_type_name": true, "source_type_name": true, "source_provider_address": true,
}

// keptMessages are the messages that contain only fields handled here.
var keptMessages = map[protoreflect.Name]bool{
	"ClientCapabilities": true, "Deferred": true, importedMessage: true, identityMessage: true,
}

func (m *messageRedactor) all(kind protoreflect.MessageDescriptor, messages [][]byte) ([][]byte, error) {
	redacted := make([][]byte, len(messages))
	for i, raw := range messages {
		message, err := parse(kind, raw)
		if err != nil {
			return nil, err
		}
		if err := m.message(message, m.typeName); err != nil {
			return nil, err
		}
		redacted[i] = encode(message)
	}
	return redacted, nil
}

// message redacts a message about the type in place.
func (m *messageRedactor) message(message protoreflect.Message, typeName string) (err error) {
	message.SetUnknown(nil)
	if message.Descriptor().Name() == importedMessage {
		typeName = message.Get(message.Descriptor().Fields().ByName("type_name")).String()
	}
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		err = m.field(message, field, value, typeName)
		return err == nil
	})
	return err
}

// field redacts a field that is present.
func (m *messageRedactor) field(in protoreflect.Message, field protoreflect.FieldDescriptor, value protoreflect.Value, typeName string) error {
	if field.Message() == nil || field.IsMap() {
		m.scalar(in, field, value)
		return nil
	}
	name := field.Message().Name()
	switch {
	case field.Name() == diagnosticsField && field.IsList():
		keepSeverity(value.List())
	case name == pathMessage && field.IsList():
		return m.paths(value.List(), typeName)
	case name == dynamicMessage && field.Name() != metaField && !field.IsList():
		return m.value(value.Message(), in.Descriptor().Name() == identityMessage, typeName)
	case !keptMessages[name]:
		in.Clear(field)
	case field.IsList():
		for i := range value.List().Len() {
			if err := m.message(value.List().Get(i).Message(), typeName); err != nil {
				return err
			}
		}
	default:
		return m.message(value.Message(), typeName)
	}
	return nil
}

// scalar keeps numbers and names of types. It replaces import IDs with pseudonyms, and drops all
// other strings and all bytes.
func (m *messageRedactor) scalar(in protoreflect.Message, field protoreflect.FieldDescriptor, value protoreflect.Value) {
	switch {
	case field.IsMap() || field.IsList():
		in.Clear(field)
	case field.Kind() == protoreflect.BytesKind:
		in.Clear(field)
	case field.Kind() == protoreflect.StringKind && field.Name() == importIDField:
		in.Set(field, protoreflect.ValueOfString(m.pseudonyms.text(value.String())))
	case field.Kind() == protoreflect.StringKind && !keptTexts[field.Name()]:
		in.Clear(field)
	}
}

// keepSeverity drops everything but the severity of each diagnostic.
func keepSeverity(diagnostics protoreflect.List) {
	for i := range diagnostics.Len() {
		d := diagnostics.Get(i).Message()
		d.SetUnknown(nil)
		d.Range(func(field protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
			if field.Name() != severityField {
				d.Clear(field)
			}
			return true
		})
	}
}

var errNoSchema = errors.New("the schema is missing")

func (m *messageRedactor) shape(identity bool, typeName string) (*shape, error) {
	object, identified, err := m.provider.shapeOf(m.rpc, typeName)
	if identity {
		object = identified
	}
	if err == nil && object == nil {
		err = errNoSchema
	}
	return object, err
}

// value redacts a value. Its fields are the same in both protocols.
func (m *messageRedactor) value(message protoreflect.Message, identity bool, typeName string) error {
	message.SetUnknown(nil)
	fields := message.Descriptor().Fields()
	msgpack, asJSON := fields.ByName("msgpack"), fields.ByName("json")
	encoded := &tfprotov6.DynamicValue{MsgPack: message.Get(msgpack).Bytes(), JSON: message.Get(asJSON).Bytes()}
	if len(encoded.MsgPack) == 0 && len(encoded.JSON) == 0 {
		return nil
	}
	shape, err := m.shape(identity, typeName)
	if err != nil {
		return err
	}
	redacted, err := m.pseudonyms.of(shape).encoded(encoded, shape.ty)
	if err != nil {
		return err
	}
	message.Clear(asJSON)
	message.Set(msgpack, protoreflect.ValueOfBytes(redacted))
	return nil
}

// encoded returns the redacted value in MessagePack.
func (n namedPseudonyms) encoded(value *tfprotov6.DynamicValue, ty cty.Type) ([]byte, error) {
	v, err := tfconv.Decode6(value, ty)
	if err != nil {
		return nil, err
	}
	redacted, err := tfconv.Encode6(n.value(v), ty)
	if err != nil {
		return nil, err
	}
	return redacted.MsgPack, nil
}

// paths redacts the keys in paths into an object.
func (m *messageRedactor) paths(paths protoreflect.List, typeName string) error {
	if paths.Len() == 0 {
		return nil
	}
	shape, err := m.shape(false, typeName)
	if err != nil {
		return err
	}
	names := m.pseudonyms.of(shape)
	for i := range paths.Len() {
		path := paths.Get(i).Message()
		path.SetUnknown(nil)
		path.Range(func(_ protoreflect.FieldDescriptor, steps protoreflect.Value) bool {
			for j := range steps.List().Len() {
				names.step(steps.List().Get(j).Message())
			}
			return true
		})
	}
	return nil
}

// step redacts the key in a step. An index stays.
func (n namedPseudonyms) step(step protoreflect.Message) {
	step.SetUnknown(nil)
	step.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch field.Name() {
		case "attribute_name":
			step.Set(field, protoreflect.ValueOfString(n.name(value.String())))
		case "element_key_string":
			step.Set(field, protoreflect.ValueOfString(n.text(value.String())))
		case "element_key_int":
			if value.Int() > maxIndex || value.Int() < 0 { // may be the hash of an element
				step.Set(field, protoreflect.ValueOfInt64(n.number(new(big.Float).SetInt64(value.Int()))))
			}
		default:
			step.Clear(field)
		}
		return true
	})
}

// maxIndex is the greatest number that counts as an index.
const maxIndex = 1 << 16
