package wire

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// Convert converts a struct of protocol 5 to the struct of protocol 6, or the reverse. Values with a
// type that both protocols share, such as bytes and paths, are not copied. If from already has the
// type To, Convert returns it. Fields that the other protocol does not have remain zero.
func Convert[To any](from any) (to To) {
	_ = Copy(reflect.ValueOf(from), reflect.ValueOf(&to).Elem(), nil) // only a Special returns errors
	return to
}

// Field returns the field of a struct as in protocol 6, or the zero To if there is no such field.
func Field[To any](from reflect.Value, name string) (to To) {
	if f := from.FieldByName(name); f.IsValid() {
		_ = Copy(f, reflect.ValueOf(&to).Elem(), nil)
	}
	return to
}

// A Special copies a value whose types have different forms. It returns false for all other types.
type Special func(from, to reflect.Value) (done bool, err error)

// Copy copies a value to a zero value of another type. The structs of tfprotov5 and tfprotov6, and
// the generated structs of messages, have fields with the same names, apart from case. Copy ignores
// fields that only one of the structs has. The special may be nil.
func Copy(from, to reflect.Value, special Special) error {
	if from.Type() == to.Type() {
		to.Set(from)
		return nil
	}
	if special != nil {
		if done, err := special(from, to); done || err != nil {
			return err
		}
	}
	if from.Kind() == reflect.Pointer && from.IsNil() {
		return nil
	}
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		return Copy(reflect.Indirect(from), to.Elem(), special)
	}
	switch from.Kind() {
	case reflect.Pointer:
		return Copy(from.Elem(), to, special)
	case reflect.Struct:
		return copyFields(from, to, special)
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		}
		for i := range from.Len() {
			if err := Copy(from.Index(i), to.Index(i), special); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
	case reflect.Map:
		if !from.IsNil() {
			to.Set(reflect.MakeMapWithSize(to.Type(), from.Len()))
		}
		for key, value := range from.Seq2() {
			element := reflect.New(to.Type().Elem()).Elem()
			if err := Copy(value, element, special); err != nil {
				return fmt.Errorf("%q: %w", key, err)
			}
			to.SetMapIndex(key, element)
		}
	default:
		to.Set(from.Convert(to.Type())) // an enumeration
	}
	return nil
}

func copyFields(from, to reflect.Value, special Special) error {
	indexes := FieldsOf(from.Type())
	for i, name := range fieldNames(to.Type()) {
		at, ok := indexes[name]
		if !ok || from.Field(at).IsZero() {
			continue
		}
		if err := Copy(from.Field(at), to.Field(i), special); err != nil {
			return fmt.Errorf("%s: %w", to.Type().Field(i).Name, err)
		}
	}
	return nil
}

// known caches the results of FieldsOf and fieldNames.
var known, names sync.Map

// FieldsOf returns the index of each exported field of a struct, by its name without case.
func FieldsOf(structure reflect.Type) map[string]int {
	if fields, ok := known.Load(structure); ok {
		return fields.(map[string]int)
	}
	fields := map[string]int{}
	for i, name := range fieldNames(structure) {
		if name != "" {
			fields[name] = i
		}
	}
	known.Store(structure, fields)
	return fields
}

// fieldNames returns the name of each field without case, or "" if it is not exported.
func fieldNames(structure reflect.Type) []string {
	if all, ok := names.Load(structure); ok {
		return all.([]string)
	}
	all := make([]string, structure.NumField())
	for i := range all {
		switch f := structure.Field(i); {
		case !f.IsExported():
		case f.Name == "UnsafeToUseLegacyTypeSystem":
			all[i] = "legacytypesystem"
		default:
			all[i] = strings.ToLower(f.Name)
		}
	}
	names.Store(structure, all)
	return all
}
