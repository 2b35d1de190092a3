// Package placeholder implements the JSON objects that represent values without a JSON form:
// unknown values, strings that are not UTF-8, types, and maps with such keys.
package placeholder

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// The keys of placeholder objects. Such an object has exactly one of these keys and no others.
const (
	KeyUnknown   = "$unknown"   // true, or an object with the refinements
	KeySensitive = "$sensitive" // a hidden value; only in output
	KeyBytes     = "$bytes"     // the base64 of a string
	KeyLiteral   = "$literal"   // the object whose keys are taken literally
	KeyTyped     = "$typed"     // an object with type and value, for a place of the dynamic type
)

var keys = []string{KeyUnknown, KeyBytes, KeyLiteral, KeyTyped}

// Form returns the key of a placeholder, or "" for an ordinary object. It returns an error for
// other keys that begin with $, because they may be misspelled. The error does not contain the key,
// because the key may be sensitive.
func Form(data map[string]any) (key string, err error) {
	for k := range data {
		if strings.HasPrefix(k, "$") && !strings.HasPrefix(k, BytesPrefix) && !slices.Contains(keys, k) {
			return "", fmt.Errorf(`a key that begins with $ must be one of %s; `+
				`to write an object with another such key, use {"%s": {...}}`, strings.Join(keys, ", "), KeyLiteral)
		}
	}
	for _, k := range keys {
		if _, ok := data[k]; ok {
			key = k
		}
	}
	if key != "" && len(data) > 1 {
		return "", fmt.Errorf(`an object with the key %s must have no other keys; `+
			`to write an object with such a key, use {"%s": {...}}`, key, KeyLiteral)
	}
	return key, nil
}

// Wrong is a ctydata.Valuer that always returns an error. ctydata adds the path.
type Wrong struct{ Err error }

// CtyValue returns the error.
func (w Wrong) CtyValue(cty.Type) (cty.Value, error) { return cty.NilVal, w.Err }

// Null is the data of null. It is a ctydata.Valuer. Without it, null blocks would become empty
// blocks.
type Null struct{}

// CtyValue returns the null of the type.
func (Null) CtyValue(ty cty.Type) (cty.Value, error) { return cty.NullVal(ty), nil }
