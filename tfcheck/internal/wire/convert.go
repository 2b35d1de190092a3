package wire

import (
	"fmt"
	"reflect"
	"slices"
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
	for _, field := range pairsOf(from.Type(), to.Type()) {
		if from.Field(field.from).IsZero() {
			continue
		}
		if err := Copy(from.Field(field.from), to.Field(field.to), special); err != nil {
			return fmt.Errorf("%s: %w", to.Type().Field(field.to).Name, err)
		}
	}
	return nil
}

// A pair contains the indexes of two fields with the same name.
type pair struct{ from, to int }

// pairs caches the results of pairsOf.
var pairs sync.Map // of []pair by [2]reflect.Type

func pairsOf(from, to reflect.Type) (all []pair) {
	types := [2]reflect.Type{from, to}
	if known, ok := pairs.Load(types); ok {
		return known.([]pair)
	}
	indexes := FieldsOf(from)
	for name, i := range FieldsOf(to) {
		if at, ok := indexes[name]; ok {
			all = append(all, pair{at, i})
		}
	}
	slices.SortFunc(all, func(a, b pair) int { return a.to - b.to })
	pairs.Store(types, all)
	return all
}

// FieldsOf returns the index of each exported field of a struct, by its name without case.
func FieldsOf(structure reflect.Type) map[string]int {
	fields := map[string]int{}
	for i := range structure.NumField() {
		if f := structure.Field(i); f.IsExported() {
			fields[strings.ToLower(strings.TrimPrefix(f.Name, "UnsafeToUse"))] = i
		}
	}
	return fields
}
