package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

var (
	typeType = reflect.TypeFor[tftypes.Type]()
	pathType = reflect.TypeFor[*tftypes.AttributePath]()
	timeType = reflect.TypeFor[time.Time]()
)

// encode copies values to messages that have another form there.
func encode(from, to reflect.Value) (done bool, err error) {
	if from.Kind() == reflect.Pointer && from.IsNil() { // fields that are nil are not copied
		return true, errors.New("is nil")
	}
	switch from := from.Interface().(type) {
	case tftypes.Type:
		text, err := json.Marshal(from)
		to.SetBytes(text)
		return true, err
	case time.Time:
		to.Set(reflect.ValueOf(timestamppb.New(from)))
		return true, nil
	case *tftypes.AttributePath:
		return true, encodePath(from, to)
	}
	return false, nil
}

// encodePath copies an attribute path. Each step has exactly one field, its selector.
func encodePath(from *tftypes.AttributePath, to reflect.Value) error {
	to.Set(reflect.New(to.Type().Elem()))
	m := to.Interface().(proto.Message).ProtoReflect()
	list := m.Mutable(m.Descriptor().Fields().ByName("steps")).List()
	for i, step := range from.Steps() {
		element := list.NewElement()
		set := func(name protoreflect.Name, value any) {
			element.Message().Set(element.Message().Descriptor().Fields().ByName(name), protoreflect.ValueOf(value))
		}
		switch step := step.(type) {
		case tftypes.AttributeName:
			set("attribute_name", string(step))
		case tftypes.ElementKeyString:
			set("element_key_string", string(step))
		case tftypes.ElementKeyInt:
			set("element_key_int", int64(step))
		default:
			return fmt.Errorf("steps[%d]: the protocol has no paths into sets", i)
		}
		list.Append(element)
	}
	return nil
}

// A decoder copies values from messages that have another form there. If newer is not nil, it
// records the unknown fields of schemas.
type decoder struct {
	newer  *wire.Newer
	schema any // the schema that contains the message
}

func (d *decoder) decode(from, to reflect.Value) (done bool, err error) {
	if d.newer != nil && from.Kind() == reflect.Struct {
		d.unknown(from.Addr().Interface().(proto.Message).ProtoReflect(), to.Addr().Interface())
	}
	switch to.Type() {
	case typeType:
		typ, err := tftypes.ParseJSONType(from.Bytes()) //lint:ignore SA1019 there is no other decoder
		if err != nil || typ == nil {
			return true, errors.New("is not the JSON of a type")
		}
		to.Set(reflect.ValueOf(typ))
		return true, nil
	case timeType:
		to.Set(reflect.ValueOf(from.Interface().(*timestamppb.Timestamp).AsTime()))
		return true, nil
	case pathType:
		return true, decodePath(from.Interface().(proto.Message).ProtoReflect(), to)
	}
	return false, nil
}

func decodePath(from protoreflect.Message, to reflect.Value) error {
	var steps []tftypes.AttributePathStep
	list := from.Get(from.Descriptor().Fields().ByName("steps")).List()
	for i := range list.Len() {
		var step tftypes.AttributePathStep
		for f, selector := range list.Get(i).Message().Range {
			switch f.Name() {
			case "attribute_name":
				step = tftypes.AttributeName(selector.String())
			case "element_key_string":
				step = tftypes.ElementKeyString(selector.String())
			case "element_key_int":
				step = tftypes.ElementKeyInt(selector.Int())
			}
		}
		if step == nil {
			return fmt.Errorf("steps[%d]: has no selector", i)
		}
		steps = append(steps, step)
	}
	to.Set(reflect.ValueOf(tftypes.NewAttributePathWithSteps(steps)))
	return nil
}

// unknown records the unknown fields of a message in a schema.
func (d *decoder) unknown(m protoreflect.Message, to any) {
	switch to.(type) {
	case *tfprotov6.Schema, *tfprotov6.ResourceIdentitySchema:
		d.schema = to
	case *tfprotov6.SchemaBlock, *tfprotov6.SchemaAttribute, *tfprotov6.SchemaNestedBlock, *tfprotov6.SchemaObject,
		*tfprotov6.ResourceIdentitySchemaAttribute:
	default:
		return // not in a schema
	}
	for rest := m.GetUnknown(); len(rest) > 0; {
		number, kind, tag := protowire.ConsumeTag(rest)
		_, _, n := protowire.ConsumeField(rest)
		if n < 0 {
			return // impossible, because the message was decoded
		}
		d.newer.Add(d.schema, string(m.Descriptor().FullName()), number, kind, rest[tag:n], to)
		rest = rest[n:]
	}
}
