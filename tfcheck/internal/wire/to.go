//go:build !wasm

package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"
)

func toMessage(v reflect.Value, m protoreflect.Message) error {
	mapped := mappingOf(v.Type(), m.Descriptor())
	for _, i := range mapped.unsent {
		if !v.Field(i).IsZero() {
			return at(v.Type().Field(i).Name, errors.New("the protocol has no such field"))
		}
	}
	for _, f := range mapped.fields {
		if v.Field(f.index).IsZero() {
			continue
		}
		if err := toField(v.Field(f.index), m, f.descriptor); err != nil {
			return at(v.Type().Field(f.index).Name, err)
		}
	}
	return nil
}

func toField(v reflect.Value, m protoreflect.Message, fd protoreflect.FieldDescriptor) error {
	switch {
	case fd.IsMap():
		return toMap(v, m.Mutable(fd).Map(), fd.MapValue())
	case fd.IsList():
		return toList(v, m.Mutable(fd).List(), fd)
	}
	value, err := toValue(v, m.NewField(fd), fd)
	if err != nil {
		return err
	}
	m.Set(fd, value)
	return nil
}

func toMap(v reflect.Value, entries protoreflect.Map, fd protoreflect.FieldDescriptor) error {
	for key, element := range v.Seq2() {
		if !utf8.ValidString(key.String()) {
			return errors.New("a key is not valid UTF-8")
		}
		value, err := toValue(element, entries.NewValue(), fd)
		if err != nil {
			return at(fmt.Sprintf("[%q]", key.String()), err)
		}
		entries.Set(protoreflect.ValueOfString(key.String()).MapKey(), value)
	}
	return nil
}

func toList(v reflect.Value, list protoreflect.List, fd protoreflect.FieldDescriptor) error {
	for i := range v.Len() {
		value, err := toValue(v.Index(i), list.NewElement(), fd)
		if err != nil {
			return at(fmt.Sprintf("[%d]", i), err)
		}
		list.Append(value)
	}
	return nil
}

// toValue returns what the single value is in the field; if that is a message,
// it fills the empty one.
func toValue(v reflect.Value, empty protoreflect.Value, fd protoreflect.FieldDescriptor) (protoreflect.Value, error) {
	switch special := v.Interface().(type) {
	case tftypes.Type:
		encoded, err := json.Marshal(special)
		return protoreflect.ValueOfBytes(encoded), err
	case time.Time:
		return toTimestamp(special)
	case *tftypes.AttributePath:
		if special != nil {
			return empty, toPath(special, empty.Message())
		}
	}
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return empty, errors.New("is nil")
		}
		v = v.Elem()
	}
	switch fd.Kind() {
	case protoreflect.MessageKind:
		return empty, toMessage(v, empty.Message())
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(v.Bool()), nil
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(v.Int()), nil
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(v.Int())), nil
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(v.Bytes()), nil
	case protoreflect.StringKind:
		if v.Kind() != reflect.String || !utf8.ValidString(v.String()) {
			return empty, errors.New("is not valid UTF-8")
		}
		return protoreflect.ValueOfString(v.String()), nil
	}
	return empty, fmt.Errorf("fields of kind %s are not known", fd.Kind())
}

func toTimestamp(moment time.Time) (protoreflect.Value, error) {
	stamp := timestamppb.New(moment)
	if stamp.CheckValid() != nil {
		return protoreflect.Value{}, errors.New("is not between the years 1 and 9999")
	}
	return protoreflect.ValueOfMessage(stamp.ProtoReflect()), nil
}

func toPath(path *tftypes.AttributePath, m protoreflect.Message) error {
	steps := m.Mutable(m.Descriptor().Fields().ByName("steps")).List()
	for i, step := range path.Steps() {
		selector := steps.AppendMutable().Message()
		fields := selector.Descriptor().Fields()
		switch step := step.(type) {
		case tftypes.AttributeName:
			if !utf8.ValidString(string(step)) {
				return at(fmt.Sprintf("steps[%d]", i), errors.New("is not valid UTF-8"))
			}
			selector.Set(fields.ByName("attribute_name"), protoreflect.ValueOfString(string(step)))
		case tftypes.ElementKeyString:
			if !utf8.ValidString(string(step)) {
				return at(fmt.Sprintf("steps[%d]", i), errors.New("is not valid UTF-8"))
			}
			selector.Set(fields.ByName("element_key_string"), protoreflect.ValueOfString(string(step)))
		case tftypes.ElementKeyInt:
			selector.Set(fields.ByName("element_key_int"), protoreflect.ValueOfInt64(int64(step)))
		default:
			return at(fmt.Sprintf("steps[%d]", i), errors.New("the protocol has no paths into sets"))
		}
	}
	return nil
}
