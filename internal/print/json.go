package print

import (
	"encoding/json"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/jsontext"
	"github.com/objchange/objchange/internal/values"
)

// bothJSON returns the values of two strings that contain JSON objects or arrays.
func bothJSON(a, b cty.Value) (x, y cty.Value, ok bool) {
	if x, ok = jsonIn(a); !ok {
		return x, x, false
	}
	y, ok = jsonIn(b)
	return x, y, ok
}

func jsonIn(v cty.Value) (cty.Value, bool) {
	if v == cty.NilVal || v.Type() != cty.String || v.IsMarked() || !v.IsKnown() || v.IsNull() {
		return cty.NilVal, false
	}
	text := strings.TrimSpace(v.AsString())
	if len(text) < 2 || text[0] != '{' && text[0] != '[' || !json.Valid([]byte(text)) {
		return cty.NilVal, false
	}
	data, err := jsontext.Parse([]byte(text))
	if err != nil {
		return cty.NilVal, false
	}
	return valueOfJSON(data, 0)
}

// valueOfJSON returns JSON as a value. It returns false if the JSON is too large, or if different
// JSON could result in the same value.
func valueOfJSON(data any, depth int) (v cty.Value, ok bool) {
	switch data := data.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType), true
	case bool:
		return cty.BoolVal(data), true
	case string:
		return cty.StringVal(data), true
	case json.Number:
		return numberOfJSON(string(data))
	case []any:
		elems := make([]cty.Value, len(data))
		for i, elem := range data {
			if elems[i], ok = valueOfJSON(elem, depth+1); !ok || depth > maxJSONDepth {
				return cty.NilVal, false
			}
		}
		return cty.TupleVal(elems), true
	case map[string]any:
		parts := make(map[string]cty.Value, len(data))
		for name, elem := range data {
			name = cty.NormalizeString(name)
			if _, twice := parts[name]; twice || depth > maxJSONDepth {
				return cty.NilVal, false
			}
			if parts[name], ok = valueOfJSON(elem, depth+1); !ok {
				return cty.NilVal, false
			}
		}
		return cty.ObjectVal(parts), true
	}
	return cty.NilVal, false
}

const (
	maxJSONDepth  = 500  // maximal nesting of JSON in a string
	maxJSONDigits = 8192 // maximal length of its numbers, because decoding them takes quadratic time
)

func numberOfJSON(text string) (cty.Value, bool) {
	if len(text) > maxJSONDigits {
		return cty.NilVal, false
	}
	v, err := cty.ParseNumberVal(text)
	if err != nil || v.AsBigFloat().IsInf() || values.FarOut(v.AsBigFloat()) {
		return cty.NilVal, false
	}
	digits, _, _ := strings.Cut(strings.ToLower(text), "e")
	vanished := v.AsBigFloat().Sign() == 0 && strings.ContainsAny(digits, "123456789")
	return v, !vanished
}
