package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// encode sets the fields of a message to the fields of a struct that are not zero.
func encode(m protoreflect.Message, v reflect.Value) error {
	fields := messageFieldsOf(m.Descriptor())
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			continue
		}
		f, err := fields[fieldName(v.Type().Field(i))], errors.New("the protocol has no such field")
		if f != nil {
			err = encodeField(m, f, v.Field(i))
		}
		if err != nil {
			return at(v.Type().Field(i).Name, err)
		}
	}
	return nil
}

func encodeField(m protoreflect.Message, f protoreflect.FieldDescriptor, v reflect.Value) error {
	switch {
	case f.IsMap():
		to := m.Mutable(f).Map()
		for key, element := range v.Seq2() {
			if !utf8.ValidString(key.String()) {
				return errors.New("a key is not valid UTF-8")
			}
			value, err := encodeOne(f.MapValue(), to.NewValue, element)
			if err != nil {
				return at(fmt.Sprintf("[%q]", key.String()), err)
			}
			to.Set(protoreflect.ValueOfString(key.String()).MapKey(), value)
		}
		return nil
	case f.IsList():
		to := m.Mutable(f).List()
		for i := range v.Len() {
			value, err := encodeOne(f, to.NewElement, v.Index(i))
			if err != nil {
				return at(fmt.Sprintf("[%d]", i), err)
			}
			to.Append(value)
		}
		return nil
	}
	value, err := encodeOne(f, func() protoreflect.Value { return m.NewField(f) }, v)
	if err == nil {
		m.Set(f, value)
	}
	return err
}

// encodeOne returns a single value of the field. newMessage returns an empty message for it.
func encodeOne(f protoreflect.FieldDescriptor, newMessage func() protoreflect.Value, v reflect.Value) (value protoreflect.Value, err error) {
	switch special := v.Interface().(type) {
	case tftypes.Type:
		text, err := json.Marshal(special)
		return protoreflect.ValueOfBytes(text), err
	case time.Time:
		if year := special.UTC().Year(); year < 1 || year > 9999 {
			return value, errors.New("is not between the years 1 and 9999")
		}
		v = reflect.ValueOf(timestamp{special.Unix(), int32(special.Nanosecond())})
	case *tftypes.AttributePath:
		if special != nil {
			steps, err := stepsOf(special)
			if err != nil {
				return value, err
			}
			v = reflect.ValueOf(struct{ Steps []step }{steps})
		}
	}
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return value, errors.New("is nil")
		}
		v = v.Elem()
	}
	switch f.Kind() {
	case protoreflect.MessageKind:
		value = newMessage()
		return value, encode(value.Message(), v)
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(v.Bool()), nil
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(v.Int())), nil
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(v.Int())), nil
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(v.Bytes()), nil
	case protoreflect.StringKind:
		if v.Kind() != reflect.String || !utf8.ValidString(v.String()) {
			return value, errors.New("is not valid UTF-8")
		}
		return protoreflect.ValueOfString(v.String()), nil
	}
	return protoreflect.ValueOfInt64(v.Int()), nil
}

// A timestamp has the fields of the message for a time.Time.
type timestamp struct {
	Seconds int64
	Nanos   int32
}

// A step has the fields of the message for a step of an attribute path.
type step struct {
	AttributeName, ElementKeyString *string
	ElementKeyInt                   *int64
}

func stepsOf(path *tftypes.AttributePath) ([]step, error) {
	steps := make([]step, len(path.Steps()))
	for i, s := range path.Steps() {
		switch s := s.(type) {
		case tftypes.AttributeName:
			steps[i].AttributeName = (*string)(&s)
		case tftypes.ElementKeyString:
			steps[i].ElementKeyString = (*string)(&s)
		case tftypes.ElementKeyInt:
			steps[i].ElementKeyInt = (*int64)(&s)
		default:
			return nil, at(fmt.Sprintf("steps[%d]", i), errors.New("the protocol has no paths into sets"))
		}
	}
	return steps, nil
}
