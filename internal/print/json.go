package print

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/jsontext"
)

// bothJSON returns the values of two strings that contain JSON objects or arrays. It returns false
// if the JSON is too large, or if different JSON could result in the same value.
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
	if len(text) < 2 || text[0] != '{' && text[0] != '[' {
		return cty.NilVal, false
	}
	data, err := jsontext.Parse([]byte(text))
	if err != nil {
		return cty.NilVal, false
	}
	v, err = ctydata.Format{}.ValueOfType(cty.DynamicPseudoType, data)
	return v, err == nil
}
