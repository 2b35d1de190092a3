package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"google.golang.org/protobuf/encoding/protowire"
)

// marshal returns the message for the struct that from points to. It omits zero fields. The error
// contains the path of the field that cannot be encoded, and no values.
func marshal(kind string, from any) (_ []byte, err error) {
	defer recovered(&err, from, kind)
	v, err := structOf(from)
	if err != nil {
		return nil, err
	}
	return encode(kind, nil, v)
}

func encode(kind string, encoded []byte, v reflect.Value) ([]byte, error) {
	fields := known().messages[kind].byName
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			continue
		}
		f, err := fields[fieldName(v.Type().Field(i))], errors.New("the protocol has no such field")
		if f != nil {
			encoded, err = f.encode(encoded, v.Field(i))
		}
		if err != nil {
			return nil, at(v.Type().Field(i).Name, err)
		}
	}
	return encoded, nil
}

// encode appends the field, with all its elements.
func (f *messageField) encode(encoded []byte, v reflect.Value) (_ []byte, err error) {
	switch {
	case f.mapped:
		return f.encodeEntries(encoded, v)
	case !f.repeated:
		return f.encodeOne(encoded, v)
	}
	for i := range v.Len() {
		if encoded, err = f.encodeOne(encoded, v.Index(i)); err != nil {
			return nil, at(fmt.Sprintf("[%d]", i), err)
		}
	}
	return encoded, nil
}

func (f *messageField) encodeEntries(encoded []byte, v reflect.Value) ([]byte, error) {
	elements := map[string]reflect.Value{}
	for key, element := range v.Seq2() {
		elements[key.String()] = element
	}
	value := &messageField{number: 2, kind: f.kind}
	for _, key := range slices.Sorted(maps.Keys(elements)) {
		if !utf8.ValidString(key) {
			return nil, errors.New("a key is not valid UTF-8")
		}
		entry := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), key)
		entry, err := value.encodeOne(entry, elements[key])
		if err != nil {
			return nil, at(fmt.Sprintf("[%q]", key), err)
		}
		encoded = protowire.AppendBytes(protowire.AppendTag(encoded, f.number, protowire.BytesType), entry)
	}
	return encoded, nil
}

// encodeOne appends a single value of the field.
func (f *messageField) encodeOne(encoded []byte, v reflect.Value) ([]byte, error) {
	encoded = protowire.AppendTag(encoded, f.number, f.wire())
	switch special := v.Interface().(type) {
	case tftypes.Type:
		text, err := json.Marshal(special)
		return protowire.AppendBytes(encoded, text), err
	case time.Time:
		if year := special.UTC().Year(); year < 1 || year > 9999 {
			return nil, errors.New("is not between the years 1 and 9999")
		}
		v = reflect.ValueOf(timestamp{special.Unix(), int64(special.Nanosecond())})
	case *tftypes.AttributePath:
		if special != nil {
			steps, err := stepsOf(special)
			if err != nil {
				return nil, err
			}
			v = reflect.ValueOf(struct{ Steps []step }{steps})
		}
	}
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return nil, errors.New("is nil")
		}
		v = v.Elem()
	}
	switch f.kind {
	case "bool":
		return protowire.AppendVarint(encoded, protowire.EncodeBool(v.Bool())), nil
	case "int32", "int64", "enum":
		return protowire.AppendVarint(encoded, uint64(v.Int())), nil
	case "bytes":
		return protowire.AppendBytes(encoded, v.Bytes()), nil
	case "string":
		if v.Kind() != reflect.String || !utf8.ValidString(v.String()) {
			return nil, errors.New("is not valid UTF-8")
		}
		return protowire.AppendString(encoded, v.String()), nil
	}
	inner, err := encode(f.kind, nil, v)
	return protowire.AppendBytes(encoded, inner), err
}

// A timestamp has the fields of the message for a time.Time.
type timestamp struct{ Seconds, Nanos int64 }

// A step has the fields of the message for a step of an attribute path.
type step struct {
	AttributeName, ElementKeyString *string
	ElementKeyInt                   *int64
}

func stepsOf(path *tftypes.AttributePath) ([]step, error) {
	steps := make([]step, len(path.Steps()))
	for i, s := range path.Steps() {
		var text *string
		switch s := s.(type) {
		case tftypes.AttributeName:
			text = (*string)(&s)
			steps[i].AttributeName = text
		case tftypes.ElementKeyString:
			text = (*string)(&s)
			steps[i].ElementKeyString = text
		case tftypes.ElementKeyInt:
			steps[i].ElementKeyInt = (*int64)(&s)
		default:
			return nil, at(fmt.Sprintf("steps[%d]", i), errors.New("the protocol has no paths into sets"))
		}
		if text != nil && !utf8.ValidString(*text) {
			return nil, at(fmt.Sprintf("steps[%d]", i), errors.New("is not valid UTF-8"))
		}
	}
	return steps, nil
}
