package codec

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

var (
	typeType = reflect.TypeFor[tftypes.Type]()
	pathType = reflect.TypeFor[*tftypes.AttributePath]()
	timeType = reflect.TypeFor[time.Time]()
)

// A decoder copies messages to structs.
type decoder struct {
	newer  *wire.Newer
	schema any // the schema that contains the message, or nil
}

// message copies the fields of a message to a struct.
func (d decoder) message(m protoreflect.Message, v reflect.Value) error {
	switch schema := v.Addr().Interface().(type) {
	case *tfprotov6.Schema, *tfprotov6.ResourceIdentitySchema:
		d.schema = schema
	}
	if d.newer != nil && d.schema != nil {
		d.unknown(m, v.Addr().Interface())
	}
	known, fields := m.Descriptor().Fields(), structFieldsOf(v.Type())
	for n := range known.Len() {
		f := known.Get(n)
		i, ok := fields[plain(string(f.Name()))]
		if !ok || !m.Has(f) {
			continue
		}
		if err := d.field(f, m.Get(f), v.Field(i)); err != nil {
			return at(v.Type().Field(i).Name, err)
		}
	}
	return nil
}

// unknown records the unknown fields of a message in a schema.
func (d decoder) unknown(m protoreflect.Message, to any) {
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

// field copies a field of a message to the field of a struct.
func (d decoder) field(f protoreflect.FieldDescriptor, value protoreflect.Value, v reflect.Value) error {
	switch {
	case f.IsMap():
		return d.entries(f.MapValue(), value.Map(), v)
	case f.IsList():
		list := value.List()
		v.Set(reflect.MakeSlice(v.Type(), list.Len(), list.Len()))
		for i := range list.Len() {
			if err := d.one(f, list.Get(i), v.Index(i)); err != nil {
				return at(fmt.Sprintf("[%d]", i), err)
			}
		}
		return nil
	}
	return d.one(f, value, v)
}

// entries copies a map, in the order of its keys.
func (d decoder) entries(f protoreflect.FieldDescriptor, from protoreflect.Map, v reflect.Value) error {
	v.Set(reflect.MakeMapWithSize(v.Type(), from.Len()))
	keys := make([]protoreflect.MapKey, 0, from.Len())
	for key := range from.Range {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b protoreflect.MapKey) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys {
		element := reflect.New(v.Type().Elem()).Elem()
		if err := d.one(f, from.Get(key), element); err != nil {
			return at(fmt.Sprintf("[%q]", key.String()), err)
		}
		v.SetMapIndex(reflect.ValueOf(key.String()), element)
	}
	return nil
}

// one copies a single value of the field.
func (d decoder) one(f protoreflect.FieldDescriptor, value protoreflect.Value, v reflect.Value) error {
	switch v.Type() {
	case typeType:
		return fromType(value.Bytes(), v)
	case timeType:
		return fromTime(value.Message(), v)
	case pathType:
		return fromPath(value.Message(), v)
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch f.Kind() {
	case protoreflect.MessageKind:
		return d.message(value.Message(), v)
	case protoreflect.BoolKind:
		v.SetBool(value.Bool())
	case protoreflect.EnumKind:
		v.SetInt(int64(value.Enum()))
	case protoreflect.BytesKind:
		v.SetBytes(append([]byte{}, value.Bytes()...))
	case protoreflect.StringKind:
		v.SetString(value.String())
	default:
		v.SetInt(value.Int())
	}
	return nil
}

func fromType(encoded []byte, v reflect.Value) error {
	// This decoder is the only one. A new one would repeat it.
	typ, err := tftypes.ParseJSONType(encoded) //lint:ignore SA1019 there is no other decoder
	if err != nil || typ == nil {
		return errors.New("is not the JSON of a type")
	}
	v.Set(reflect.ValueOf(typ))
	return nil
}

func fromTime(m protoreflect.Message, v reflect.Value) error {
	stamp, ok := m.Interface().(*timestamppb.Timestamp)
	if !ok || stamp.CheckValid() != nil {
		return errors.New("is not a valid timestamp")
	}
	v.Set(reflect.ValueOf(stamp.AsTime()))
	return nil
}

// fromPath copies an attribute path. Each step has exactly one field, its selector.
func fromPath(m protoreflect.Message, v reflect.Value) error {
	var steps []tftypes.AttributePathStep
	list := m.Get(m.Descriptor().Fields().ByName("steps")).List()
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
			return at(fmt.Sprintf("steps[%d]", i), errors.New("has no selector"))
		}
		steps = append(steps, step)
	}
	v.Set(reflect.ValueOf(tftypes.NewAttributePathWithSteps(steps)))
	return nil
}
