package wire

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"google.golang.org/protobuf/encoding/protowire"
)

var (
	typeType = reflect.TypeFor[tftypes.Type]()
	pathType = reflect.TypeFor[*tftypes.AttributePath]()
	timeType = reflect.TypeFor[time.Time]()
)

var errMalformed = errors.New("it is not a protobuf message")

// deepest is the maximum nesting depth of messages. All known schemas are far below it.
const deepest = 1000

// unmarshal decodes a message into the zero struct that to points to. It ignores fields that only
// the message or only the struct has. If newer is not nil, it records unknown fields there.
func unmarshal(kind string, encoded []byte, to any, newer *Newer) (err error) {
	defer recovered(&err, to, kind)
	v, err := structOf(to)
	if err != nil {
		return err
	}
	return decoder{newer: newer}.decode(kind, encoded, v)
}

// A decoder decodes a message at a depth of nesting.
type decoder struct {
	newer  *Newer
	schema any // the schema that contains the message, or nil
	depth  int
}

func (d decoder) inner() decoder {
	d.depth++
	return d
}

// eachField calls do for each field of a message, in order.
func eachField(encoded []byte, do func(number protowire.Number, wire protowire.Type, value []byte) error) error {
	for len(encoded) > 0 {
		number, wire, n := protowire.ConsumeTag(encoded)
		if n < 0 || number > protowire.MaxValidNumber {
			return errMalformed
		}
		encoded = encoded[n:]
		if n = protowire.ConsumeFieldValue(number, wire, encoded); n < 0 {
			return errMalformed
		}
		value := encoded[:n]
		encoded = encoded[n:]
		if wire == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(value)
		}
		if err := do(number, wire, value); err != nil {
			return err
		}
	}
	return nil
}

// structFields caches the results of structFieldsOf.
var structFields sync.Map // of map[string]int by reflect.Type

// structFieldsOf returns the index of each field of a struct, by its name in messages.
func structFieldsOf(structure reflect.Type) map[string]int {
	if known, ok := structFields.Load(structure); ok {
		return known.(map[string]int)
	}
	fields := map[string]int{}
	for i := range structure.NumField() {
		fields[fieldName(structure.Field(i))] = i
	}
	structFields.Store(structure, fields)
	return fields
}

// decode merges the fields of a message into a struct.
func (d decoder) decode(kind string, encoded []byte, v reflect.Value) error {
	if d.depth > deepest {
		return fmt.Errorf("messages are nested deeper than %d levels", deepest)
	}
	switch schema := v.Addr().Interface().(type) {
	case *tfprotov6.Schema, *tfprotov6.ResourceIdentitySchema:
		d.schema = schema
	}
	of, fields := known().messages[kind].byNumber, structFieldsOf(v.Type())
	var whole map[protowire.Number][]byte // fields that cannot be merged
	set := func(f *messageField, value []byte) error {
		i := fields[f.name]
		if err := d.field(f, value, v.Field(i)); err != nil {
			return at(v.Type().Field(i).Name, err)
		}
		return nil
	}
	err := eachField(encoded, func(number protowire.Number, wire protowire.Type, value []byte) error {
		f := of[number]
		if f == nil || wire != f.wire() {
			if d.newer != nil && d.schema != nil {
				d.newer.add(d.schema, kind, number, wire, value, v.Addr().Interface())
			}
			return nil
		}
		i, ok := fields[f.name]
		if !ok {
			return nil
		}
		if ty := v.Field(i).Type(); ty == pathType || ty == timeType {
			if whole == nil {
				whole = map[protowire.Number][]byte{}
			}
			whole[number] = append(whole[number], value...) // concatenation merges messages
			return nil
		}
		return set(f, value)
	})
	for number, value := range whole {
		if err == nil {
			err = set(of[number], value)
		}
	}
	return err
}

func (f *messageField) wire() protowire.Type {
	switch f.kind {
	case "bool", "int32", "int64", "enum":
		if !f.mapped {
			return protowire.VarintType
		}
	}
	return protowire.BytesType
}

// scalar reports whether the values of the field are not messages.
func (f *messageField) scalar() bool { return known().messages[f.kind].byNumber == nil }

// field merges a value of the field into the field of a struct.
func (d decoder) field(f *messageField, value []byte, v reflect.Value) error {
	switch {
	case f.mapped:
		return d.entry(f, value, v)
	case f.repeated:
		element := reflect.New(v.Type().Elem()).Elem()
		if err := d.one(f, value, element); err != nil {
			return at(fmt.Sprintf("[%d]", v.Len()), err)
		}
		v.Set(reflect.Append(v, element))
		return nil
	case !f.presence && f.isZero(value):
		v.SetZero()
		return nil
	}
	return d.one(f, value, v)
}

// isZero reports whether the value equals the value of a missing field.
func (f *messageField) isZero(value []byte) bool {
	if f.wire() == protowire.VarintType {
		n, _ := protowire.ConsumeVarint(value)
		return n == 0
	}
	return len(value) == 0 && f.scalar()
}

// entry adds an entry to a map. If a key is repeated, the last entry is used.
func (d decoder) entry(f *messageField, entry []byte, v reflect.Value) error {
	var key string
	one, value := messageField{kind: f.kind, presence: true}, []byte(nil)
	err := eachField(entry, func(number protowire.Number, wire protowire.Type, part []byte) error {
		switch {
		case number == 1 && wire == protowire.BytesType:
			key = string(part)
		case number == 2 && wire == one.wire():
			if f.scalar() {
				value = nil
			}
			value = append(value, part...) // messages merge
		}
		return nil
	})
	if err == nil && !utf8.ValidString(key) {
		err = errors.New("a key is not valid UTF-8")
	}
	if err != nil {
		return err
	}
	element := reflect.New(v.Type().Elem()).Elem()
	if err := d.one(&one, value, element); err != nil {
		return at(fmt.Sprintf("[%q]", key), err)
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	v.SetMapIndex(reflect.ValueOf(key), element)
	return nil
}

// one sets v to a single value of the field. It merges the value into v if it is a message.
func (d decoder) one(f *messageField, value []byte, v reflect.Value) error {
	switch v.Type() {
	case typeType:
		return fromType(value, v)
	case timeType:
		return d.time(value, v)
	case pathType:
		return decodePath(f.kind, value, v)
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
	number, _ := protowire.ConsumeVarint(value)
	switch f.kind {
	case "bool":
		v.SetBool(number != 0)
	case "int64":
		v.SetInt(int64(number))
	case "int32", "enum":
		v.SetInt(int64(int32(number)))
	case "bytes":
		v.SetBytes(append([]byte{}, value...))
	case "string":
		if !utf8.Valid(value) {
			return errors.New("is not valid UTF-8")
		}
		v.SetString(string(value))
	default:
		return d.inner().decode(f.kind, value, v)
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

func (d decoder) time(encoded []byte, v reflect.Value) error {
	var stamp timestamp
	if err := d.inner().decode("google.protobuf.Timestamp", encoded, reflect.ValueOf(&stamp).Elem()); err != nil {
		return err
	}
	moment := time.Unix(stamp.Seconds, stamp.Nanos).UTC()
	if year := moment.Year(); stamp.Nanos < 0 || stamp.Nanos > 999_999_999 || year < 1 || year > 9999 {
		return errors.New("is not a valid timestamp")
	}
	v.Set(reflect.ValueOf(moment))
	return nil
}

func decodePath(kind string, encoded []byte, v reflect.Value) error {
	var steps []tftypes.AttributePathStep
	err := eachField(encoded, func(number protowire.Number, wire protowire.Type, value []byte) error {
		f := known().messages[kind].byNumber[number]
		if f == nil || f.name != "steps" || wire != f.wire() {
			return nil
		}
		step, err := decodeStep(f.kind, value)
		if err != nil {
			return at(fmt.Sprintf("steps[%d]", len(steps)), err)
		}
		steps = append(steps, step)
		return nil
	})
	if err != nil {
		return err
	}
	v.Set(reflect.ValueOf(tftypes.NewAttributePathWithSteps(steps)))
	return nil
}

// decodeStep returns a step of a path. If the step has several selectors, the last one is used.
func decodeStep(kind string, encoded []byte) (step tftypes.AttributePathStep, err error) {
	err = eachField(encoded, func(number protowire.Number, wire protowire.Type, value []byte) error {
		f := known().messages[kind].byNumber[number]
		if f == nil || wire != f.wire() {
			return nil
		}
		if f.kind == "string" && !utf8.Valid(value) {
			return errors.New("is not valid UTF-8")
		}
		switch f.name {
		case "attributename":
			step = tftypes.AttributeName(value)
		case "elementkeystring":
			step = tftypes.ElementKeyString(value)
		case "elementkeyint":
			n, _ := protowire.ConsumeVarint(value)
			step = tftypes.ElementKeyInt(n)
		}
		return nil
	})
	if err == nil && step == nil {
		err = errors.New("has no selector")
	}
	return step, err
}
