package wire

import (
	"reflect"
)

// Convert converts a struct of protocol 5 to the struct of protocol 6, or the reverse. The
// structs of tfprotov5 and tfprotov6 have fields with the same names. Values with a type that
// both protocols share, such as bytes and paths, are not copied. If from already has the type To,
// Convert returns it. Fields that the other protocol does not have remain zero.
func Convert[To any](from any) (to To) {
	convert(reflect.ValueOf(from), reflect.ValueOf(&to).Elem())
	return to
}

// Field returns the field of a struct as in protocol 6, or the zero To if there is no such field.
func Field[To any](from reflect.Value, name string) (to To) {
	if f := from.FieldByName(name); f.IsValid() {
		convert(f, reflect.ValueOf(&to).Elem())
	}
	return to
}

func convert(from, to reflect.Value) {
	if from.Type() == to.Type() {
		to.Set(from)
		return
	}
	switch from.Kind() {
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
			convert(from.Elem(), to.Elem())
		}
	case reflect.Struct:
		for i := range to.NumField() {
			if field := from.FieldByName(to.Type().Field(i).Name); field.IsValid() {
				convert(field, to.Field(i))
			}
		}
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		}
		for i := range from.Len() {
			convert(from.Index(i), to.Index(i))
		}
	case reflect.Map:
		if !from.IsNil() {
			to.Set(reflect.MakeMap(to.Type()))
		}
		for key, value := range from.Seq2() {
			element := reflect.New(to.Type().Elem()).Elem()
			convert(value, element)
			to.SetMapIndex(key, element)
		}
	default:
		to.Set(from.Convert(to.Type())) // an enumeration
	}
}
