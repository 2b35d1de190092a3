package tfplan

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/sensitive"
)

// mark is the type of Sensitive.
type mark string

// Sensitive is the mark of values that a document says are sensitive.
const Sensitive = mark("sensitive")

// ValueOf returns the value of an object that a document describes in up to three parts, as
// encoding/json or terraform-json decode them: the known values ("after"), a mask with true
// where a value is unknown ("after_unknown"), and a mask with true where one is sensitive
// ("after_sensitive"). A mask that is nil has nothing in it.
//
// The value conforms to the schema's implied type and has the mark [Sensitive] where the mask
// says so; a set has the mark as a whole if anything in it is sensitive. A null object is a null
// value without marks. Numbers are exact if they are decoded as json.Number.
//
// The error is a [*ValueError] if the parts do not agree or do not conform to the schema. It
// shows nothing that is sensitive.
func ValueOf(schema *objchange.Schema, value, unknown, sensitiveAt any) (cty.Value, error) {
	t := told{value, unknown, &sensitive.Places{}}
	t.sensitive.Add(sensitiveAt)
	v, wrong := t.value(schema)
	if len(wrong) > 0 {
		return cty.NilVal, &ValueError{wrong}
	}
	return v, nil
}

// A ValueError says why there is no value.
type ValueError struct{ problems problems }

// Error returns a line for each problem: path and reason.
func (e *ValueError) Error() string {
	var lines []string
	for _, p := range e.problems {
		lines = append(lines, strings.TrimPrefix(p.path+": "+p.reason, ": "))
	}
	return strings.Join(lines, "\n")
}

// Findings returns a finding for each problem, of the phase plan.
func (e *ValueError) Findings() []Finding { return e.problems.findings(objchange.PhasePlan) }

// A problem is why there is no value, or a part of it.
type problem struct {
	rule         objchange.Rule
	path, reason string
}

type problems []problem

func (ps problems) findings(phase objchange.Phase) (found []Finding) {
	for _, p := range ps {
		found = append(found, Finding{Rule: p.rule, Path: p.path, Message: p.reason, Phase: phase, Enforced: p.rule == objchange.RuleTypeMismatch})
	}
	return found
}

// A told value is what a document says of an object: the values that are known, a mask of
// the same shape with true at what is unknown, and the places that are sensitive.
type told struct {
	data, unknown any
	sensitive     *sensitive.Places
}

// value makes the value that was told, marked where it is sensitive. It returns
// none if that does not conform to the schema.
func (t told) value(schema *objchange.Schema) (cty.Value, problems) {
	merged, wrong := t.merged()
	if len(wrong) > 0 {
		return cty.NilVal, wrong
	}
	v, err := ctydata.Format{Open: exactly, Strict: true}.ValueOf(schema.Block(), merged)
	if err != nil {
		return cty.NilVal, t.mismatches(err)
	}
	if v.IsNull() {
		return v, nil // whether there is an object is no secret
	}
	return t.sensitive.Mark(v, Sensitive, true), nil
}

// merged makes one tree of the known and the unknown.
func (t told) merged() (merged any, wrong problems) {
	merged, fits := merge(t.data, t.unknown)
	object, isObject := t.data.(map[string]any)
	if fits {
		return merged, nil
	}
	unknown, isMap := t.unknown.(map[string]any)
	if !isObject || !isMap {
		return nil, problems{{RulePlanContradiction, "", "after_unknown does not have the shape of after"}}
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(object)), maps.Keys(unknown))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if _, fits := merge(object[name], unknown[name]); !fits {
			wrong = append(wrong, problem{RulePlanContradiction, objchange.PathString(cty.GetAttrPath(name)),
				"has a value where after_unknown has it unknown, or another shape than after_unknown"})
		}
	}
	return merged, wrong
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
func (t told) mismatches(err error) (wrong problems) {
	for _, err := range joined(err) {
		p := problem{rule: objchange.RuleTypeMismatch, reason: err.Error()}
		if at := new(ctydata.ValueError); errors.As(err, &at) {
			p.reason = at.Reason
			switch {
			case len(at.Path) == 0 || t.sensitive.Whole():
			case at.Reason == "is missing":
				p.path = hideKeys(at.Path) // any key may be sensitive
				p.reason += ", where the document should have a value or null"
			default:
				p.path = at.Place
			}
			if first := firstName(at.Path); len(at.Path) > 1 && t.sensitive.In(first) {
				p.path, p.reason = "."+first, "something in it does not conform to the schema"
			}
		}
		wrong = append(wrong, p)
	}
	return wrong
}

// joined returns the errors that are joined in one.
func joined(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return all.Unwrap()
	}
	return []error{err}
}

// firstName is the attribute or block that a path leads into.
func firstName(path cty.Path) string {
	if len(path) == 0 {
		return ""
	}
	step, _ := path[0].(cty.GetAttrStep)
	return step.Name
}
