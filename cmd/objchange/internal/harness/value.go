package harness

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/configschema"
)

// width is how long lines of values are, as far as they can be broken.
const width = 96

// valueText returns the JSON of a value as adapters have it, in as few lines as there
// are without long ones.
func valueText(schema *configschema.Block, v cty.Value) string {
	text, err := document.Codec{}.Encode(schema, v)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	var data any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&data); err != nil {
		return "(" + err.Error() + ")"
	}
	return dataText(data, 0)
}

// dataText returns the JSON of data, as it stands that many columns to the right.
func dataText(data any, indent int) string {
	open, parts, shut := partsOf(data, func(part any) string { return dataText(part, indent+2) })
	if short := compact(data); indent+len(short) <= width || len(parts) == 0 {
		return short
	}
	begin := "\n" + strings.Repeat(" ", indent+2)
	return open + begin + strings.Join(parts, ","+begin) + "\n" + strings.Repeat(" ", indent) + shut
}

// compact returns the JSON of data in a line.
func compact(data any) string {
	open, parts, shut := partsOf(data, compact)
	if open != "" {
		return open + strings.Join(parts, ", ") + shut
	}
	text, err := words.JSON(data, "")
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return strings.TrimSpace(string(text))
}

// partsOf returns the texts of what is in a list or an object, and the brackets.
func partsOf(data any, text func(any) string) (open string, parts []string, shut string) {
	switch data := data.(type) {
	case []any:
		for _, part := range data {
			parts = append(parts, text(part))
		}
		return "[", parts, "]"
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(data)) {
			parts = append(parts, compact(name)+": "+text(data[name]))
		}
		return "{", parts, "}"
	}
	return "", nil, ""
}
