package expect

import (
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
	"github.com/objchange/objchange/internal/jsontext"
	"github.com/objchange/objchange/tfconv"
)

// ValueOf implements ValueOf of package driver.
func ValueOf(schema *configschema.Block, data any) (cty.Value, error) {
	return goData.ValueOf(schema, data)
}

var goData = ctydata.Format{Open: openGo}

// openGo converts Go data to data that package ctydata accepts, one level deep.
func openGo(_ cty.Type, data any) (any, error) { return open(data, 0) }

// maxDepth is the maximum number of consecutive pointers, which may form a cycle.
const maxDepth = 500

func open(data any, depth int) (any, error) {
	switch data := data.(type) {
	case nil, bool, string, float32, float64, json.Number, []any, map[string]any, cty.Value, *big.Float:
		return data, nil
	case tftypes.Value:
		return openTF(data)
	}
	v := reflect.ValueOf(data)
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		if v.IsNil() {
			return nil, nil
		}
	}
	switch data := data.(type) {
	case frameworkValue:
		return openFramework(data)
	case ctydata.Valuer:
		return data, nil
	case json.Marshaler, encoding.TextMarshaler:
		return openJSON(data)
	}
	bytes := v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[byte]()
	switch kind := v.Kind(); {
	case kind == reflect.Pointer && depth == maxDepth:
		return nil, fmt.Errorf("pointers nested deeper than %d levels", maxDepth)
	case kind == reflect.Pointer:
		return open(v.Elem().Interface(), depth+1)
	case kind == reflect.Struct:
		return openStruct(v)
	case (kind == reflect.Slice || kind == reflect.Array) && !bytes,
		kind == reflect.Map && v.Type().Key().Kind() == reflect.String:
		return data, nil // package ctydata converts it
	}
	return openJSON(data)
}

// openTF converts a tftypes.Value, which may be incomplete.
func openTF(v tftypes.Value) (any, error) {
	if v.Type() == nil {
		return nil, errors.New("is the zero tftypes.Value")
	}
	return tfconv.ValueToCty(v, cty.NilType)
}

// A frameworkValue is a value of terraform-plugin-framework.
type frameworkValue interface {
	ToTerraformValue(context.Context) (tftypes.Value, error)
}

func openFramework(data frameworkValue) (any, error) {
	if null, is := data.(interface{ IsNull() bool }); is && null.IsNull() {
		return nil, nil // a zero value has no type, and ToTerraformValue panics
	}
	value, err := data.ToTerraformValue(context.Background())
	if err != nil {
		return nil, errors.New("cannot be converted to a value") // the error may contain a value
	}
	return openTF(value)
}

// openJSON converts data with encoding/json.
func openJSON(data any) (plain any, err error) {
	text, err := json.Marshal(data)
	if err == nil {
		plain, err = jsontext.Parse(text)
	}
	if err != nil { // the error may contain the data
		return nil, fmt.Errorf("encoding/json cannot encode this %T", data)
	}
	return plain, nil
}

// openStruct returns the exported fields with a tag of terraform-plugin-framework, also of embedded
// structs. It converts a struct without such fields with encoding/json.
func openStruct(v reflect.Value) (any, error) {
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
	return entries, nil
}
