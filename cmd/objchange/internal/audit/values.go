package audit

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck"
)

// A told value is what a document says of an object: the values that are known,
// and masks of the same shape with true at what is unknown, and at what is
// sensitive.
type told struct{ data, unknown, sensitive any }

// value makes the value that was told, marked where it is sensitive. It returns
// none if that does not conform to the schema.
func (t told) value(schema *objchange.Schema) (cty.Value, []report.Finding) {
	m := merger{}
	merged := m.root(schema.Block(), t)
	if len(m.found) > 0 {
		return cty.NilVal, m.found
	}
	v, err := ctydata.ValueOf(schema.Block(), merged)
	if err != nil {
		return cty.NilVal, t.mismatches(err)
	}
	if v.IsNull() {
		return v, nil // whether there is an object is no secret
	}
	return v.MarkWithPaths(sensitivePaths(v, t.sensitive, nil)), nil
}

// A merger makes one tree of the known and the unknown.
type merger struct{ found []report.Finding }

// root also looks for attributes that are neither known nor unknown: documents
// have null for what is not set.
func (m *merger) root(schema *configschema.Block, t told) any {
	merged, fits := merge(t.data, t.unknown)
	if !isMask(t.unknown) || !fits && merged == nil {
		m.find(rulebook.RulePlanContradiction, "", "after_unknown does not have the shape of after")
		return nil
	}
	object, _ := t.data.(map[string]any)
	unknown, _ := t.unknown.(map[string]any)
	if object == nil {
		return merged
	}
	for _, name := range names(schema) {
		value, known := object[name]
		mask, told := unknown[name]
		_, fits := merge(value, mask)
		switch {
		case !known && !told:
			m.missing(cty.GetAttrPath(name))
		case !fits:
			m.find(rulebook.RulePlanContradiction, "."+name, "has a value where after_unknown has it unknown, or another shape than after_unknown")
		default:
			m.within(schema, name, value, mask, cty.GetAttrPath(name))
		}
	}
	return merged
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

// names returns what there is in a block, in order.
func names(schema *configschema.Block) []string {
	all := append(slices.Collect(maps.Keys(schema.Attributes)), slices.Collect(maps.Keys(schema.BlockTypes))...)
	slices.Sort(all)
	return all
}

// object looks for attributes that are neither known nor unknown in an object
// below the root.
func (m *merger) object(schema *configschema.Block, data, mask any, path cty.Path) {
	object, ok := data.(map[string]any)
	if !ok || mask == true {
		return // of the wrong type, which others report, or nothing
	}
	unknown, _ := mask.(map[string]any)
	for _, name := range names(schema) {
		value, known := object[name]
		if at := path.GetAttr(name); known {
			m.within(schema, name, value, unknown[name], at)
		} else if _, told := unknown[name]; !told {
			m.missing(at)
		}
	}
}

// within does the same for all objects of a nested block or nested attribute.
func (m *merger) within(schema *configschema.Block, name string, data, mask any, path cty.Path) {
	var inner *configschema.Block
	var nesting configschema.NestingMode
	if nested := schema.BlockTypes[name]; nested != nil {
		inner, nesting = &nested.Block, nested.Nesting
	} else if nested := schema.Attributes[name].NestedType; nested != nil {
		inner, nesting = nested.Block(), nested.Nesting
	} else {
		return
	}
	switch data := data.(type) {
	case []any:
		masks, _ := mask.([]any)
		for i, element := range data {
			key := cty.NumberIntVal(int64(i))
			if nesting.Coalesces() {
				key = cty.EmptyObjectVal // no element is named
			}
			m.object(inner, element, at(masks, i), path.Index(key))
		}
	case map[string]any:
		if !nesting.Keyed() {
			m.object(inner, data, mask, path)
			return
		}
		masks, _ := mask.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(data)) {
			m.object(inner, data[key], masks[key], path.Index(cty.StringVal(key)))
		}
	}
}

// missing finds an attribute that is not there. It hides keys, since any of them
// may be sensitive.
func (m *merger) missing(path cty.Path) {
	m.find(objchange.RuleTypeMismatch, hideKeys(path), "is missing, where the document should have a value or null")
}

func (m *merger) find(rule objchange.Rule, path, message string) {
	m.found = append(m.found, report.Finding{Rule: rule, Path: path, Message: message, Severity: tfcheck.Rejected})
}

// merge returns known data with unknown values where the mask says so. It
// reports whether the two fit together: what is unknown has no value.
func merge(data, mask any) (merged any, fits bool) {
	switch mask := mask.(type) {
	case bool:
		if mask {
			return cty.DynamicVal, data == nil
		}
	case map[string]any:
		object, ok := data.(map[string]any)
		switch {
		case ok, data == nil && anyTrue(mask):
			return mergeObject(object, mask)
		case anyTrue(mask):
			return nil, false
		}
	case []any:
		list, ok := data.([]any)
		switch {
		case ok, data == nil && anyTrue(mask):
			return mergeList(list, mask)
		case anyTrue(mask):
			return nil, false
		}
	}
	switch data := data.(type) {
	case map[string]any:
		return mergeObject(data, nil)
	case []any:
		return mergeList(data, nil)
	case nil:
		return nil, isMask(mask)
	}
	return leaf{data}, isMask(mask)
}

func mergeObject(data, mask map[string]any) (merged any, fits bool) {
	object := make(map[string]any, len(data))
	fits = true
	for name, value := range data {
		var ok bool
		object[name], ok = merge(value, mask[name])
		fits = fits && ok
	}
	for name, unknown := range mask {
		if _, known := data[name]; !known && anyTrue(unknown) {
			object[name], _ = merge(nil, unknown)
		}
	}
	return object, fits
}

func mergeList(data, mask []any) (merged any, fits bool) {
	list := make([]any, max(len(data), len(mask)))
	fits = len(data) == 0 || len(mask) <= len(data)
	for i := range list {
		var ok bool
		list[i], ok = merge(at(data, i), at(mask, i))
		fits = fits && ok
	}
	return list, fits
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

// A leaf is data that is what it is: a document has no numbers in strings, as a
// configuration may.
type leaf struct{ data any }

// CtyValue makes the value, if it is of the type of its place.
func (l leaf) CtyValue(ty cty.Type) (cty.Value, error) {
	v, kind := cty.NilVal, ""
	switch data := l.data.(type) {
	case string:
		v, kind = cty.StringVal(data), "string"
	case bool:
		v, kind = cty.BoolVal(data), "bool"
	case json.Number:
		number, err := ctydata.Format{}.ValueOfType(cty.Number, data)
		if err != nil {
			return cty.NilVal, errors.New("must be a number that is not beyond all reason")
		}
		v, kind = number, "number"
	}
	if ty != cty.DynamicPseudoType && ty != v.Type() {
		return cty.NilVal, errors.New("must be a " + ty.FriendlyName() + ", not a " + kind)
	}
	return v, nil
}

// sensitivePaths returns where a value is sensitive by the mask, at the nearest
// place above where a path cannot lead there, as into a set.
func sensitivePaths(v cty.Value, mask any, path cty.Path) []cty.PathValueMarks {
	here := []cty.PathValueMarks{{Path: path, Marks: cty.NewValueMarks("sensitive")}}
	if !anyTrue(mask) {
		return nil
	}
	if v.IsNull() || !v.IsKnown() {
		return here
	}
	var found []cty.PathValueMarks
	switch mask := mask.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(mask)) {
			inner, step, ok := child(v, name)
			if !ok && anyTrue(mask[name]) {
				return here
			} else if ok {
				found = append(found, sensitivePaths(inner, mask[name], append(path.Copy(), step))...)
			}
		}
		return found
	case []any:
		if !v.Type().IsListType() && !v.Type().IsTupleType() || len(mask) > v.LengthInt() {
			return here
		}
		for i := range mask {
			key := cty.NumberIntVal(int64(i))
			found = append(found, sensitivePaths(v.Index(key), mask[i], path.Index(key))...)
		}
		return found
	}
	return here
}

// child returns what an object or a map has under a name.
func child(v cty.Value, name string) (cty.Value, cty.PathStep, bool) {
	name = cty.NormalizeString(name)
	switch {
	case v.Type().IsObjectType() && v.Type().HasAttribute(name):
		return v.GetAttr(name), cty.GetAttrStep{Name: name}, true
	case v.Type().IsMapType():
		key := cty.StringVal(name)
		if v.HasIndex(key).True() {
			return v.Index(key), cty.IndexStep{Key: key}, true
		}
	}
	return cty.NilVal, nil, false
}

// mismatches returns the problems of ValueOf. The places of those in what is
// sensitive end at the attribute or block.
func (t told) mismatches(err error) (found []report.Finding) {
	sensitive, _ := t.sensitive.(map[string]any)
	for _, problem := range words.Problems(err) {
		f := report.Finding{Rule: objchange.RuleTypeMismatch, Message: problem.Error(), Severity: tfcheck.Rejected}
		if at := new(ctydata.ValueError); errors.As(problem, &at) {
			f.Path, f.Message = "", at.Reason
			if len(at.Path) > 0 && t.sensitive != true {
				f.Path = at.Place
			}
			if first := firstName(at.Path); len(at.Path) > 1 && anyTrue(sensitive[first]) {
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
