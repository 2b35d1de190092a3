// Package pointer creates JSON pointers into values.
package pointer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// New returns a JSON pointer.
func New(tokens ...string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteString("/" + escape.Replace(token))
	}
	return b.String()
}

// Of returns the JSON pointer from a value of the type to the subject of a violation. The pointer
// follows the path of the violation as far as its text shows it, and then the path inside the
// value.
func Of(ty cty.Type, v *objchange.Violation) string {
	path := Shown(v.Path, v.PathString())
	if len(path) == len(v.Path) {
		path = slices.Concat(path, v.Inside)
	}
	return New(Tokens(ty, path)...)
}

// Shown returns the prefix of a path that its text shows.
func Shown(path cty.Path, text string) cty.Path {
	for n := len(path); n > 0; n-- {
		if strings.HasPrefix(text, objchange.PathString(path[:n])) {
			return path[:n]
		}
	}
	return nil
}

// Tokens returns the names, keys and indexes of a path into a value of the type. It stops where the
// type does not determine them, for example at an element of a set, which has no index.
func Tokens(ty cty.Type, path cty.Path) (way []string) {
	for _, s := range path {
		switch s := s.(type) {
		case cty.GetAttrStep:
			if !ty.IsObjectType() || !ty.HasAttribute(s.Name) {
				return way
			}
			way, ty = append(way, s.Name), ty.AttributeType(s.Name)
		case cty.IndexStep:
			token, ok := indexToken(ty, s.Key)
			if !ok {
				return way
			}
			way, ty = append(way, token), Inside(ty, "")
		}
	}
	return way
}

// indexToken returns a key or an index as a token of a pointer.
func indexToken(ty cty.Type, key cty.Value) (string, bool) {
	switch {
	case key.IsMarked() || !key.IsKnown() || key.IsNull():
	case ty.IsMapType() && key.Type() == cty.String:
		return key.AsString(), utf8.ValidString(key.AsString())
	case (ty.IsListType() || ty.IsTupleType()) && key.Type() == cty.Number:
		return key.AsBigFloat().Text('f', -1), true
	}
	return "", false
}

// Inside returns the type that a name or an index leads to.
func Inside(ty cty.Type, name string) cty.Type {
	switch {
	case ty.IsObjectType() && ty.HasAttribute(name):
		return ty.AttributeType(name)
	case ty.IsCollectionType():
		return ty.ElementType()
	}
	return cty.DynamicPseudoType
}
