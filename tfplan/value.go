package tfplan

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/sensitive"
)

// mark is the type of Sensitive.
type mark string

// Sensitive is the mark of values that a document declares sensitive.
const Sensitive = mark("sensitive")

// ValueOf returns the value of an object that a document describes in up to three parts, as
// encoding/json or terraform-json decode them. The parts are the known values ("after"), a mask
// with true for each unknown value ("after_unknown"), and a mask with true for each sensitive value
// ("after_sensitive"). A nil mask is an empty mask.
//
// The value conforms to the implied type of the schema. Sensitive values have the mark [Sensitive].
// A set has the mark as a whole if any part of it is sensitive. A null object becomes a null value
// without marks. Numbers are exact if they are decoded as json.Number.
//
// It returns an error if the parts do not agree or do not conform to the schema. The error has a
// line with path and reason for each problem, and contains nothing sensitive.
func ValueOf(schema *objchange.Schema, value, unknown, sensitiveAt any) (cty.Value, error) {
	d := objectData{value, unknown, &sensitive.Places{}}
	d.sensitive.Add(sensitiveAt)
	v, wrong := d.value(schema, "")
	var problems []error
	for _, f := range wrong {
		problems = append(problems, errors.New(strings.TrimPrefix(f.Path+": "+f.Message, ": ")))
	}
	return v, errors.Join(problems...)
}

// An objectData is the description of an object in a document: the known values, a mask with the
// same structure and true for each unknown value, and the sensitive places.
type objectData struct {
	data, unknown any
	sensitive     *sensitive.Places
}

// value returns the described value, with marks for sensitive values. It returns findings of the
// phase instead if the value does not conform to the schema.
func (d objectData) value(schema *objchange.Schema, phase objchange.Phase) (cty.Value, []Finding) {
	merged, wrong := d.merged(phase)
	if len(wrong) > 0 {
		return cty.NilVal, wrong
	}
	v, err := ctydata.Format{Open: exactly, Strict: true}.ValueOf(schema.Block(), merged)
	if err != nil {
		return cty.NilVal, d.mismatches(err, phase)
	}
	if v.IsNull() {
		return v, nil // whether the object exists is not secret
	}
	return d.sensitive.Mark(v, Sensitive), nil
}

// merged returns the known and the unknown values in one tree.
func (d objectData) merged(phase objchange.Phase) (merged any, wrong []Finding) {
	merged, fits := merge(d.data, d.unknown)
	if fits {
		return merged, nil
	}
	object, isObject := d.data.(map[string]any)
	unknown, isMap := d.unknown.(map[string]any)
	if !isObject || !isMap {
		return nil, []Finding{finding(objchange.RulePlanContradiction, phase, nil,
			"after_unknown and after have different structures")}
	}
	for _, name := range slices.Sorted(maps.Keys(merged.(map[string]any))) {
		if _, fits := merge(object[name], unknown[name]); !fits {
			wrong = append(wrong, finding(objchange.RulePlanContradiction, phase, cty.GetAttrPath(name),
				"has a value, but after_unknown marks it as unknown or has a different structure"))
		}
	}
	return merged, wrong
}

// merge returns the known data with unknown values according to the mask. It reports whether the
// two agree: an unknown value must have no data.
func merge(data, mask any) (merged any, fits bool) {
	if mask == true {
		return cty.DynamicVal, data == nil
	}
	names, _ := mask.(map[string]any)
	list, _ := mask.([]any)
	switch {
	case data == nil && len(names) > 0 && anyTrue(mask):
		data = map[string]any{}
	case data == nil && anyTrue(mask):
		data = []any{}
	}
	fits = isMask(mask)
	add := func(data, mask any) any {
		part, ok := merge(data, mask)
		fits = fits && ok
		return part
	}
	switch data := data.(type) {
	case map[string]any:
		fits = fits && (names != nil || !anyTrue(mask))
		object := make(map[string]any, len(data))
		for name, value := range data {
			object[name] = add(value, names[name])
		}
		for name, unknown := range names {
			if _, known := data[name]; !known {
				object[name] = add(nil, unknown)
			}
		}
		return object, fits
	case []any:
		fits = fits && (list != nil || !anyTrue(mask)) && (len(data) == 0 || len(list) <= len(data))
		elements := make([]any, max(len(data), len(list)))
		for i := range elements {
			elements[i] = add(at(data, i), at(list, i))
		}
		return elements, fits
	case nil:
		return nil, fits
	}
	return data, fits && !anyTrue(mask)
}

func at(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

func isMask(mask any) bool {
	switch mask.(type) {
	case nil, bool, map[string]any, []any:
		return true
	}
	return false
}

// anyTrue reports whether any part of a mask is true.
func anyTrue(mask any) bool {
	switch mask := mask.(type) {
	case bool:
		return mask
	case map[string]any:
		for _, m := range mask {
			if anyTrue(m) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(mask, anyTrue)
	}
	return false
}

// exactly is the Open function of a format that accepts no strings for numbers.
func exactly(ty cty.Type, data any) (any, error) {
	if _, isText := data.(string); isText && ty == cty.Number {
		return nil, errors.New("must be a number, not a string")
	}
	return data, nil
}

// mismatches converts an error of ValueOf to findings. The path of a finding in a sensitive value
// ends at the attribute or block.
func (d objectData) mismatches(err error, phase objchange.Phase) (wrong []Finding) {
	for _, err := range joined(err) {
		var path cty.Path
		message := err.Error()
		if at := new(ctydata.ValueError); errors.As(err, &at) {
			message = at.Reason
			switch {
			case len(at.Path) == 0 || d.sensitive.Whole():
			case at.Missing:
				path = paths.HideKeys(at.Path) // any key may be sensitive
				message += "; the document must contain a value or null"
			default:
				path = at.Shown
			}
			if first := firstName(at.Path); len(at.Path) > 1 && d.sensitive.In(first) {
				path, message = cty.GetAttrPath(first), "a part of the value does not conform to the schema"
			}
		}
		wrong = append(wrong, finding(objchange.RuleTypeMismatch, phase, path, "%s", message))
	}
	return wrong
}

func joined(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return all.Unwrap()
	}
	return []error{err}
}

// firstName returns the name of the attribute or block at the start of a path.
func firstName(path cty.Path) string {
	if len(path) == 0 {
		return ""
	}
	step, _ := path[0].(cty.GetAttrStep)
	return step.Name
}
