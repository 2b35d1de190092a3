// Package placeholder knows the objects that stand for something that JSON does not have:
// unknown values, strings that are not UTF-8, types, and maps with such keys.
package placeholder

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/spelling"
)

// The keys of objects that stand for something that JSON does not have. Such an
// object has one of them and nothing else.
const (
	KeyUnknown   = "$unknown"   // true, or what is promised of the value
	KeySensitive = "$sensitive" // the value
	KeyBytes     = "$bytes"     // the base64 of a string
	KeyLiteral   = "$literal"   // the object whose keys are taken as they are
	KeyTyped     = "$typed"     // a type and the value, where any type may be
)

var keys = []string{KeyUnknown, KeySensitive, KeyBytes, KeyLiteral, KeyTyped}

// Form returns the key of an object with a placeholder, "" if it is an ordinary one. Another
// key that begins with $ is an error, since it may be one of them that is
// misspelt. It is not shown, since it may be anything.
func Form(data map[string]any) (key string, err error) {
	for k := range data {
		if strings.HasPrefix(k, "$") && !strings.HasPrefix(k, BytesPrefix) && !slices.Contains(keys, k) {
			return "", fmt.Errorf(`a key that begins with $ is none of %s%s; an object that is meant to have such a key is {"%s": {...}}`,
				strings.Join(keys, ", "), meant(data), KeyLiteral)
		}
	}
	for _, k := range keys {
		if _, ok := data[k]; ok {
			key = k
		}
	}
	if key != "" && len(data) > 1 {
		return "", fmt.Errorf(`an object with the key %s must have nothing else; one that is meant to have such a key is {"%s": {...}}`, key, KeyLiteral)
	}
	return key, nil
}

// meant returns a question for the key of a form that is misspelt, or "".
func meant(data map[string]any) string {
	for _, k := range slices.Sorted(maps.Keys(data)) {
		if !strings.HasPrefix(k, "$") || slices.Contains(keys, k) {
			continue
		}
		if key := spelling.Nearest(strings.ToLower(k), keys); key != "" {
			return fmt.Sprintf("; did you mean %q?", key)
		}
	}
	return ""
}

// Wrong is a ctydata.Valuer that always returns an error. ctydata adds the place.
type Wrong struct{ Err error }

// CtyValue returns the error.
func (w Wrong) CtyValue(cty.Type) (cty.Value, error) { return cty.NilVal, w.Err }

// Null is the data of null: a ctydata.Valuer. Without it, blocks that are null
// would be empty.
type Null struct{}

// CtyValue returns the null of the type.
func (Null) CtyValue(ty cty.Type) (cty.Value, error) { return cty.NullVal(ty), nil }
