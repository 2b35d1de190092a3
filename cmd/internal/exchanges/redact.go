package exchanges

import (
	"context"
	"errors"
	"math/big"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
	"github.com/objchange/objchange/tfconv"
)

// A Redactor keeps only schemas and shapes of the recorded messages. Use NewRedactor to create one
// for each recording. It is safe for concurrent use.
type Redactor struct {
	pseudonyms pseudonyms

	mu        sync.Mutex
	providers map[string]*redactedProvider
	redactors map[*configschema.Block]*valueRedactor
}

// A redactedProvider is a provider with what decodes its schemas.
type redactedProvider struct {
	encoded  *encoded.Checker
	provider Provider
}

// NewRedactor returns a redactor with its own pseudonyms.
func NewRedactor() *Redactor {
	return &Redactor{
		pseudonyms: newPseudonyms(),
		providers:  map[string]*redactedProvider{}, redactors: map[*configschema.Block]*valueRedactor{},
	}
}

// Provider returns the redacted provider: its schemas without the text of diagnostics. The schemas
// are empty if they are invalid.
func (r *Redactor) Provider(p Provider) Provider {
	kept := make([]Answer, len(p.Schemas))
	for i, a := range p.Schemas {
		kept[i] = Answer{Method: a.Method, Status: a.Status.withoutText()}
		if a.Status == nil {
			kept[i].Response = withoutTexts(a)
		}
	}
	p.Schemas = kept
	if encoded, err := encoded.New(p.Protocol, tfcheck.Terraform); err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.providers[p.Address] = &redactedProvider{encoded, p}
	}
	return p
}

// withoutTexts returns a response with schemas without the text of diagnostics.
func withoutTexts(a Answer) []byte {
	method := methodOf(a.Method)
	if method == nil {
		return []byte{}
	}
	message, err := parse(method.Output(), a.Response)
	if err != nil {
		return []byte{}
	}
	if field := method.Output().Fields().ByName("diagnostics"); field != nil {
		for i := range message.Get(field).List().Len() { // diagnostics need no schema
			_ = new(messageRedactor).message(message.Get(field).List().Get(i).Message(), "")
		}
	}
	return encode(message)
}

// RPC returns the redacted RPC. It drops the messages of an RPC without rules, and messages
// that cannot be decoded with the schemas. Of the configuration of a provider it keeps the version
// of the program.
func (r *Redactor) RPC(rpc RPC) RPC {
	rpc.Status = rpc.Status.withoutText()
	if rpc.SameSchemas {
		return rpc
	}
	requests, responses := rpc.Requests, rpc.Responses
	rpc.Requests, rpc.Responses = nil, nil
	method, checked := methodOf(rpc.Method), tfcheck.Checks(rpc.RPC)
	if rpc.Cut {
		return rpc
	}
	if method == nil || !checked && method.Input().Fields().ByName(versionField) == nil {
		rpc.Dropped = NotChecked
		return rpc
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	m := &messageRedactor{of: r, provider: r.providers[rpc.Provider], rpc: rpc.RPC, typeName: rpc.Type, values: checked}
	_, err := Guarded(func() (_ any, err error) {
		if rpc.Requests, err = m.all(method.Input(), requests); err == nil && checked {
			rpc.Responses, err = m.all(method.Output(), responses)
		}
		return nil, err
	})
	if err != nil {
		rpc.Dropped, rpc.Requests, rpc.Responses = NotUnderstood, nil, nil
	}
	return rpc
}

// A messageRedactor redacts the messages of one RPC. It drops all fields that it does not know.
type messageRedactor struct {
	of            *Redactor
	provider      *redactedProvider // nil if it is not known
	rpc, typeName string
	values        bool // replace values; otherwise drop them
}

// These are names of the protocol's messages and fields.
const (
	dynamicMessage  = "DynamicValue"
	identityMessage = "ResourceIdentityData"
	importedMessage = "ImportedResource"
	pathMessage     = "AttributePath"
	metaField       = "provider_meta"
	versionField    = "terraform_version"
)

// keptTexts are the string fields that do not contain values.
var keptTexts = map[protoreflect.Name]bool{
	"type_name": true, "target_type_name": true, "source_type_name": true, "source_provider_address": true,
	versionField: true,
}

// keptMessages are the messages that contain only fields handled here.
var keptMessages = map[protoreflect.Name]bool{
	"ClientCapabilities": true, "Deferred": true, "Diagnostic": true, importedMessage: true, identityMessage: true,
	pathMessage: true, "Step": true,
}

func (m *messageRedactor) all(kind protoreflect.MessageDescriptor, messages [][]byte) ([][]byte, error) {
	redacted := make([][]byte, len(messages))
	for i, raw := range messages {
		message, err := parse(kind, raw)
		if err == nil {
			err = m.message(message, m.typeName)
		}
		if err != nil {
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
		switch {
		case field.IsMap():
			message.Clear(field)
		case field.Message() != nil:
			err = m.nested(message, field, value, typeName)
		case field.IsList() || field.Kind() == protoreflect.BytesKind:
			message.Clear(field)
		default:
			err = m.scalar(message, field, value, typeName)
		}
		return err == nil
	})
	return err
}

// nested redacts a field with messages.
func (m *messageRedactor) nested(
	in protoreflect.Message, field protoreflect.FieldDescriptor, value protoreflect.Value, typeName string,
) error {
	switch name := field.Message().Name(); {
	case name == dynamicMessage && m.values && field.Name() != metaField && !field.IsList():
		return m.value(value.Message(), in.Descriptor().Name() == identityMessage, typeName)
	case !keptMessages[name] || field.Name() == "attribute": // of a diagnostic
		in.Clear(field)
		return nil
	case !field.IsList():
		return m.message(value.Message(), typeName)
	}
	for i := range value.List().Len() {
		if err := m.message(value.List().Get(i).Message(), typeName); err != nil {
			return err
		}
	}
	return nil
}

// maxIndex is the greatest number that counts as an index in a path. A greater one may be the hash of
// an element.
const maxIndex = 1 << 16

// scalar redacts a field. It keeps numbers and names of types, replaces import IDs and keys in paths,
// and drops all other texts.
func (m *messageRedactor) scalar(
	in protoreflect.Message, field protoreflect.FieldDescriptor, value protoreflect.Value, typeName string,
) error {
	switch name := field.Name(); {
	case name == "id" || name == "element_key_string":
		in.Set(field, protoreflect.ValueOfString(m.of.pseudonyms.text(value.String())))
	case name == "attribute_name":
		redactor, err := m.redactor(false, typeName)
		if err != nil {
			return err
		}
		in.Set(field, protoreflect.ValueOfString(redactor.name(value.String())))
	case name == "element_key_int" && (value.Int() > maxIndex || value.Int() < 0):
		n := m.of.pseudonyms.number(new(big.Float).SetInt64(value.Int()))
		in.Set(field, protoreflect.ValueOfInt64(n))
	case field.Kind() == protoreflect.StringKind && !keptTexts[name]:
		in.Clear(field)
	}
	return nil
}

var errNoSchema = errors.New("the schema is missing")

// redactor returns what redacts the values of an object or an identity.
func (m *messageRedactor) redactor(identity bool, typeName string) (*valueRedactor, error) {
	if m.provider == nil {
		return nil, errNoSchema
	}
	provider := m.provider
	schema, identified, err := provider.encoded.Schemas(context.Background(), provider.provider.Ask, m.rpc, typeName)
	if identity {
		schema = identified
	}
	if err == nil && schema == nil {
		err = errNoSchema
	}
	if err != nil {
		return nil, err
	}
	r := m.of.redactors[schema.Block()]
	if r == nil {
		r = newValueRedactor(m.of.pseudonyms, schema.Block())
		m.of.redactors[schema.Block()] = r
	}
	return r, nil
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
	redactor, err := m.redactor(identity, typeName)
	if err != nil {
		return err
	}
	v, err := tfconv.Decode6(encoded, redactor.ty)
	if err != nil {
		return err
	}
	redacted, err := tfconv.Encode6(redactor.value(v), redactor.ty)
	if err != nil {
		return err
	}
	message.Clear(asJSON)
	message.Set(msgpack, protoreflect.ValueOfBytes(redacted.MsgPack))
	return nil
}
