package expect

import (
	"bytes"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv"
)

// ValueOf implements ValueOf of package driver.
func ValueOf(schema *configschema.Block, data any) (cty.Value, error) {
	return goData.ValueOf(schema, data)
}

var goData = ctydata.Format{Open: openGo}

// openGo converts Go data to plain data, one level deep.
func openGo(_ cty.Type, data any) (any, error) {
	for range maxDepth { // pointers may form a cycle
		opened, again, err := openOnce(data)
		if err != nil || !again {
			return opened, err
		}
		data = opened
	}
	return nil, fmt.Errorf("pointers nested deeper than %d levels", maxDepth)
}

// maxDepth is the maximum number of consecutive pointers.
const maxDepth = 500

func openOnce(data any) (plain any, again bool, err error) {
	switch data := data.(type) {
	case nil, bool, string, json.Number, []any, map[string]any, cty.Value, *big.Float:
		return data, false, nil
	case tftypes.Value:
		plain, err = openTF(data)
		return plain, false, err
	}
	v := reflect.ValueOf(data)
	if nilable(v.Kind()) && v.IsNil() {
		return nil, false, nil
	}
	switch data := data.(type) {
	case interface {
		ToTerraformValue(context.Context) (tftypes.Value, error)
	}: // a value of terraform-plugin-framework
		if null, is := data.(interface{ IsNull() bool }); is && null.IsNull() {
			return nil, false, nil // a zero value has no type, and ToTerraformValue panics
		}
		value, err := data.ToTerraformValue(context.Background())
		if err != nil {
			err = errors.New("cannot be converted to a value") // the error may contain a value
		}
		return value, true, err
	case ctydata.Valuer:
		return data, false, nil
	}
	return openKind(v)
}

// openTF converts a tftypes.Value, which may be incomplete.
func openTF(v tftypes.Value) (any, error) {
	if v.Type() == nil {
		return nil, errors.New("is the zero tftypes.Value")
	}
	return tfconv.ValueToCty(v, cty.NilType)
}

func nilable(kind reflect.Kind) bool {
	switch kind {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.Interface:
		return true
	}
	return false
}

// openKind converts data by its kind, as encoding/json does.
func openKind(v reflect.Value) (plain any, again bool, err error) {
	switch data := v.Interface().(type) {
	case json.Marshaler, encoding.TextMarshaler:
		return openJSON(data)
	}
	switch v.Kind() {
	case reflect.Pointer:
		return v.Elem().Interface(), true, nil
	case reflect.Bool:
		return v.Bool(), false, nil
	case reflect.String:
		return v.String(), false, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), false, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return v.Uint(), false, nil
	case reflect.Float32:
		return float32(v.Float()), false, nil
	case reflect.Float64:
		return v.Float(), false, nil
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[byte]() {
			return openJSON(v.Interface())
		}
		return v.Interface(), false, nil // package ctydata converts it
	case reflect.Map:
		return openMap(v)
	case reflect.Struct:
		return openStruct(v)
	}
	return nil, false, fmt.Errorf("a %s is not supported", v.Type())
}

// openJSON converts data with encoding/json.
func openJSON(data any) (plain any, again bool, err error) {
	text, err := json.Marshal(data)
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		err = dec.Decode(&plain)
	}
	if err != nil { // the error may contain the data
		return nil, false, fmt.Errorf("encoding/json cannot encode this %T", data)
	}
	return plain, false, nil
}

// openMap converts a map with string keys. encoding/json converts other keys.
func openMap(v reflect.Value) (plain any, again bool, err error) {
	if v.Type().Key().Kind() != reflect.String {
		return openJSON(v.Interface())
	}
	return v.Interface(), false, nil // package ctydata converts it
}

func stringMap(v reflect.Value) map[string]any {
	entries := make(map[string]any, v.Len())
	for it := v.MapRange(); it.Next(); {
		entries[it.Key().String()] = it.Value().Interface()
	}
	return entries
}

// openStruct returns the exported fields with a tag of terraform-plugin-framework, also of embedded
// structs. It converts a struct without such fields with encoding/json.
func openStruct(v reflect.Value) (plain any, again bool, err error) {
	entries := map[string]any{}
	for _, field := range reflect.VisibleFields(v.Type()) {
		name := field.Tag.Get("tfsdk")
		if name == "" || name == "-" || !field.IsExported() {
			continue
		}
		if value, err := v.FieldByIndexErr(field.Index); err == nil { // otherwise in an embedded pointer that is nil
			entries[name] = value.Interface()
		}
	}
	if len(entries) == 0 {
		return openJSON(v.Interface())
	}
	return entries, false, nil
}
