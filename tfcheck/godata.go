package tfcheck

import (
	"bytes"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

// ValueOf is ctydata.ValueOf for more of what a test or a program has at hand:
//
//   - structs by the tags of terraform-plugin-framework (tfsdk), or else by the rules
//     and tags of encoding/json, and maps, are objects, maps and blocks; slices and
//     arrays are lists, sets, tuples and blocks
//   - pointers are what they point to, and those that are nil, like nil maps and
//     slices, are null
//   - tftypes.Value and values of terraform-plugin-framework (ToTerraformValue) may
//     be anywhere, and need not be complete either; those that are null are null,
//     blocks too
//   - other types are what encoding/json makes of them
//
// Nothing panics, whatever the data's own methods do.
func ValueOf(schema *configschema.Block, data any) (cty.Value, error) {
	return goData.ValueOf(schema, data)
}

var goData = ctydata.Format{Open: openGo}

// openGo returns the plain data of which a piece of Go data consists, one level
// deep.
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

// maxDepth is how many pointers in a row are followed.
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
			return nil, false, nil // a zero one has no type, and panics
		}
		value, err := data.ToTerraformValue(context.Background())
		if err != nil {
			err = errors.New("makes no value") // the reason may show one
		}
		return value, true, err
	case ctydata.Valuer:
		return data, false, nil
	}
	return openKind(v)
}

// openTF returns what is in a value of tftypes, which may be incomplete.
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

// openKind opens data by its kind, as encoding/json does.
func openKind(v reflect.Value) (plain any, again bool, err error) {
	switch data := v.Interface().(type) {
	case json.Marshaler, encoding.TextMarshaler, []byte:
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
		elems := make([]any, v.Len())
		for i := range elems {
			elems[i] = v.Index(i).Interface()
		}
		return elems, false, nil
	case reflect.Map:
		plain, err = openMap(v)
		return plain, false, err
	case reflect.Struct:
		plain, err = openStruct(v)
		return plain, false, err
	}
	return nil, false, fmt.Errorf("a %s is no data", v.Type())
}

// openJSON opens data that says itself what JSON it is.
func openJSON(data any) (plain any, again bool, err error) {
	text, err := json.Marshal(data)
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		err = dec.Decode(&plain)
	}
	if err != nil { // whose text may show the data
		return nil, false, fmt.Errorf("encoding/json makes nothing of this %T", data)
	}
	return plain, false, nil
}

func openMap(v reflect.Value) (map[string]any, error) {
	entries := make(map[string]any, v.Len())
	for it := v.MapRange(); it.Next(); {
		key, err := mapKey(it.Key())
		if err != nil {
			return nil, err
		}
		entries[key] = it.Value().Interface()
	}
	return entries, nil
}

func mapKey(key reflect.Value) (string, error) {
	if key.Kind() == reflect.String {
		return key.String(), nil
	}
	if marshaler, ok := key.Interface().(encoding.TextMarshaler); ok {
		text, err := marshaler.MarshalText()
		if err != nil {
			return "", fmt.Errorf("a key, a %s, makes no text", key.Type())
		}
		return string(text), nil
	}
	switch {
	case key.CanInt():
		return strconv.FormatInt(key.Int(), 10), nil
	case key.CanUint():
		return strconv.FormatUint(key.Uint(), 10), nil
	}
	return "", fmt.Errorf("a map with keys of type %s is no data", key.Type())
}

// openStruct returns the fields of a struct that encoding/json sees, by the
// names it gives them; or those with a tag of terraform-plugin-framework, if there
// are any.
func openStruct(v reflect.Value) (any, error) {
	entries, err := openModel(v)
	if err != nil || len(entries) > 0 {
		return entries, err
	}
	for name, field := range jsonFields(v.Type()) {
		value, err := v.FieldByIndexErr(field.index)
		switch {
		case err != nil: // in an embedded pointer that is nil
		case field.omitEmpty && empty(value):
		case field.omitZero && value.IsZero():
		case field.quoted:
			text, err := json.Marshal(value.Interface())
			if err != nil {
				return nil, fmt.Errorf("encoding/json makes nothing of the field %q", name)
			}
			entries[name] = string(text)
		case !value.CanInterface(): // an embedded struct of a type that is not exported
			if entries[name], err = openStruct(reflect.Indirect(value)); err != nil {
				return nil, err
			}
		default:
			entries[name] = value.Interface()
		}
	}
	return entries, nil
}

// openModel returns the fields with a tag of terraform-plugin-framework, as that
// sees them.
func openModel(v reflect.Value) (map[string]any, error) {
	entries, fields := map[string]any{}, map[string]string{}
	var ignored [][]int // embedded structs
	for _, field := range reflect.VisibleFields(v.Type()) {
		name := field.Tag.Get("tfsdk")
		switch {
		case name == "-":
			ignored = append(ignored, field.Index)
			continue
		case name == "" || inAny(ignored, field.Index):
			continue
		case !field.IsExported():
			return nil, fmt.Errorf("the field %s has the tag %q, but is not exported", field.Name, name)
		case fields[name] != "":
			return nil, fmt.Errorf("the fields %s and %s both have the tag %q", fields[name], field.Name, name)
		}
		fields[name] = field.Name
		if value, err := v.FieldByIndexErr(field.Index); err == nil { // else in an embedded pointer that is nil
			entries[name] = value.Interface()
		}
	}
	return entries, nil
}

// empty reports what omitempty asks.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// A jsonField is a field of a struct, perhaps one of an embedded struct.
type jsonField struct {
	index                       []int
	tagged                      bool
	omitEmpty, omitZero, quoted bool
}

// jsonFields returns the fields by their names in JSON. Of several with one name
// the least deep counts, and of those the one with a tag; if there are still
// several, none does.
func jsonFields(ty reflect.Type) map[string]jsonField {
	fields, clashes := map[string]jsonField{}, map[string]jsonField{}
	var named [][]int // embedded structs with a name, whose fields are theirs
	for _, f := range reflect.VisibleFields(ty) {
		tag, hasTag := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case inAny(named, f.Index):
			continue
		case tag == "-" || f.Anonymous && hasTag && name != "":
			named = append(named, f.Index)
		}
		embedded := f.Anonymous && isStruct(f.Type)
		if tag == "-" || embedded && name == "" || !embedded && !f.IsExported() {
			continue
		}
		field := jsonField{index: f.Index, tagged: name != ""}
		for _, option := range strings.Split(options, ",") {
			field.omitEmpty = field.omitEmpty || option == "omitempty"
			field.omitZero = field.omitZero || option == "omitzero"
			field.quoted = field.quoted || option == "string" && isScalar(f.Type)
		}
		if name == "" {
			name = f.Name
		}
		if old, twice := fields[name]; !twice || field.before(old) {
			fields[name] = field
		} else if !old.before(field) {
			clashes[name] = field
		}
	}
	for name, field := range clashes {
		if !fields[name].before(field) {
			delete(fields, name)
		}
	}
	return fields
}

func (f jsonField) before(o jsonField) bool {
	return len(f.index) < len(o.index) || len(f.index) == len(o.index) && f.tagged && !o.tagged
}

// inAny reports whether a field is inside one of the embedded structs.
func inAny(structs [][]int, index []int) bool {
	for _, outer := range structs {
		if len(outer) < len(index) && reflect.DeepEqual(outer, index[:len(outer)]) {
			return true
		}
	}
	return false
}

func isStruct(ty reflect.Type) bool {
	return ty.Kind() == reflect.Struct || ty.Kind() == reflect.Pointer && ty.Elem().Kind() == reflect.Struct
}

func isScalar(ty reflect.Type) bool {
	if ty.Kind() == reflect.Pointer {
		ty = ty.Elem()
	}
	return ty.Kind() == reflect.Bool || ty.Kind() == reflect.String || ty.Kind() >= reflect.Int && ty.Kind() <= reflect.Float64
}
