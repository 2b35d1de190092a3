package audit

import (
	"errors"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck"
)

// A told value is what a document says of an object: the values that are known, a mask of
// the same shape with true at what is unknown, and the places that are sensitive.
type told struct {
	data, unknown any
	sensitive     *document.Places
}

// value makes the value that was told, marked where it is sensitive. It returns
// none if that does not conform to the schema.
func (t told) value(schema *objchange.Schema) (cty.Value, []report.Finding) {
	merged, found := t.merged()
	if len(found) > 0 {
		return cty.NilVal, found
	}
	v, err := ctydata.Format{Open: exactly, Strict: true}.ValueOf(schema.Block(), merged)
	if err != nil {
		return cty.NilVal, t.mismatches(err)
	}
	if v.IsNull() {
		return v, nil // whether there is an object is no secret
	}
	return t.sensitive.Mark(v, true), nil
}

// merged makes one tree of the known and the unknown.
func (t told) merged() (merged any, found []report.Finding) {
	merged, fits := merge(t.data, t.unknown)
	object, isObject := t.data.(map[string]any)
	if !isMask(t.unknown) || !fits && !isObject {
		return nil, []report.Finding{contradiction(rulebook.RulePlanContradiction, "", "after_unknown does not have the shape of after")}
	}
	if fits {
		return merged, nil
	}
	unknown, _ := t.unknown.(map[string]any)
	names := slices.AppendSeq(slices.Collect(maps.Keys(object)), maps.Keys(unknown))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if _, fits := merge(object[name], unknown[name]); !fits {
			found = append(found, contradiction(rulebook.RulePlanContradiction, "."+name,
				"has a value where after_unknown has it unknown, or another shape than after_unknown"))
		}
	}
	return merged, found
}

// hideKeys returns the path as people read it, without the keys of maps in it.
func hideKeys(path cty.Path) string {
	hidden := path.Copy()
	for i, step := range hidden {
		if index, ok := step.(cty.IndexStep); ok && index.Key.Type() == cty.String {
			hidden[i] = cty.IndexStep{Key: index.Key.Mark("hidden")}
		}
	}
	return objchange.PathString(hidden)
}

// merge returns known data with unknown values where the mask says so. It
// reports whether the two fit together: what is unknown has no value.
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

// anyTrue reports whether anything in a mask is true.
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

// exactly is the Open of a format that takes no text for numbers.
func exactly(ty cty.Type, data any) (any, error) {
	if _, isText := data.(string); isText && ty == cty.Number {
		return nil, errors.New("must be a number, not a string")
	}
	return data, nil
}

// mismatches returns the problems of ValueOf. The places of those in what is
// sensitive end at the attribute or block.
func (t told) mismatches(err error) (found []report.Finding) {
	for _, problem := range words.Problems(err) {
		f := report.Finding{Rule: objchange.RuleTypeMismatch, Message: problem.Error(), Severity: tfcheck.Rejected}
		if at := new(ctydata.ValueError); errors.As(problem, &at) {
			f.Path, f.Message = "", at.Reason
			switch {
			case len(at.Path) == 0 || t.sensitive.Whole():
			case at.Reason == "is missing":
				f.Path = hideKeys(at.Path) // any key may be sensitive
				f.Message += ", where the document should have a value or null"
			default:
				f.Path = at.Place
			}
			if first := firstName(at.Path); len(at.Path) > 1 && t.sensitive.In(first) {
				f.Path, f.Message = "."+first, "something in it does not conform to the schema"
			}
		}
		found = append(found, f)
	}
	return found
}

// firstName is the attribute or block that a path leads into.
func firstName(path cty.Path) string {
	if len(path) == 0 {
		return ""
	}
	step, _ := path[0].(cty.GetAttrStep)
	return step.Name
}
