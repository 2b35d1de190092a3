package tfplan_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/tfplan"
)

// written returns a value as documents contain it: the known values as JSON, and the mask of
// unknown values. Unknown attributes are omitted, and unknown elements are null.
func written(t *rapid.T, v cty.Value) (known json.RawMessage, unknown any) {
	shape := shaped(v)
	known, err := ctyjson.Marshal(shape, shape.Type())
	if err != nil {
		t.Fatal(err)
	}
	return known, mask(v)
}

// shaped returns a value without its unknown parts. Set elements stay in order.
func shaped(v cty.Value) cty.Value {
	switch ty := v.Type(); {
	case !v.IsKnown():
		return cty.NullVal(cty.DynamicPseudoType)
	case v.IsNull() || !v.CanIterateElements():
		return v
	case ty.IsObjectType() || ty.IsMapType():
		parts := map[string]cty.Value{}
		for name, part := range v.Elements() {
			if part.IsKnown() {
				parts[name.AsString()] = shaped(part)
			}
		}
		return cty.ObjectVal(parts)
	}
	var parts []cty.Value
	for _, part := range v.Elements() {
		parts = append(parts, shaped(part))
	}
	return cty.TupleVal(parts)
}

func mask(v cty.Value) any {
	switch ty := v.Type(); {
	case !v.IsKnown():
		return true
	case v.IsNull() || !v.CanIterateElements():
		return false
	case ty.IsObjectType() || ty.IsMapType():
		parts := map[string]any{}
		for name, part := range v.Elements() {
			parts[name.AsString()] = mask(part)
		}
		return parts
	default:
		parts := []any{}
		for _, part := range v.Elements() {
			parts = append(parts, mask(part))
		}
		return parts
	}
}

// resource returns a resource whose values documents can represent. It has no dynamic values, because
// their types are lost in documents.
func resource(t *rapid.T) generate.Resource {
	choose := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }
	d := generate.Decider(choose)
	r := d.Correct(d.Schema(generate.Scope{Depth: 1 + d(2), InSet: true}))
	if r.Err != nil {
		t.Skip(r.Err)
	}
	return r
}

// TestValueOfReturnsWrittenValue checks that ValueOf returns the value that was written.
func TestValueOfReturnsWrittenValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := resource(t)
		schema, err := objchange.Compile(r.Schema)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []cty.Value{r.Prior, r.Planned} {
			text, unknown := written(t, v)
			var known any
			dec := json.NewDecoder(bytes.NewReader(text))
			dec.UseNumber()
			if err := dec.Decode(&known); err != nil {
				t.Fatal(err)
			}
			got, err := tfplan.ValueOf(schema, known, unknown, nil)
			if err != nil || !got.RawEquals(unrefined(v)) {
				t.Fatalf("%v\n%#v, not\n%#v", err, got, v)
			}
		}
	})
}

// unrefined returns the value without the refinements of unknown values, which documents do not
// contain.
func unrefined(v cty.Value) cty.Value {
	plain, err := cty.Transform(v, func(_ cty.Path, part cty.Value) (cty.Value, error) {
		if !part.IsKnown() {
			return cty.UnknownVal(part.Type()), nil
		}
		return part, nil
	})
	if err != nil {
		panic(err)
	}
	return plain
}

// TestHonestPlansHaveNoFindings checks that the plan of a correct provider has no findings.
func TestHonestPlansHaveNoFindings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := resource(t)
		for _, f := range reportOf(t, r, nil).Findings() {
			t.Errorf("%s\n%#v", f, r)
		}
	})
}
