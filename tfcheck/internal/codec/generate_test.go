package codec

import (
	"fmt"
	"reflect"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"
)

var types = []tftypes.Type{
	tftypes.String, tftypes.Number, tftypes.Bool, tftypes.DynamicPseudoType,
	tftypes.List{ElementType: tftypes.String},
	tftypes.Set{ElementType: tftypes.Number},
	tftypes.Map{ElementType: tftypes.Bool},
	tftypes.Tuple{ElementTypes: []tftypes.Type{tftypes.String, tftypes.Bool}},
	tftypes.Object{
		AttributeTypes:     map[string]tftypes.Type{"a": tftypes.String, "<b>&": tftypes.Number},
		OptionalAttributes: map[string]struct{}{"a": {}},
	},
}

// generated draws a value of the type. Recursive structs end at the depth.
func generated(t *rapid.T, typ reflect.Type, depth int) reflect.Value {
	v := reflect.New(typ).Elem()
	switch typ {
	case reflect.TypeFor[tftypes.Type]():
		v.Set(reflect.ValueOf(rapid.SampledFrom(types).Draw(t, "type")))
		return v
	case reflect.TypeFor[*tftypes.AttributePath]():
		v.Set(reflect.ValueOf(generatedPath(t)))
		return v
	case reflect.TypeFor[time.Time]():
		seconds := rapid.Int64Range(-62135596800, 253402300799).Draw(t, "seconds")
		v.Set(reflect.ValueOf(time.Unix(seconds, rapid.Int64Range(0, 999999999).Draw(t, "nanos")).UTC()))
		return v
	}
	switch typ.Kind() {
	case reflect.Struct:
		for i := range typ.NumField() {
			if f := typ.Field(i); there(t, f.Type, depth) {
				v.Field(i).Set(generated(t, f.Type, depth-1))
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(typ.Elem()))
		v.Elem().Set(generated(t, typ.Elem(), depth))
	case reflect.Slice:
		for range rapid.IntRange(1, 3).Draw(t, "length") {
			v.Set(reflect.Append(v, generated(t, typ.Elem(), depth)))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(typ))
		for range rapid.IntRange(1, 3).Draw(t, "entries") {
			v.SetMapIndex(generated(t, typ.Key(), depth), generated(t, typ.Elem(), depth))
		}
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "string"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Int32: // the enums
		v.SetInt(rapid.Int64Range(0, 5).Draw(t, "enum"))
	case reflect.Uint8:
		v.SetUint(rapid.Uint64Range(0, 255).Draw(t, "byte"))
	default:
		t.Fatalf("no values of type %s are generated", typ)
	}
	return v
}

// there draws whether an optional field is set.
func there(t *rapid.T, typ reflect.Type, depth int) bool {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return depth > 0 && rapid.IntRange(0, 3).Draw(t, "there") > 0
	}
	return true
}

func generatedPath(t *rapid.T) *tftypes.AttributePath {
	path := tftypes.NewAttributePath()
	for i := range rapid.IntRange(0, 4).Draw(t, "steps") {
		switch rapid.IntRange(0, 2).Draw(t, "step") {
		case 0:
			path = path.WithAttributeName(fmt.Sprint("a", i))
		case 1:
			path = path.WithElementKeyString(rapid.String().Draw(t, "key"))
		case 2:
			path = path.WithElementKeyInt(rapid.Int().Draw(t, "index"))
		}
	}
	return path
}
