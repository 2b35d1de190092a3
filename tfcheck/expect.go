package tfcheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// A check is what package knownvalue of terraform-plugin-testing calls a Check.
type check interface {
	CheckValue(value any) error
	String() string
}

// wanted makes values of what a test expects, which are not checks.
var wanted = objchange.DataFormat{Open: func(ty cty.Type, data any) (any, error) {
	if _, is := data.(check); is {
		if _, opens := data.(objchange.Valuer); !opens {
			return nil, fmt.Errorf("a %T is a check, which stands at a path of its own", data)
		}
	}
	return openGo(ty, data)
}}

// expect fails the test unless the value is the one that is wanted.
func expect(t testing.TB, what string, schema *objchange.Block, value cty.Value, want any) {
	t.Helper()
	if lines := unmet(schema, value, want); len(lines) > 0 {
		t.Errorf("%s is not as expected (-got +want):\n  %s", what, strings.Join(lines, "\n  "))
	}
}

// unmet has a line for each thing that is not as wanted.
func unmet(schema *objchange.Block, value cty.Value, want any) (lines []string) {
	if v := reflect.ValueOf(want); v.Kind() == reflect.Map {
		return unmetAtPaths(schema, value, v)
	}
	if want == nil && exists(value) {
		return []string{"there is an object, and none was wanted"}
	}
	whole, err := wanted.ValueOf(schema, want)
	if err != nil {
		return []string{"what is wanted cannot be: " + err.Error()}
	}
	return unequal(schema, value, whole)
}

// exists reports whether the value is an object.
func exists(v cty.Value) bool { return there(v) && !v.IsNull() }

// unmetAtPaths is unmet for a map by paths.
func unmetAtPaths(schema *objchange.Block, value cty.Value, want reflect.Value) (lines []string) {
	if !exists(value) {
		return []string{"there is no object"}
	}
	paths, err := openMap(want)
	if err != nil {
		return []string{err.Error()}
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		lines = append(lines, unmetAt(schema, value, path, paths[path])...)
	}
	return lines
}

// unequal has a line for each difference.
func unequal(schema *objchange.Block, got, want cty.Value) (lines []string) {
	if !exists(got) {
		got = cty.NullVal(cty.DynamicPseudoType)
	}
	changes, err := objchange.Diff(schema, got, want)
	if err != nil {
		return []string{err.Error()}
	}
	for _, c := range changes {
		lines = append(lines, c.String())
	}
	return lines
}

// unmetAt is unmet for one path.
func unmetAt(schema *objchange.Block, value cty.Value, path string, want any) []string {
	at, err := follow(schema, value, path)
	if err != nil {
		return []string{err.Error()}
	}
	if c, is := want.(check); is {
		err = at.passes(c)
	} else if other, cannot := wanted.ValueOfType(at.value.Type(), want); cannot != nil {
		err = fmt.Errorf("what is wanted cannot be: %w", cannot)
	} else {
		return unequal(schema, value, put(value, at.path, other))
	}
	switch {
	case err == nil:
		return nil
	case at.secret(schema, value):
		err = errors.New("(sensitive) is not as wanted")
	}
	return []string{schema.PathString(at.path) + ": " + err.Error()}
}

// passes gives the value to a check, as Terraform writes it in JSON.
func (at target) passes(c check) error {
	if !at.value.IsWhollyKnown() {
		return errors.New("is not wholly known")
	}
	text, err := ctyjson.Marshal(at.value, at.value.Type())
	if err != nil {
		return err
	}
	var plain any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&plain); err != nil {
		return err
	}
	return c.CheckValue(plain)
}

// secret reports whether the place, one above it or something inside is
// sensitive, and so what is told if it becomes another.
func (at target) secret(schema *objchange.Block, root cty.Value) bool {
	changes, err := objchange.Diff(schema, root, put(root, at.path, cty.UnknownVal(at.value.Type())))
	return err != nil || slices.ContainsFunc(changes, func(c objchange.Change) bool { return c.Sensitive })
}

// put returns the value with another one at the path, which leads to something.
func put(v cty.Value, path cty.Path, other cty.Value) cty.Value {
	if len(path) == 0 {
		return other
	}
	switch step := path[0].(type) {
	case cty.GetAttrStep:
		attrs := v.AsValueMap()
		attrs[step.Name] = put(attrs[step.Name], path[1:], other)
		return cty.ObjectVal(attrs)
	case cty.IndexStep:
		if v.Type().IsMapType() {
			elems, key := v.AsValueMap(), step.Key.AsString()
			elems[key] = put(elems[key], path[1:], other)
			return cty.MapVal(elems)
		}
		elems := v.AsValueSlice()
		i, _ := step.Key.AsBigFloat().Int64()
		elems[i] = put(elems[i], path[1:], other)
		if v.Type().IsListType() {
			return cty.ListVal(elems)
		}
		return cty.TupleVal(elems)
	}
	return v
}
