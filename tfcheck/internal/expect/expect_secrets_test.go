package expect_test

import (
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/internal/expect"
)

// TestExpectKeepsSecrets checks that messages of Expect contain neither sensitive values of the
// object nor the values expected in their place, for expectations at, above, inside and around
// them. Only paths are repeated, because the test itself wrote them.
func TestExpectKeepsSecrets(t *testing.T) {
	failures, runs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		state := objectWithSecrets(t)
		for path, want := range expectations(t, state) {
			lines := expect.Unmet(must(objchange.Compile(secretSchema)), state, obj{path: want})
			expectNoSecret(t, lines, path, want)
			failures += len(lines)
		}
		other := withOtherLeaves(t, state)
		expectNoSecret(t, expect.Unmet(must(objchange.Compile(secretSchema)), state, other), "the whole", other)
	})
	if failures < 5*runs {
		t.Errorf("only %d failures were read in %d runs", failures, runs)
	}
}

func expectNoSecret(t *rapid.T, lines []string, path string, want any) {
	text := strings.Join(lines, "\n")
	for _, secret := range []string{"canary", "7777", "guess", "5555"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s, where %#v is wanted, tells the secret %q:\n%s", path, want, secret, text)
		}
	}
}

// secretSchema is a schema with sensitive values of each kind at each kind of path.
var secretSchema = &configschema.Block{
	Attributes: attributes{
		"name": {Type: cty.String, Optional: true},
		"open": {Type: cty.DynamicPseudoType, Optional: true},
		"wo":   {Type: cty.String, Optional: true, WriteOnly: true},
		"text": {Type: cty.String, Optional: true, Sensitive: true},
		"pin":  {Type: cty.Number, Optional: true, Sensitive: true},
		"any":  {Type: cty.DynamicPseudoType, Optional: true, Sensitive: true},
		"map":  {Type: cty.Map(cty.String), Optional: true, Sensitive: true},
		"set":  {Type: cty.Set(cty.String), Optional: true, Sensitive: true},
		"list": {Type: cty.List(cty.Object(map[string]cty.Type{"k": cty.Number})), Optional: true, Sensitive: true},
		"one":  {Optional: true, NestedType: secretObject(configschema.NestingSingle)},
		"many": {Optional: true, NestedType: secretObject(configschema.NestingList)},
		"keys": {Optional: true, NestedType: secretObject(configschema.NestingMap)},
		"bag":  {Optional: true, NestedType: secretObject(configschema.NestingSet)},
		"safe": {Optional: true, Sensitive: true, NestedType: secretObject(configschema.NestingMap)},
	},
	BlockTypes: map[string]*configschema.NestedBlock{
		"b_list": {Nesting: configschema.NestingList, Block: secretBlock},
		"b_set":  {Nesting: configschema.NestingSet, Block: secretBlock},
		"b_map":  {Nesting: configschema.NestingMap, Block: secretBlock},
		"b_one":  {Nesting: configschema.NestingSingle, Block: secretBlock},
	},
}

var secretBlock = configschema.Block{
	Attributes: secretParts,
	BlockTypes: map[string]*configschema.NestedBlock{"in": {Nesting: configschema.NestingSet, Block: configschema.Block{Attributes: secretParts}}},
}

var secretParts = attributes{
	"name": {Type: cty.String, Optional: true},
	"text": {Type: cty.String, Optional: true, Sensitive: true},
	"map":  {Type: cty.Map(cty.Number), Optional: true, Sensitive: true},
}

func secretObject(nesting configschema.NestingMode) *configschema.Object {
	return &configschema.Object{Nesting: nesting, Attributes: secretParts}
}

// objectWithSecrets returns an object with a canary in all sensitive values.
func objectWithSecrets(t *rapid.T) cty.Value {
	deep := func() obj {
		return obj{"name": "n", "text": secretText(t), "map": obj{secretText(t): 77770}, "in": []any{obj{"name": "i", "text": secretText(t)}}}
	}
	flat := func() obj { return obj{"name": "n", "text": secretText(t), "map": obj{secretText(t): 77770}} }
	var some []cty.Value
	for range rapid.IntRange(1, 3).Draw(t, "elements") {
		some = append(some, cty.StringVal(secretText(t)))
	}
	free := []cty.Value{
		cty.StringVal(secretText(t)), cty.NumberIntVal(77771), cty.ListVal(some), cty.SetVal(some),
		cty.MapVal(parts{secretText(t): some[0]}), cty.ObjectVal(parts{secretText(t): some[0], "name": cty.ListVal(some)}),
	}
	return must(expect.ValueOf(secretSchema, obj{
		"name": "shown", "open": obj{"x": []any{1, "y"}}, "wo": secretText(t), "text": `{"a": "` + secretText(t) + `"}`, "pin": 77772,
		"any": rapid.SampledFrom(free).Draw(t, "any"), "map": obj{secretText(t): secretText(t)}, "set": some, "list": []any{obj{"k": 77773}},
		"one": flat(), "many": []any{flat(), flat()}, "keys": obj{"a": flat(), "b": flat()}, "bag": []any{flat(), flat()}, "safe": obj{secretText(t): flat()},
		"b_list": []any{deep(), deep()}, "b_set": []any{deep(), deep()}, "b_map": obj{"a": deep()}, "b_one": deep(),
	}))
}

func secretText(t *rapid.T) string {
	return "canary" + rapid.StringMatching("[a-z]{0,3}").Draw(t, "canary")
}

// expectations returns paths into the object, each with an expectation. Some paths do not exist.
func expectations(t *rapid.T, state cty.Value) map[string]any {
	wanted := map[string]any{}
	for range 20 {
		path, at := drawPath(t, state)
		switch rapid.IntRange(0, 9).Draw(t, "wanted") {
		case 0:
			wanted[path] = nil
		case 1:
			wanted[path] = is{"another"}
		case 2:
			wanted[path] = []any{1, obj{"text": "x"}}
		case 3:
			wanted[path] = obj{"name": "x", "map": 1, "k": true}
		case 4:
			wanted[path] = cty.DynamicVal
		case 5:
			wanted[path] = true
		default:
			wanted[path] = withOtherLeaves(t, at)
		}
	}
	return wanted
}

// drawPath returns a path and its value. The last step may be slightly wrong.
func drawPath(t *rapid.T, v cty.Value) (path string, at cty.Value) {
	for path == "" || rapid.IntRange(0, 3).Draw(t, "on") > 0 {
		if v.IsNull() || !v.CanIterateElements() || v.LengthInt() == 0 || v.Type().IsSetType() {
			break
		}
		var keys []cty.Value
		var elems []cty.Value
		for key, elem := range v.Elements() {
			keys, elems = append(keys, key), append(elems, elem)
		}
		i := rapid.IntRange(0, len(keys)-1).Draw(t, "step")
		if keys[i].Type() == cty.Number {
			path += fmt.Sprintf("[%s]", keys[i].AsBigFloat().Text('f', 0))
		} else {
			path += "." + keys[i].AsString()
		}
		v = elems[i]
	}
	if rapid.IntRange(0, 2).Draw(t, "nowhere") == 0 {
		path += rapid.SampledFrom([]string{".nmae", ".canar", "[9]", ".text"}).Draw(t, "end")
	}
	return path, v
}

// withOtherLeaves returns the value with some other leaves, and with guesses in place of
// canaries. The order of paths in cty.Transform varies, so withOtherLeaves cannot draw for each
// leaf.
func withOtherLeaves(t *rapid.T, v cty.Value) cty.Value {
	salt := rapid.Uint32().Draw(t, "salt")
	other, err := cty.Transform(v, func(path cty.Path, leaf cty.Value) (cty.Value, error) {
		roll := crc32.Update(salt, crc32.IEEETable, []byte(objchange.PathString(path)))
		switch {
		case leaf.IsNull() || roll%2 == 0:
			return leaf, nil
		case leaf.Type() == cty.String && strings.Contains(leaf.AsString(), "canary"):
			return cty.StringVal([]string{"guess", `{"a": "guess"}`}[roll/2%2]), nil
		case leaf.Type() == cty.String:
			return cty.StringVal("another"), nil
		case leaf.Type() == cty.Number && strings.HasPrefix(leaf.AsBigFloat().String(), "7777"):
			return cty.NumberIntVal(55550), nil
		case leaf.Type().IsSetType() && roll/2%2 == 0:
			return cty.SetValEmpty(leaf.Type().ElementType()), nil
		}
		return leaf, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return other
}
