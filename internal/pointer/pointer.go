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
// follows the path of the violation as far as it may be shown, and then the path inside the
// value.
func Of(ty cty.Type, v *objchange.Violation) string {
	return New(Tokens(ty, slices.Concat(v.Shown, v.Inside))...)
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
