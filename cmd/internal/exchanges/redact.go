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
	shapes    map[*configschema.Block]*shape
}

// A redactedProvider is a provider with what decodes its schemas.
type redactedProvider struct {
	encoded *encoded.Checker
	Provider
}

// NewRedactor returns a redactor with its own pseudonyms.
func NewRedactor() *Redactor {
	return &Redactor{pseudonyms: newPseudonyms(), providers: map[string]*redactedProvider{}, shapes: map[*configschema.Block]*shape{}}
}

// Provider returns the redacted provider: its schemas without the text of diagnostics. The schemas
// are empty if they are invalid.
func (r *Redactor) Provider(p Provider) Provider {
	kept := make([]Answer, len(p.Schemas))
	for i, a := range p.Schemas {
		kept[i] = Answer{Method: a.Method, Status: a.Status.withoutText()}
		if a.Status != nil {
			continue
		}
		kept[i].Response = []byte{}
		if method := methodOf(a.Method); method != nil {
			if message, err := parse(method.Output(), a.Response); err == nil {
				kept[i].Response = a.Response
				if field := message.Descriptor().Fields().ByName(diagnosticsField); field != nil && message.Has(field) {
					keepSeverity(message.Mutable(field).List())
					kept[i].Response = encode(message)
				}
			}
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
	versionField     = "terraform_version"
)

// keptTexts are the string fields that do not contain values.
var keptTexts = map[protoreflect.Name]bool{
	"type_name": true, "target_type_name": true, "source_type_name": true, "source_provider_address": true, versionField: true,
}

// keptMessages are the messages that contain only fields handled here.
var keptMessages = map[protoreflect.Name]bool{
	"ClientCapabilities": true, "Deferred": true, importedMessage: true, identityMessage: true,
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
		err = m.field(message, field, value, typeName)
		return err == nil
	})
	return err
}

// field redacts a field that is present. It keeps numbers and names of types, replaces values and
// import IDs, and drops all other texts.
func (m *messageRedactor) field(in protoreflect.Message, field protoreflect.FieldDescriptor, value protoreflect.Value, typeName string) error {
	text := field.Kind() == protoreflect.StringKind && !field.IsList()
	var name protoreflect.Name
	if field.Message() != nil {
		name = field.Message().Name()
	}
	switch {
	case field.IsMap():
		in.Clear(field)
	case text && field.Name() == importIDField:
		in.Set(field, protoreflect.ValueOfString(m.of.pseudonyms.text(value.String())))
	case name == "" && (text && keptTexts[field.Name()] || !text && field.Kind() != protoreflect.BytesKind && !field.IsList()):
	case field.Name() == diagnosticsField && field.IsList():
		keepSeverity(value.List())
	case name == pathMessage && field.IsList():
		return m.paths(value.List(), typeName)
	case name == dynamicMessage && m.values && field.Name() != metaField && !field.IsList():
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

// names returns the shape of an object or an identity, and the pseudonyms that keep its names.
func (m *messageRedactor) names(identity bool, typeName string) (*shape, namedPseudonyms, error) {
	if m.provider == nil {
		return nil, namedPseudonyms{}, errNoSchema
	}
	schema, identified, err := m.provider.encoded.Schemas(context.Background(), m.provider.Ask, m.rpc, typeName)
	if identity {
		schema = identified
	}
	if err == nil && schema == nil {
		err = errNoSchema
	}
	if err != nil {
		return nil, namedPseudonyms{}, err
	}
	s := m.of.shapes[schema.Block()]
	if s == nil {
		s = newShape(schema.Block())
		m.of.shapes[schema.Block()] = s
	}
	return s, namedPseudonyms{m.of.pseudonyms, s.names}, nil
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
	shape, names, err := m.names(identity, typeName)
	if err != nil {
		return err
	}
	v, err := tfconv.Decode6(encoded, shape.ty)
	if err != nil {
		return err
	}
	redacted, err := tfconv.Encode6(names.value(v), shape.ty)
	if err != nil {
		return err
	}
	message.Clear(asJSON)
	message.Set(msgpack, protoreflect.ValueOfBytes(redacted.MsgPack))
	return nil
}

// paths redacts the keys in paths into an object.
func (m *messageRedactor) paths(paths protoreflect.List, typeName string) error {
	if paths.Len() == 0 {
		return nil
	}
	_, names, err := m.names(false, typeName)
	if err != nil {
		return err
	}
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

// maxIndex is the greatest number that counts as an index.
const maxIndex = 1 << 16

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
