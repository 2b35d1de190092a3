// Package expect converts Go data to values and compares values with the expectations of a test.
package expect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
)

// A check is a Check of package knownvalue of terraform-plugin-testing.
type check interface {
	CheckValue(value any) error
	String() string
}

// wanted converts the expected data of a test, except checks.
var wanted = ctydata.Format{Open: func(ty cty.Type, data any) (any, error) {
	if like, is := data.(typedLike); is && ty == cty.DynamicPseudoType && like.ty != ty {
		return ctydata.Typed{Type: like.ty, Data: like.data}, nil
	}
	return untyped.Open(ty, data)
}}

// untyped is like wanted, for data that cannot be converted to the type of the actual value.
var untyped = ctydata.Format{Open: func(ty cty.Type, data any) (any, error) {
	if like, is := data.(typedLike); is {
		data = like.data
	}
	if _, is := data.(*regexp.Regexp); is {
		return nil, errors.New("a *regexp.Regexp is not supported: to check a string, use knownvalue.StringRegexp of terraform-plugin-testing")
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
	paths := stringMap(want)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		lines = append(lines, unmetAt(schema, value, path, paths[path])...)
	}
	return lines
}

// unequalTo returns a line for each difference from the data.
func unequalTo(schema *objchange.Schema, value cty.Value, data any) (lines []string) {
	want, err := wanted.ValueOf(schema.Block(), data)
	if err != nil {
		want, err = untyped.ValueOf(schema.Block(), data)
	}
	if err != nil {
		return []string{"invalid expected value: " + err.Error()}
	}
	if !exists(value) {
		value = cty.NullVal(cty.DynamicPseudoType)
	}
	changes, err := objchange.Diff(schema, value, want)
	if err != nil {
		return []string{err.Error()}
	}
	for _, c := range changes {
		lines = append(lines, c.String())
	}
	return append(lines, nearestElements(schema, value, want)...)
}

// nearestElements returns a line for each set that has an element similar to a wanted element,
// with the difference. It adapts messages about a plan.
func nearestElements(schema *objchange.Schema, value, want cty.Value) (lines []string) {
	words := strings.NewReplacer("the planned element", "the expected element", "that was not planned", "that was not expected")
	for _, v := range objchange.AssertPlanConsistent(schema, want, value) {
		if what, closest, ok := strings.Cut(v.Message, "; the closest "); ok {
			if has, expected := strings.CutPrefix(closest, "planned "); expected {
				closest = "expected " + has
			}
			lines = append(lines, fmt.Sprintf("%s: %s; the closest %s", v.PathString(), words.Replace(what), closest))
		}
	}
	return lines
}

// unmetAt is Unmet for one path.
func unmetAt(schema *objchange.Schema, value cty.Value, path string, want any) []string {
	at, err := follow(schema, value, path)
	if err != nil {
		return []string{err.Error()}
	}
	schema, value = topPart(schema, value, at.path)
	c, is := want.(check)
	place := schema.PathString(at.path)
	if !is {
		lines := unequalTo(schema, value, with(value, at.path, toAttribute(schema, at.path), want))
		if was, one := strings.CutPrefix(strings.Join(lines, "\n"), "- "+place+" = "); one && want == nil {
			return []string{fmt.Sprintf("~ %s: %s -> null", place, was)}
		}
		return lines
	}
	switch err = at.passes(c); {
	case err == nil:
		return nil
	case !at.secret(schema, value):
	case inSecret(schema, at.path):
		err = errors.New("(sensitive) does not pass the check")
	default:
		err = errors.New("does not pass the check; the reason is hidden because the value contains sensitive values: check other paths inside it")
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
	var plain any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&plain); err != nil {
		return err
	}
	return c.CheckValue(plain)
}

// secret reports whether the value at the path, above it, or inside it is sensitive. It changes
// the value to find out whether the change is shown.
func (at target) secret(schema *objchange.Schema, root cty.Value) bool {
	other, err := wanted.ValueOf(schema.Block(), with(root, at.path, toAttribute(schema, at.path), cty.DynamicVal))
	if err != nil {
		return true
	}
	changes, err := objchange.Diff(schema, root, other)
	return err != nil || slices.ContainsFunc(changes, func(c objchange.Change) bool { return c.Sensitive })
}

// topPart returns the schema and the value with only the attribute or block type that the path
// begins with.
func topPart(schema *objchange.Schema, value cty.Value, path cty.Path) (*objchange.Schema, cty.Value) {
	name := path[0].(cty.GetAttrStep).Name
	part := &configschema.Block{}
	if attr, is := schema.Block().Attributes[name]; is {
		part.Attributes = map[string]*configschema.Attribute{name: attr}
	} else {
		part.BlockTypes = map[string]*configschema.NestedBlock{name: schema.Block().BlockTypes[name]}
	}
	compiled, _ := objchange.Compile(part) // part is valid, because the whole schema is
	return compiled, cty.ObjectVal(map[string]cty.Value{name: value.GetAttr(name)})
}

// toAttribute returns the number of steps to the first attribute without a nested schema. It
// returns a larger number than the path has if the path does not reach such an attribute.
func toAttribute(schema *objchange.Schema, path cty.Path) int {
	for n := range path {
		if a := schema.Block().AttributeByPath(path[:n+1]); a != nil && a.NestedType == nil {
			return n + 1
		}
	}
	return len(path) + 1
}

// A typedLike is data with the type of the value that it replaces. The type is used where the
// schema is dynamic. Without it, the data would become tuples and objects there.
type typedLike struct {
	ty   cty.Type
	data any
}

// with returns the value as data, with other data at the path, which must exist. Data below the
// given number of steps gets the types of the value.
func with(v cty.Value, path cty.Path, steps int, data any) any {
	if len(path) > 0 {
		data = withPart(v, path, steps-1, data)
	}
	if steps > 0 {
		return data
	}
	return typedLike{v.Type(), data}
}

// withPart is with for a path that is not empty.
func withPart(v cty.Value, path cty.Path, steps int, data any) any {
	switch step := path[0].(type) {
	case cty.GetAttrStep:
		return withEntry(v, step.Name, path[1:], steps, data)
	case cty.IndexStep:
		if step.Key.Type() == cty.String {
			return withEntry(v, step.Key.AsString(), path[1:], steps, data)
		}
		var elems []any
		for key, elem := range v.Elements() {
			if key.RawEquals(step.Key) {
				elems = append(elems, with(elem, path[1:], steps, data))
			} else {
				elems = append(elems, elem)
			}
		}
		return elems
	}
	return data
}

// withEntry is with for an attribute of an object or an element of a map.
func withEntry(v cty.Value, name string, path cty.Path, steps int, data any) any {
	entries := map[string]any{}
	for key, part := range v.AsValueMap() {
		entries[key] = part
	}
	entries[name] = with(v.AsValueMap()[name], path, steps, data)
	return entries
}
