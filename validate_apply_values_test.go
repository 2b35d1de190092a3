package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// semantics.md#consistent-values: the rules, by the rule that is the first to
// apply.
func TestConsistentValues(t *testing.T) {
	text := schemaOf(attr(cty.String, "optional computed"))
	number := schemaOf(attr(cty.Number, "optional computed"))
	truth := schemaOf(attr(cty.Bool, "optional computed"))
	dynamic := schemaOf(attr(cty.DynamicPseudoType, "optional computed"))
	dynList := schemaOf(attr(cty.List(cty.DynamicPseudoType), "optional"))
	part := schemaOf(attr(cty.Object(map[string]cty.Type{"a": cty.DynamicPseudoType}), "optional"))
	one := func(v cty.Value) cty.Value { return object(obj{"a": v}) }
	a, b := str("a"), str("b")
	value, kind := wrong(".v inconsistent-value"), wrong(".v inconsistent-type")
	testBecomings(t, []becoming{
		{"1 of the dynamic type, in an element of a set", dynamic, set(one(noDynamic)), set(one(a)), nil},
		{"1 of the dynamic type, a set of tuples", dynamic, set(tuple(a, unknownStr), tuple(b, b)), set(tuple(a, a), tuple(b, b)), nil},
		{"1 of the dynamic type, a set of other tuples", dynamic, set(tuple(a, unknownStr), tuple(b, b)), set(tuple(a, a), tuple(b, a)), wrong(".v inconsistent-set-element")},
		{"1 of the dynamic type, an empty list of another type", dynamic, cty.ListValEmpty(cty.String), cty.ListValEmpty(cty.Number), kind},
		{"1 of the dynamic type, unknown, becomes anything", dynamic, cty.DynamicVal, num(1), nil},
		{"1 of the dynamic type, unknown, becomes null", dynamic, cty.DynamicVal, noStr, nil},
		{"1 of the dynamic type, unknown, stays unknown", dynamic, cty.DynamicVal, cty.DynamicVal, nil},
		{"1 of the dynamic type, null, becomes anything", dynamic, noDynamic, num(1), nil},
		{"1 part of the dynamic type becomes anything", part, one(cty.DynamicVal), one(num(1)), nil},
		{"1 another type", dynamic, num(1), str("1"), kind},
		{"1 another type before anything else: null", dynamic, noNum, a, kind},
		{"1 another type before anything else: unknown", dynamic, unknownNum, a, kind},
		{"1 another type of null", dynamic, a, noNum, kind},
		{"1 the dynamic type conforms to nothing else: null", dynamic, noStr, noDynamic, kind},
		{"1 the dynamic type conforms to nothing else: unknown", dynamic, a, cty.DynamicVal, kind},
		{"1 another type of part: the whole does not conform", part, one(num(1)), one(a), kind},
		{"1 another type of element: the whole does not conform", dynList, list(num(1)), list(a), kind},
		{"1 tuples of another length are of another type", dynamic, tuple(a, b), tuple(a), kind},
		{"1 objects with other attributes are of another type", dynamic, one(a), object(obj{"b": a}), kind},
		{"1 conforming: a part that was of the dynamic type", dynamic, tuple(cty.DynamicVal, a), tuple(num(1), b), wrong(".v[1] inconsistent-value")},

		{"2 unknown, becomes known", text, unknownStr, a, nil},
		{"2 unknown, becomes null", text, unknownStr, noStr, nil},
		{"2 unknown, stays unknown", text, unknownStr, unknownStr, nil},

		{"3 becomes null", text, a, noStr, value},
		{"3 null, becomes a value", text, noStr, a, value},
		{"3 null, becomes unknown: exactly one is null", text, noStr, unknownStr, value},
		{"3 both null", text, noStr, noStr, nil},
		{"3 becomes unknown", text, a, unknownStr, wrong(".v inconsistent-unknown")},

		{"4 string: the same", text, a, a, nil},
		{"4 string: another", text, a, b, value},
		{"4 number: the same, of another precision", number, num(1), cty.MustParseNumberVal("1.0"), nil},
		{"4 number: another", number, num(1), num(2), value},
		{"4 bool: another", truth, cty.True, cty.False, value},
	})
}

// semantics.md#inconsistent-refinement: what refinements promise.
func TestConsistentRefinements(t *testing.T) {
	text := schemaOf(attr(cty.String, "computed"))
	number := schemaOf(attr(cty.Number, "computed"))
	lists := schemaOf(attr(cty.List(cty.String), "computed"))
	items := schemaOf(nested(configschema.NestingList, "computed", itemAttrs))
	notNull := unknownStr.RefineNotNull()
	prefixed := unknownStr.Refine().StringPrefixFull("a-").NewValue()
	unknownList := cty.UnknownVal(cty.List(cty.String))
	between := func(lo, hi int64) cty.Value {
		return unknownNum.Refine().NumberRangeInclusive(num(lo), num(hi)).NewValue()
	}
	tuples := schemaOfBlock(block(configschema.NestingList, attrs{"n": attr(cty.Number, "computed"), "d": attr(cty.DynamicPseudoType, "optional")}))
	long := func(ty cty.Type, lo, hi int) cty.Value {
		return cty.UnknownVal(ty).Refine().CollectionLengthLowerBound(lo).CollectionLengthUpperBound(hi).NewValue()
	}
	a, broken := str("a"), wrong(".v inconsistent-refinement")
	a1 := item(noStr, a)
	testBecomings(t, []becoming{
		{"not null: a value", text, notNull, a, nil},
		{"not null: null", text, notNull, noStr, broken},
		{"not null: an unknown that may be null", text, notNull, unknownStr, nil},
		{"a prefix: with it", text, prefixed, str("a-1"), nil},
		{"a prefix: without it", text, prefixed, str("b-1"), broken},
		{"a prefix: an unknown", text, prefixed, unknownStr, nil},
		{"a prefix: null is not excluded", text, prefixed, noStr, nil},
		{"a range: inside", number, between(1, 3), num(3), nil},
		{"a range: above", number, between(1, 3), num(4), broken},
		{"a range: below", number, between(1, 3), num(0), broken},
		{"a range: an unknown", number, between(1, 3), unknownNum, nil},
		{"a range: an unknown that may be inside", number, between(1, 3), between(3, 5), nil},
		{"a range: an unknown outside", number, between(1, 3), between(4, 5), broken},
		{"a length: inside", lists, long(unknownList.Type(), 1, 2), list(a), nil},
		{"a length: longer", lists, long(unknownList.Type(), 1, 2), list(a, a, a), broken},
		{"a length: empty", lists, long(unknownList.Type(), 1, 2), cty.ListValEmpty(cty.String), broken},
		{"a length: an unknown", lists, long(unknownList.Type(), 1, 2), unknownList, nil},
		{"a length: an unknown outside", lists, long(unknownList.Type(), 1, 2), long(unknownList.Type(), 3, 4), broken},
		{"a length: at least one, and that", lists, unknownList.Refine().CollectionLengthLowerBound(1).NewValue(), list(a), nil},
		{"a length: at least one, and empty", lists, unknownList.Refine().CollectionLengthLowerBound(1).NewValue(), cty.ListValEmpty(cty.String), broken},
		{"a length: at most one, and that", lists, unknownList.Refine().CollectionLengthUpperBound(1).NewValue(), list(a), nil},
		{"a length: at most one, and two", lists, unknownList.Refine().CollectionLengthUpperBound(1).NewValue(), list(a, a), broken},
		{"in a block that is unknown as a whole, of no type yet", tuples, tuple(object(obj{"n": between(1, 3), "d": str("a")})), tuple(cty.DynamicVal), wrong(".v[0].d inconsistent-type")},
		{"a nested attribute: inside", items, long(emptyItems.Type(), 1, 1), list(a1), nil},
		{"a nested attribute: longer", items, long(emptyItems.Type(), 1, 1), list(a1, a1), broken},
	})
}

// semantics.md#consistent-values: collections and objects.
func TestConsistentCollections(t *testing.T) {
	lists := schemaOf(attr(cty.List(cty.String), "optional"))
	maps := schemaOf(attr(cty.Map(cty.String), "optional"))
	sets := schemaOf(attr(cty.Set(cty.String), "optional"))
	plain := schemaOf(attr(itemType, "optional"))
	dynamic := schemaOf(attr(cty.DynamicPseudoType, "optional"))
	deep := schemaOf(attr(cty.Map(cty.List(itemType)), "optional"))
	a, b, x := str("a"), str("b"), str("x")
	kl := func(v, w cty.Value) cty.Value { return mapOf(obj{"k": v, "l": w}) }
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	key, element := ".v inconsistent-key", ".v inconsistent-set-element"
	testBecomings(t, []becoming{
		{"list: the same, an unknown filled in", lists, list(a, unknownStr), list(a, b), nil},
		{"list: by index", lists, list(a, b), list(b, a), wrong(".v[0] inconsistent-value", ".v[1] inconsistent-value")},
		{"list: a new index, at the collection", lists, list(a), list(a, b), wrong(key)},
		{"list: an index missing, and the others", lists, list(a, b), list(x), wrong(key, ".v[0] inconsistent-value")},
		{"list: emptied", lists, list(a), cty.ListValEmpty(cty.String), wrong(key)},
		{"list: becomes unknown", lists, list(a), cty.UnknownVal(cty.List(cty.String)), wrong(".v inconsistent-unknown")},
		{"list: null, then empty", lists, cty.NullVal(cty.List(cty.String)), cty.ListValEmpty(cty.String), wrong(".v inconsistent-value")},
		{"list: an element becomes unknown", lists, list(a), list(unknownStr), wrong(".v[0] inconsistent-unknown")},

		{"map: the same, an unknown filled in", maps, kl(a, unknownStr), kl(a, b), nil},
		{"map: a new key, at the collection", maps, k(a), kl(a, b), wrong(key)},
		{"map: a key missing, at the collection, and the others", maps, kl(a, b), k(x), wrong(key, `.v["k"] inconsistent-value`)},
		{"map: a key renamed", maps, kl(a, b), mapOf(obj{"k": a, "m": b}), wrong(key)},
		{"map: by key", maps, kl(a, b), kl(b, a), wrong(`.v["k"] inconsistent-value`, `.v["l"] inconsistent-value`)},

		{"tuple: by index", dynamic, tuple(a, num(1)), tuple(b, num(2)), wrong(".v[0] inconsistent-value", ".v[1] inconsistent-value")},
		{"object: by attribute", plain, item(a, b), item(a, x), wrong(".v.name inconsistent-value")},
		{"object: an unknown filled in", plain, item(unknownStr, b), item(a, b), nil},
		{"object that the data names: by attribute", dynamic, object(obj{"p": a, "q": b}), object(obj{"p": a, "q": a}), wrong(".v.q inconsistent-value")},

		{"set: the same", sets, set(a, b), set(b, a), nil},
		{"set: an unknown filled in", sets, set(a, unknownStr), set(a, b), nil},
		{"set: an unknown filled in by what is there", sets, set(a, unknownStr), set(a), nil},
		{"set: an element changes", sets, set(a, b), set(a, x), wrong(element)},
		{"set: an element vanishes", sets, set(a, b), set(a), wrong(element)},
		{"set: an element appears: the count beside the element", sets, set(a), set(a, x), wrong(".v inconsistent-count", element)},
		{"set: an unknown becomes two: only the count", sets, set(unknownStr), set(a, b), wrong(".v inconsistent-count")},
		{"set: an element becomes unknown", sets, set(a), set(unknownStr), wrong(element)},
		{"set: an unknown stays unknown beside others", sets, set(a, unknownStr), set(a, unknownStr), nil},
		{"set: partners both ways", sets, set(unknownStr.Refine().StringPrefixFull("a").NewValue(), b), set(b, x), wrong(element)},
		{"set: emptied", sets, set(a), cty.SetValEmpty(cty.String), wrong(element)},

		{"deep", deep, k(list(item(a, b))), k(list(item(a, x))), wrong(`.v["k"][0].name inconsistent-value`)},
	})
}

// semantics.md#consistent-values: nested attributes follow them too.
func TestConsistentNestedAttributes(t *testing.T) {
	single := schemaOf(nested(configschema.NestingSingle, "optional", itemAttrs))
	lists := schemaOf(nested(configschema.NestingList, "optional", itemAttrs))
	maps := schemaOf(nested(configschema.NestingMap, "optional", itemAttrs))
	sets := schemaOf(nested(configschema.NestingSet, "optional", itemAttrs))
	a, filled, x := item(unknownStr, str("a")), item(str("1"), str("a")), item(str("9"), str("x"))
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	value := wrong(".v inconsistent-value")
	testBecomings(t, []becoming{
		{"single: an unknown filled in", single, a, filled, nil},
		{"single: by attribute", single, filled, x, wrong(".v.id inconsistent-value", ".v.name inconsistent-value")},
		{"single: becomes null", single, a, noItem, value},
		{"single: appears", single, noItem, a, value},
		{"single: unknown, then null", single, unknownItem, noItem, nil},
		{"single: unknown and not null, then null", single, unknownItem.RefineNotNull(), noItem, wrong(".v inconsistent-refinement")},
		{"single: becomes unknown", single, a, unknownItem, wrong(".v inconsistent-unknown")},
		{"list: by index", lists, list(a, a), list(filled, x), wrong(".v[1].name inconsistent-value")},
		{"list: longer, and shared indexes", lists, list(a), list(x, x), wrong(".v inconsistent-key", ".v[0].name inconsistent-value")},
		{"list: becomes null, enforced", lists, list(a), cty.NullVal(emptyItems.Type()), value},
		{"list: null, then empty", lists, cty.NullVal(emptyItems.Type()), emptyItems, value},
		{"list: an element becomes null", lists, list(a), list(noItem), wrong(".v[0] inconsistent-value")},
		{"map: by key", maps, k(a), k(x), wrong(`.v["k"].name inconsistent-value`)},
		{"map: a key renamed, enforced", maps, k(a), mapOf(obj{"m": a}), wrong(".v inconsistent-key")},
		{"set: an unknown filled in", sets, set(a), set(filled), nil},
		{"set: an element changes", sets, set(a), set(x), wrong(".v inconsistent-set-element")},
		{"set: an element appears", sets, set(a), set(filled, x), wrong(".v inconsistent-count", ".v inconsistent-set-element")},
	})
}

// semantics.md#inconsistent-sensitive: what is wrong at or below an attribute
// of a block that is itself sensitive, or where either value has a mark
// anywhere, is told as one.
func TestConsistentSensitiveGathers(t *testing.T) {
	secretText := attr(cty.String, "optional computed sensitive")
	secretList := schemaOf(attr(cty.List(cty.String), "optional sensitive"))
	secretSet := schemaOf(attr(cty.Set(cty.String), "optional sensitive"))
	secretItems := schemaOf(nested(configschema.NestingList, "optional sensitive", itemAttrs))
	secretDynamic := schemaOf(attr(cty.DynamicPseudoType, "optional sensitive"))
	plainList := schemaOf(attr(cty.List(cty.String), "optional"))
	plainSet := schemaOf(attr(cty.Set(cty.String), "optional"))
	holding := schemaOf(nested(configschema.NestingList, "optional", attrs{"name": attr(cty.String, "optional"), "secret": secretText}))
	inBlock := schemaOfBlock(block(configschema.NestingList, attrs{"name": attr(cty.String, "optional"), "secret": secretText}))
	nestedInBlock := schemaOfBlock(block(configschema.NestingList, attrs{"in": nested(configschema.NestingMap, "optional", attrs{"secret": secretText})}))
	held := func(name, secret cty.Value) cty.Value { return object(obj{"name": name, "secret": secret}) }
	in := func(s cty.Value) cty.Value { return list(object(obj{"in": mapOf(obj{"k": object(obj{"secret": s})})})) }
	a, b, x := str("a"), str("b"), str("x")
	gathered := wrong(".v inconsistent-sensitive")
	testBecomings(t, []becoming{
		{"a value", schemaOf(secretText), a, b, gathered},
		{"nothing wrong", schemaOf(secretText), a, a, nil},
		{"becomes unknown", schemaOf(secretText), a, unknownStr, gathered},
		{"becomes null", schemaOf(secretText), a, noStr, gathered},
		{"a refinement", schemaOf(secretText), unknownStr.RefineNotNull(), noStr, gathered},
		{"another type", secretDynamic, a, num(1), gathered},
		{"several elements at the attribute", secretList, list(a, b), list(x, x, x), gathered},
		{"a set", secretSet, set(a), set(a, b), gathered},
		{"a nested attribute", secretItems, list(item(a, a)), list(item(b, b), item(b, b)), gathered},
		{"marked before", plainList, list(a, b).Mark("m"), list(x, x), gathered},
		{"marked after", plainList, list(a, b), list(x, x).Mark("m"), gathered},
		{"a mark inside, elsewhere", plainList, list(a, b.Mark("m")), list(x, b), gathered},
		{"a mark inside after, elsewhere", plainList, list(a, b), list(x, b.Mark("m")), gathered},
		{"a mark inside, nothing wrong", plainList, list(a, b.Mark("m")), list(a, b), nil},
		{"a mark in a set", plainSet, set(a, b.Mark("m")), set(a, x), gathered},
		{"a mark in a nested attribute that holds a sensitive one", holding, list(held(a.Mark("m"), a)), list(held(a, b)), gathered},

		{"a sensitive attribute inside a NestedType does not gather", holding, list(held(a, a), held(b, b)), list(held(a, b), held(x, b)),
			wrong(".v[0].secret inconsistent-value", ".v[1].name inconsistent-value")},
		{"nor in a block's NestedType", nestedInBlock, in(a), in(b), wrong(`.v[0].in["k"].secret inconsistent-value`)},
		{"in a block it gathers at the attribute, others are told apart", inBlock, list(held(a, a), held(b, b)), list(held(a, b), held(x, b)),
			wrong(".v[0].secret inconsistent-sensitive", ".v[1].name inconsistent-value")},
	})
}
