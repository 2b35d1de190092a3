package objchange_test

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// A map of blocks with something dynamic in it is an object, whose keys are not
// the attributes of the blocks, even where they are named alike.
func TestConfigConsistentInDynamicMap(t *testing.T) {
	inner := attrs{
		"d":      attr(cty.DynamicPseudoType, "optional"),
		"k":      attr(cty.String, "optional"),
		"secret": attr(cty.String, "optional sensitive"),
	}
	schema := withBlock(block(objchange.NestingMap, inner))
	of := func(key string, d, k, secret cty.Value) cty.Value {
		return inV(object(obj{key: object(obj{"d": d, "k": k, "secret": secret})}))
	}
	expect(t, objchange.AssertConfigConsistent(schema, of("x", str("a"), str("1"), noStr), of("x", str("b"), unknownStr, noStr)),
		".v.x.d inconsistent-value", ".v.x.k config-unknown")
	found := objchange.AssertConfigConsistent(schema, of("k", str("a"), str("1"), str("hunter1")), of("k", str("a"), str("1"), str("hunter2")))
	expect(t, found, ".v.k.secret inconsistent-value")
	if strings.Contains(found.Err().Error(), "hunter") {
		t.Error(found.Err())
	}
	expect(t, objchange.AssertConfigConsistent(schema, of("x", str("a"), noStr, noStr), of("y", str("a"), noStr, noStr)), ".v inconsistent-type")
}

// The shape of dynamic blocks is looked at wherever they are.
func TestConfigConsistentShape(t *testing.T) {
	lists := blocks{"l": block(objchange.NestingList, attrs{"d": attr(cty.DynamicPseudoType, "optional")})}
	schema := withBlock(block(objchange.NestingSingle, nil, lists))
	for name, bad := range map[string]cty.Value{"a string": str("x"), "a list of strings": tuple(str("x"))} {
		t.Run(name, func(t *testing.T) {
			v := inV(object(obj{"l": bad}))
			expect(t, objchange.AssertConfigConsistent(schema, v, v), ".v.l type-mismatch")
		})
	}
}

// Names in the data below something sensitive are hidden in errors of functions
// that make values, and where the type does not conform.
func TestDataNamesBelowSensitiveAreHidden(t *testing.T) {
	inner := attrs{"l": nested(objchange.NestingList, "optional", attrs{"d": attr(cty.DynamicPseudoType, "optional computed")})}
	schema := withAttr(nested(objchange.NestingMap, "optional sensitive", inner))
	of := func(a, b cty.Value) cty.Value {
		return inV(mapOf(obj{"hunter2": object(obj{"l": list(object(obj{"d": a}), object(obj{"d": b}))})}))
	}
	_, err := objchange.ProposedNew(schema, of(num(1), num(2)), of(noStr, str("x")))
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	plain := withAttr(attr(cty.Object(map[string]cty.Type{"a": cty.String}), "optional sensitive"))
	found := objchange.AssertStateValid(plain, inV(object(obj{"a": str("x"), "hunter2": str("y")})))
	if len(found) != 1 || strings.Contains(found[0].Error(), "hunter2") {
		t.Error(found)
	}
}
