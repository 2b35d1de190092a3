// Package expect converts Go data to values and compares values with the expectations of a test.
package expect

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/jsontext"
)

// A check is a Check of package knownvalue of terraform-plugin-testing.
type check interface {
	CheckValue(value any) error
	String() string
}

// wanted converts the expected data of a test, except checks.
var wanted = ctydata.Format{Open: func(ty cty.Type, data any) (any, error) {
	if _, is := data.(*regexp.Regexp); is {
		return nil, errors.New("a *regexp.Regexp is not supported: " +
			"to check a string, use knownvalue.StringRegexp of terraform-plugin-testing")
	}
	if _, is := data.(check); is {
		if _, opens := data.(ctydata.Valuer); !opens {
			return nil, fmt.Errorf("a %T is a check: use it at a path of its own", data)
		}
	}
	return openGo(ty, data)
}}

// Check fails the test unless the value is the expected one.
func Check(t testing.TB, what string, schema *objchange.Schema, value cty.Value, want any) {
	t.Helper()
	if lines := Unmet(schema, value, want); len(lines) > 0 {
		all := strings.Join(lines, "\n")
		t.Errorf("%s is not as expected (-got +want):\n  %s", what, strings.ReplaceAll(all, "\n", "\n  "))
	}
}

// Unmet returns a line for each difference from the expectation.
func Unmet(schema *objchange.Schema, value cty.Value, want any) (lines []string) {
	if v := reflect.ValueOf(want); v.Kind() == reflect.Map {
		return unmetAtPaths(schema, value, v)
	}
	if want == nil && exists(value) {
		return []string{"the object exists, but none was expected"}
	}
	return unequalTo(schema, value, want)
}

// exists reports whether the value is an object.
func exists(v cty.Value) bool { return v != cty.NilVal && !v.IsNull() }

// unmetAtPaths is Unmet for a map from paths to expectations.
func unmetAtPaths(schema *objchange.Schema, value cty.Value, want reflect.Value) (lines []string) {
	if !exists(value) {
		return []string{"there is no object"}
	}
	if want.Type().Key().Kind() != reflect.String {
		return []string{fmt.Sprintf("a %s is not a map with paths as keys", want.Type())}
	}
	paths := map[string]any{}
	for path, expected := range want.Seq2() {
		paths[path.String()] = expected.Interface()
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		lines = append(lines, unmetAt(schema, value, path, paths[path])...)
	}
	return lines
}

// unequalTo returns a line for each difference from the data.
func unequalTo(schema *objchange.Schema, value cty.Value, data any) (lines []string) {
	want, err := wanted.ValueOf(schema.Block(), data)
	if err != nil {
		return []string{"invalid expected value: " + err.Error()}
	}
	if !exists(value) {
		value = cty.NullVal(cty.DynamicPseudoType)
	}
	// Where the schema is dynamic, the data has become tuples and objects.
	if typed, err := convert.Convert(want, value.Type()); err == nil {
		want = typed
	}
	changes, err := objchange.Diff(schema, value, want)
	if err != nil {
		return []string{err.Error()}
	}
	for _, c := range changes {
		lines = append(lines, c.String())
	}
	return lines
}

// unmetAt is Unmet for one path.
func unmetAt(schema *objchange.Schema, value cty.Value, path string, want any) []string {
	at, err := follow(schema, value, path)
	if err != nil {
		return []string{err.Error()}
	}
	c, is := want.(check)
	place := schema.PathString(at.path)
	if !is {
		return unequalTo(schema, value, with(value, at.path, want))
	}
	switch err = at.passes(c); {
	case err == nil:
		return nil
	case !at.secret(schema, value):
	case inSecret(schema, at.path):
		err = errors.New("(sensitive) does not pass the check")
	default:
		err = errors.New("does not pass the check; " +
			"the reason is hidden because the value contains sensitive values: check other paths inside it")
	}
	return []string{place + ": " + err.Error()}
}

// inSecret reports whether the path leads to a sensitive value, or into one.
func inSecret(schema *objchange.Schema, path cty.Path) bool {
	for n := range len(path) {
		if a := schema.Block().AttributeByPath(path[:n+1]); a != nil && (a.Sensitive || a.WriteOnly) {
			return true
		}
	}
	return false
}

// passes calls the check with the value as Terraform writes it in JSON.
func (at target) passes(c check) error {
	if !at.value.IsWhollyKnown() {
		return errors.New("is not wholly known, so no check can pass: compare unknown values with cty.DynamicVal")
	}
	text, err := ctyjson.Marshal(at.value, at.value.Type())
	if err != nil {
		return err
	}
	plain, err := jsontext.Parse(text)
	if err != nil {
		return err
	}
	return c.CheckValue(plain)
}

// secret reports whether the value at the path, above it, or inside it is sensitive. It changes
// the value to find out whether the change is shown.
func (at target) secret(schema *objchange.Schema, root cty.Value) bool {
	other, err := wanted.ValueOf(schema.Block(), with(root, at.path, cty.DynamicVal))
	if err != nil {
		return true
	}
	changes, err := objchange.Diff(schema, root, other)
	return err != nil || slices.ContainsFunc(changes, func(c objchange.Change) bool { return c.Sensitive })
}

// with returns the value as data, with other data at the path, which must exist.
func with(v cty.Value, path cty.Path, data any) any {
	if len(path) == 0 {
		return data
	}
	var at cty.Value // the key of the part
	switch step := path[0].(type) {
	case cty.GetAttrStep:
		at = cty.StringVal(step.Name)
	case cty.IndexStep:
		at = step.Key
	}
	named, elems := map[string]any{}, []any{}
	for key, part := range v.Elements() {
		var replaced any = part
		if key.RawEquals(at) {
			replaced = with(part, path[1:], data)
		}
		if key.Type() == cty.String {
			named[key.AsString()] = replaced
		} else {
			elems = append(elems, replaced)
		}
	}
	if len(elems) > 0 {
		return elems
	}
	return named
}
