//go:build !wasm

package wire

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"
)

func fromMessage(m protoreflect.Message, v reflect.Value) error {
	for _, f := range mappingOf(v.Type(), m.Descriptor()).fields {
		if !m.Has(f.descriptor) {
			continue
		}
		if err := fromField(m.Get(f.descriptor), f.descriptor, v.Field(f.index)); err != nil {
			return at(v.Type().Field(f.index).Name, err)
		}
	}
	return nil
}

func fromField(from protoreflect.Value, fd protoreflect.FieldDescriptor, v reflect.Value) error {
	switch {
	case fd.IsMap():
		return fromMap(from.Map(), fd.MapValue(), v)
	case fd.IsList():
		return fromList(from.List(), fd, v)
	}
	return fromValue(from, fd, v)
}

func fromMap(entries protoreflect.Map, fd protoreflect.FieldDescriptor, v reflect.Value) error {
	v.Set(reflect.MakeMapWithSize(v.Type(), entries.Len()))
	var err error
	entries.Range(func(key protoreflect.MapKey, entry protoreflect.Value) bool {
		element := reflect.New(v.Type().Elem()).Elem()
		if err = fromValue(entry, fd, element); err != nil {
			err = at(fmt.Sprintf("[%q]", key.String()), err)
			return false
		}
		v.SetMapIndex(reflect.ValueOf(key.String()), element)
		return true
	})
	return err
}

func fromList(list protoreflect.List, fd protoreflect.FieldDescriptor, v reflect.Value) error {
	v.Set(reflect.MakeSlice(v.Type(), list.Len(), list.Len()))
	for i := range list.Len() {
		if err := fromValue(list.Get(i), fd, v.Index(i)); err != nil {
			return at(fmt.Sprintf("[%d]", i), err)
		}
	}
	return nil
}

// fromValue sets v to what the single value of the field is.
func fromValue(from protoreflect.Value, fd protoreflect.FieldDescriptor, v reflect.Value) error {
	switch v.Type() {
	case typeType:
		return fromType(from.Bytes(), v)
	case timeType:
		return fromTimestamp(from.Message(), v)
	case pathType:
		return fromPath(from.Message(), v)
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch fd.Kind() {
	case protoreflect.MessageKind:
		return fromMessage(from.Message(), v)
	case protoreflect.BoolKind:
		v.SetBool(from.Bool())
	case protoreflect.Int64Kind:
		v.SetInt(from.Int())
	case protoreflect.EnumKind:
		v.SetInt(int64(from.Enum()))
	case protoreflect.BytesKind:
		v.SetBytes(from.Bytes())
	case protoreflect.StringKind:
		v.SetString(from.String())
	default:
		return fmt.Errorf("fields of kind %s are not known", fd.Kind())
	}
	return nil
}

func fromTimestamp(m protoreflect.Message, v reflect.Value) error {
	stamp, ok := m.Interface().(*timestamppb.Timestamp)
	if !ok || stamp.CheckValid() != nil {
		return errors.New("is not a valid timestamp")
	}
	v.Set(reflect.ValueOf(stamp.AsTime()))
	return nil
}

func fromPath(m protoreflect.Message, v reflect.Value) error {
	list := m.Get(m.Descriptor().Fields().ByName("steps")).List()
	steps := make([]tftypes.AttributePathStep, list.Len())
	for i := range steps {
		step, err := fromStep(list.Get(i).Message())
		if err != nil {
			return at(fmt.Sprintf("steps[%d]", i), err)
		}
		steps[i] = step
	}
	v.Set(reflect.ValueOf(tftypes.NewAttributePathWithSteps(steps)))
	return nil
}

func fromStep(m protoreflect.Message) (tftypes.AttributePathStep, error) {
	selected := m.WhichOneof(m.Descriptor().Oneofs().ByName("selector"))
	if selected == nil {
		return nil, errors.New("selects nothing")
	}
	switch value := m.Get(selected); selected.Name() {
	case "attribute_name":
		return tftypes.AttributeName(value.String()), nil
	case "element_key_string":
		return tftypes.ElementKeyString(value.String()), nil
	case "element_key_int":
		return tftypes.ElementKeyInt(value.Int()), nil
	}
	return nil, fmt.Errorf("selectors of kind %s are not known", selected.Name())
}
