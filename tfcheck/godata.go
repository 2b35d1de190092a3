package tfcheck

import (
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// open returns the plain data of which a piece of Go data consists, one level
// deep: see builder. It is told the type of the place for the data that makes
// its own value. Without ok there was a problem.
func (b *builder) open(ty cty.Type, data any) (plain any, ok bool) {
	for range maxDepth { // pointers may form a cycle
		opened, again, err := b.openOnce(ty, data)
		if err != nil {
			b.fail("%v", err)
			return nil, false
		}
		if !again {
			return opened, true
		}
		data = opened
	}
	b.fail("%v", errDepth)
	return nil, false
}

func (b *builder) openOnce(ty cty.Type, data any) (plain any, again bool, err error) {
	switch data := data.(type) {
	case nil, bool, string, json.Number, []any, map[string]any, unknown, cty.Value:
		return data, false, nil
	case tftypes.Value:
		plain, err = openTF(data)
		return plain, false, err
	case *big.Float:
		if data == nil {
			return nil, false, nil
		}
		return new(big.Float).Copy(data), false, nil // cty keeps it
	}
	v := reflect.ValueOf(data)
	if nilable(v.Kind()) && v.IsNil() {
		return nil, false, nil
	}
	if framework, ok := data.(interface {
		ToTerraformValue(context.Context) (tftypes.Value, error)
	}); ok { // a value of terraform-plugin-framework
		value, err := framework.ToTerraformValue(context.Background())
		if err != nil {
			err = errors.New("makes no value") // the reason may show one
		}
		return value, true, err
	}
	if valuer, ok := data.(Valuer); ok {
		value, err := valuer.CtyValue(ty)
		if err != nil && b.way.hidden() {
			err = errors.New("makes no value") // the reason may show one
		}
		return value, false, err
	}
	return openKind(v)
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
		return new(big.Float).SetInt64(v.Int()), false, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return new(big.Float).SetUint64(v.Uint()), false, nil
	case reflect.Float32, reflect.Float64:
		plain, err = openFloat(v.Float(), v.Type().Bits())
		return plain, false, err
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
		plain, err = readJSON(text)
	}
	if err != nil { // whose text may show the data
		return nil, false, fmt.Errorf("encoding/json makes nothing of this %T", data)
	}
	return plain, false, nil
}

// openFloat takes a float for the decimal that it is written as, since in a
// configuration 0.1 is not the float next to it.
func openFloat(f float64, bits int) (any, error) {
	switch {
	case math.IsNaN(f):
		return nil, errors.New("NaN is no number")
	case math.IsInf(f, 0):
		return new(big.Float).SetFloat64(f), nil
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, bits)), nil
}

func openMap(v reflect.Value) (any, error) {
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
// names it gives them.
func openStruct(v reflect.Value) (any, error) {
	entries := map[string]any{}
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

// nearest returns the name that somebody may have meant, or "".
func nearest(name string, names []string) string {
	best, nearest := 1+len(name)/3, "" // as many slips are forgiven
	for _, other := range names {
		if d := levenshtein.Distance(name, other, nil); d <= best {
			best, nearest = d-1, other
		}
	}
	return nearest
}
