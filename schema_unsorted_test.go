package objchange_test

import (
	"fmt"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/generate"
)

// What is proposed with sets in lists, in any order, is what is proposed with sets.
func TestUnsorted(t *testing.T) {
	worlds := rolling(func(d die) (u unsortedWorld) {
		u.World = d.Honest(d.AnySchema())
		u.Prior, u.Config = unrefined(u.Prior), unrefined(u.Config)
		u.asLists = u.Schema.Unsorted().ImpliedType()
		u.lists = [2]cty.Value{d.retyped(u.Prior, u.asLists), d.retyped(u.Config, u.asLists)}
		return u
	})
	rapid.Check(t, func(t *rapid.T) {
		u := worlds.Draw(t, "world")
		want, wantErr := objchange.ProposedNew(u.Schema, u.Prior, u.Config)
		got, err := objchange.ProposedNew(u.Schema.Unsorted(), u.lists[0], u.lists[1])
		sameAnswer(t, "proposed", got, err, want, wantErr)
		want, wantErr = objchange.PlannedDataResource(u.Schema, u.Config)
		got, err = objchange.PlannedDataResource(u.Schema.Unsorted(), u.lists[1])
		sameAnswer(t, "planned data", got, err, want, wantErr)
	})
}

// Lists that stand for sets, in whatever order, get what the sets get.
func TestUnsortedByExample(t *testing.T) {
	schema := setKinds["block"].Unsorted()
	x, y, xA, xB := rule(noStr, str("x"), noStr), rule(noStr, str("y"), noStr), rule(str("1"), str("x"), str("A")), rule(str("2"), str("x"), str("B"))
	bound := rule(noStr, str("x"), str("A")) // can only be continued by the first
	type vals = []cty.Value
	tests := []struct {
		name                string
		prior, config, want vals
	}{
		{"each has one to continue", vals{xA}, vals{x, y}, vals{xA, y}},
		{"the same in another order", vals{xA}, vals{y, x}, vals{y, xA}},
		{"the first of two continues", vals{xA, xB}, vals{x}, vals{xA}},
		{"the first of two, which comes second", vals{xB, xA}, vals{x}, vals{xA}},
		{"the first of a set takes what it can", vals{xA}, vals{bound, x}, vals{xA, x}},
		{"the first of a set, which comes second", vals{xA}, vals{x, bound}, vals{x, xA}},
		{"both, in any order", vals{xB, xA}, vals{x, bound}, vals{xB, xA}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := objchange.ProposedNew(schema, objectOf(list(test.prior...)), objectOf(list(test.config...)))
			expectValue(t, got, err, objectOf(list(test.want...)))
			asSets, err := objchange.ProposedNew(setKinds["block"], objectOf(set(test.prior...)), objectOf(set(test.config...)))
			expectValue(t, asSets, err, objectOf(set(test.want...)))
		})
	}
	marked := rule(noStr, str("x").Mark("m"), noStr)
	got, err := objchange.ProposedNew(schema, objectOf(list(xA, xB)), objectOf(list(marked, y)))
	expectValue(t, got, err, objectOf(list(rule(str("1"), str("x").Mark("m"), str("A")), y)))
	coalescing := schemaOfBlock(block(objchange.NestingSet, attrs{"a": attr(cty.String, "optional computed"), "in": nested(objchange.NestingSingle, "optional", attrs{"k": leafAttr})}))
	k := object(obj{"k": str("v")})
	el := func(a, in cty.Value) cty.Value { return object(obj{"a": a, "in": in}) }
	got, err = objchange.ProposedNew(coalescing.Unsorted(), objectOf(list(el(str("x"), cty.NullVal(k.Type())), el(str("x"), k))), objectOf(list(el(noStr, k), el(str("x"), k))))
	expectValue(t, got, err, objectOf(list(el(str("x"), k)))) // once what is computed is filled in, two are one
	got, err = objchange.ProposedNew(coalescing.Unsorted(), objectOf(list(el(str("x"), cty.NullVal(k.Type())), el(str("x"), k))), objectOf(list(el(noStr, k), el(str("x").Mark("m"), k))))
	expectValue(t, got, err, objectOf(list(el(str("x"), k)).Mark("m")))
}

// sameAnswer fails where values or errors (of a dynamic attribute that has become of
// several types) differ, but for the sets that are lists.
func sameAnswer(t *rapid.T, what string, got cty.Value, err error, want cty.Value, wantErr error) {
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("%s: got error %v, want %v", what, err, wantErr)
	}
	if err == nil {
		mustEqual(t, what, still.retyped(got, want.Type()), want)
	}
}

// unrefined is without refinements: elements of a set that differ in nothing else
// have no order.
func unrefined(v cty.Value) cty.Value {
	v, err := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if !v.IsKnown() {
			return cty.UnknownVal(v.Type()), nil
		}
		return v, nil
	})
	if err != nil {
		panic(err)
	}
	return v
}

// still leaves lists as they are.
var still = die{func(int) int { return 0 }}

type unsortedWorld struct {
	generate.World
	asLists cty.Type
	lists   [2]cty.Value
}

// retyped makes lists of sets, in any order, and sets of lists, as the type has it.
func (d die) retyped(v cty.Value, ty cty.Type) cty.Value {
	own := v.Type()
	switch {
	case v.IsNull() && own != cty.DynamicPseudoType:
		return cty.NullVal(d.retypedType(own, ty))
	case !v.IsKnown() && own != cty.DynamicPseudoType && !own.Equals(ty):
		return cty.UnknownVal(d.retypedType(own, ty))
	case v.IsNull() || !v.IsKnown() || own.IsPrimitiveType() || ty == cty.DynamicPseudoType:
		return v
	case own.IsObjectType():
		parts := obj{}
		for name, part := range v.AsValueMap() {
			parts[name] = d.retyped(part, ty.AttributeType(name))
		}
		return object(parts)
	case own.IsTupleType():
		elems := v.AsValueSlice()
		for i, elem := range elems {
			elems[i] = d.retyped(elem, ty.TupleElementType(i))
		}
		return cty.TupleVal(elems)
	case own.IsMapType():
		elems := v.AsValueMap()
		for key, elem := range elems {
			elems[key] = d.retyped(elem, ty.ElementType())
		}
		if len(elems) == 0 {
			return cty.MapValEmpty(d.retypedType(own.ElementType(), ty.ElementType()))
		}
		return cty.MapVal(elems)
	}
	elems := v.AsValueSlice()
	for i, elem := range elems {
		elems[i] = d.retyped(elem, ty.ElementType())
	}
	if own.IsSetType() && ty.IsListType() {
		for i := range elems {
			j := d.Die(len(elems))
			elems[i], elems[j] = elems[j], elems[i]
		}
	}
	switch {
	case len(elems) == 0 && ty.IsSetType():
		return cty.SetValEmpty(d.retypedType(own.ElementType(), ty.ElementType()))
	case len(elems) == 0:
		return cty.ListValEmpty(d.retypedType(own.ElementType(), ty.ElementType()))
	case ty.IsSetType():
		return cty.SetVal(elems)
	}
	return cty.ListVal(elems)
}

// retypedType is the type of a null or unknown value, which may say more than the
// wanted one.
func (d die) retypedType(own, ty cty.Type) cty.Type {
	switch {
	case own.IsObjectType() && ty.IsObjectType():
		types := map[string]cty.Type{}
		for name, attr := range own.AttributeTypes() {
			types[name] = d.retypedType(attr, ty.AttributeType(name))
		}
		return cty.Object(types)
	case own.IsTupleType() && ty.IsTupleType():
		types := own.TupleElementTypes()
		for i := range types {
			types[i] = d.retypedType(types[i], ty.TupleElementType(i))
		}
		return cty.Tuple(types)
	case ty.IsListType():
		return cty.List(d.retypedType(own.ElementType(), ty.ElementType()))
	case ty.IsSetType():
		return cty.Set(d.retypedType(own.ElementType(), ty.ElementType()))
	case ty.IsMapType():
		return cty.Map(d.retypedType(own.ElementType(), ty.ElementType()))
	}
	return own
}

func TestUnsortedSchemas(t *testing.T) {
	in := func(ty cty.Type) *objchange.Block { return schemaOf(attr(ty, "optional")) }
	pair := cty.Object(map[string]cty.Type{"x": cty.Set(cty.String)})
	for name, test := range map[string]struct{ schema, want *objchange.Block }{
		"set":                {in(cty.Set(cty.String)), in(cty.List(cty.String))},
		"set in a map":       {in(cty.Map(cty.Set(cty.String))), in(cty.Map(cty.List(cty.String)))},
		"set in a tuple":     {in(cty.Tuple([]cty.Type{cty.Set(cty.Bool)})), in(cty.Tuple([]cty.Type{cty.List(cty.Bool)}))},
		"set in a set":       {in(cty.Set(cty.Set(cty.String))), in(cty.List(cty.Set(cty.String)))},
		"set in a set of":    {in(cty.Set(pair)), in(cty.List(pair))},
		"blocks":             {schemaOfBlock(block(objchange.NestingSet, attrs{"x": attr(cty.Set(cty.String), "optional")})), schemaOfBlock(block(objchange.NestingList, attrs{"x": attr(cty.Set(cty.String), "optional")}))},
		"attribute":          {schemaOf(nested(objchange.NestingSet, "optional", itemAttrs)), schemaOf(nested(objchange.NestingList, "optional", itemAttrs))},
		"blocks in a block":  {schemaOfBlock(block(objchange.NestingList, nil, blocks{"in": block(objchange.NestingSet, itemAttrs)})), schemaOfBlock(block(objchange.NestingList, nil, blocks{"in": block(objchange.NestingList, itemAttrs)}))},
		"no set":             {in(cty.List(cty.String)), in(cty.List(cty.String))},
		"no schema":          {nil, nil},
		"an invalid one":     {in(cty.NilType), in(cty.NilType)},
		"computed and empty": {schemaOf(attr(cty.Set(cty.String), "computed")), schemaOf(attr(cty.List(cty.String), "computed"))},
	} {
		t.Run(name, func(t *testing.T) {
			got := test.schema.Unsorted()
			if !got.EmptyValue().RawEquals(test.want.EmptyValue()) || test.schema != nil && got.ImpliedType().IsObjectType() && !got.ImpliedType().Equals(test.want.ImpliedType()) {
				t.Errorf("values of %#v", got.ImpliedType())
			}
		})
	}
}

// A schema of lists for sets is for what it was made for only.
func TestUnsortedIsNoSchemaToWrite(t *testing.T) {
	unsorted := schemaOfBlock(block(objchange.NestingSet, itemAttrs)).Unsorted()
	if err := unsorted.Validate(); err == nil || err.Error() != ".v: a set is held in a list, as Unsorted has it" {
		t.Error(err)
	}
	if text, err := unsorted.MarshalJSON(); err == nil {
		t.Errorf("written as %s", text)
	}
}
