package ctydata_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	. "github.com/objchange/objchange/internal/testcty"
)

// canary is a secret that no message may show.
const canary = "CANARY"

func TestValueOfErrors(t *testing.T) {
	schema := &configschema.Block{
		Attributes: Attrs{
			"name": attrOf(cty.String), "tags": attrOf(cty.Map(cty.Number)), "any": attrOf(cty.DynamicPseudoType),
			"zones":  attrOf(cty.Set(cty.String)),
			"pair":   attrOf(cty.Tuple([]cty.Type{cty.String, cty.Bool})),
			"object": attrOf(cty.Object(map[string]cty.Type{"port": cty.Number})),
			"secret": {Type: cty.Map(cty.Number), Optional: true, Sensitive: true},
			"login": {Optional: true, Sensitive: true, NestedType: &configschema.Object{
				Attributes: Attrs{"age": attrOf(cty.Number)}, Nesting: configschema.NestingMap,
			}},
		},
		BlockTypes: Blocks{
			"rule": {Nesting: configschema.NestingList, Block: configschema.Block{Attributes: Attrs{"port": attrOf(cty.Number)}}},
			"port": Block(configschema.NestingMap, Attrs{"any": attrOf(cty.DynamicPseudoType)}),
			"one":  {Nesting: configschema.NestingSingle, Block: configschema.Block{Attributes: Attrs{"port": attrOf(cty.Number)}}},
		},
	}
	cycle := data{}
	cycle["any"] = cycle
	tests := map[string]struct {
		data any
		want string
	}{
		"root":         {[]any{}, "the value: must be an object, not a list"},
		"tuple length": {data{"pair": []any{"x"}}, ".pair: must have the length 2, not 1"},
		"map key":      {data{"tags": data{"env": "x"}}, `.tags["env"]: must be a number, or a string that contains a number`},
		"no list":      {data{"rule": data{"port": 1}}, ".rule: must be a list of objects, not an object or a map"},
		"no map":       {data{"port": []any{}}, ".port: must be a map of blocks, not a list"},
		"unknown elements": {data{"zones": slices.Repeat([]any{cty.DynamicVal}, 4097)},
			".zones: a set of more than 4096 elements with unknown values"},
		"suggestion":       {data{"nmae": "x"}, `.nmae: no such attribute or block; did you mean "name"?`},
		"no suggestion":    {data{"frobnicate": 1}, ".frobnicate: no such attribute or block"},
		"name in a type":   {data{"object": data{"ports": 1}}, `.object.ports: no such attribute or block; did you mean "port"?`},
		"all problems":     {data{"name": []any{}, "rule": []any{data{"port": true}, data{"x": 1}}, "zzzzzz": 1}, ".name: must be a string, not a list\n.rule[0].port: must be a number, not a bool\n.rule[1].x: no such attribute or block\n.zzzzzz: no such attribute or block"},
		"zero cty.Value":   {data{"name": cty.NilVal}, ".name: is the zero cty.Value"},
		"wrong cty.Value":  {data{"tags": data{"k": cty.True}}, `.tags["k"]: must be a number, not a bool`},
		"wrong cty block":  {data{"rule": Str("x")}, ".rule: must be a list of objects, not a string"},
		"NaN":              {data{"tags": data{"k": math.NaN()}}, `.tags["k"]: NaN is not supported`},
		"huge":             {data{"tags": data{"k": json.Number("1e600000000")}}, `.tags["k"]: a number beyond 2^4096`},
		"keys in NFC":      {data{"tags": data{"\u00e9": 1, "e\u0301": 1}}, ".tags: two names or keys are the same in Unicode NFC"},
		"no data":          {data{"name": func() {}}, ".name: a func() is not supported: use a map with string keys, a slice of anything except bytes, or a plain value"},
		"valuer":           {data{"one": data{"port": secretValuer{}}}, ".one.port: cannot make " + canary + " a number"},
		"sensitive valuer": {data{"secret": secretValuer{}}, ".secret: cannot be converted to a value"},
		"sensitive key":    {data{"secret": data{canary: canary}}, ".secret[(sensitive)]: must be a number, or a string that contains a number"},
		"sensitive nested": {data{"login": data{canary: data{"age": canary, canary: 1}}}, ".login[(sensitive)].age: must be a number, or a string that contains a number\n.login[(sensitive)]: has a name that is not an attribute or block"},
		"panic":            {data{"name": panicker{}}, ".name: the conversion of a ctydata_test.panicker to a value panics"},
		"cycle":            {cycle, "nested deeper than 500 levels"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ctydata.ValueOf(schema, test.data)
			if err == nil {
				t.Fatalf("got %#v, want an error", got)
			}
			if name == "cycle" {
				if !strings.HasSuffix(err.Error(), test.want) {
					t.Errorf("got error %.200s", err)
				}
				return
			}
			if err.Error() != test.want {
				t.Errorf("got error\n%s\nwant\n%s", err, test.want)
			}
		})
	}
	t.Run("schemas", func(t *testing.T) {
		if _, err := ctydata.ValueOf(nil, nil); err == nil {
			t.Error("no error for a nil schema")
		}
		if _, err := ctydata.ValueOf(&configschema.Block{Attributes: Attrs{"a": {}}}, nil); err == nil {
			t.Error("no error for an invalid schema")
		}
	})
}

// TestBytesAreRejected checks that bytes are an error for all types, because they may be text, a
// secret or an address. A Format or a Valuer may convert them.
func TestBytesAreRejected(t *testing.T) {
	for name, bytes := range map[string]any{
		"[]uint8":           []byte(canary),
		"json.RawMessage":   json.RawMessage(canary),
		"net.IP":            net.IPv4(127, 0, 0, 1),
		"[4]uint8":          [4]byte{1, 2, 3, 4},
		"ctydata_test.uuid": uuid{1},
	} {
		want := "a " + name + " is not supported: use a map with string keys, a slice of anything except bytes, or a plain value"
		for _, ty := range []cty.Type{cty.List(cty.Number), cty.Set(cty.Number), cty.List(cty.String), cty.DynamicPseudoType} {
			for place, data := range map[string]data{".a: ": {"a": bytes}, ".a[0]: ": {"a": []any{bytes}}} {
				got, err := ctydata.ValueOf(ofType(ty), data)
				if err == nil || err.Error() != place+want {
					t.Errorf("%s as %#v: %#v, %v; want error %s", name, ty, got, err, place+want)
				}
			}
		}
		asText := ctydata.Format{Open: func(_ cty.Type, data any) (any, error) {
			if v := reflect.ValueOf(data); v.IsValid() && v.Type() == reflect.TypeOf(bytes) {
				return "text", nil
			}
			return data, nil
		}}
		if got, err := asText.ValueOf(ofType(cty.String), data{"a": bytes}); err != nil || !got.GetAttr("a").RawEquals(Str("text")) {
			t.Errorf("%s in a format: %#v, %v", name, got, err)
		}
	}
	for name, null := range map[string]any{"[]byte": []byte(nil), "json.RawMessage": json.RawMessage(nil)} {
		if got, err := ctydata.ValueOf(ofType(cty.String), data{"a": null}); err != nil || !got.GetAttr("a").IsNull() {
			t.Errorf("nil %s: %#v, %v", name, got, err)
		}
	}
	levels := cty.ListVal([]cty.Value{Str("level 1"), Str("level 2")})
	if got, err := ctydata.ValueOf(ofType(cty.List(cty.String)), data{"a": []level{1, 2}}); err != nil || !got.GetAttr("a").RawEquals(levels) {
		t.Errorf("values that are a uint8 by kind: %#v, %v", got, err)
	}
}

type uuid [16]byte

// A level has the kind uint8 and is a Valuer.
type level uint8

func (l level) CtyValue(cty.Type) (cty.Value, error) { return Str(fmt.Sprint("level ", uint8(l))), nil }

// TestErrorJoinsValueErrors checks that the error joins one ValueError for each problem, with the path.
func TestErrorJoinsValueErrors(t *testing.T) {
	schema := &configschema.Block{
		Attributes: map[string]*configschema.Attribute{
			"name": {Type: cty.String, Optional: true},
			"tags": {Type: cty.Map(cty.Number), Optional: true, Sensitive: true},
		},
		BlockTypes: map[string]*configschema.NestedBlock{"rule": {Nesting: configschema.NestingList, Block: configschema.Block{
			Attributes: map[string]*configschema.Attribute{"port": {Type: cty.Number, Optional: true}},
		}}},
	}
	_, err := ctydata.ValueOf(schema, map[string]any{
		"name": []any{}, "tags": map[string]any{"k": "v"}, "rule": []any{map[string]any{"port": true}},
	})
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("%T does not join errors", err)
	}
	var found []ctydata.ValueError
	for _, err := range joined.Unwrap() {
		found = append(found, *err.(*ctydata.ValueError))
	}
	name, tags := cty.GetAttrPath("name"), cty.GetAttrPath("tags")
	port := cty.GetAttrPath("rule").IndexInt(0).GetAttr("port")
	want := []ctydata.ValueError{
		{name, name, "must be a string, not a list", false},
		{port, port, "must be a number, not a bool", false},
		{
			tags.IndexString("k"), tags.Index(cty.StringVal("").Mark("hidden")),
			"must be a number, or a string that contains a number", false,
		},
	}
	equal := cmp.Comparer(func(a, b cty.Path) bool { return a.Equals(b) })
	if diff := cmp.Diff(want, found, equal); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestPlacesAreWrittenAsPaths checks that places are written like all paths of the library, also if
// a key is not valid UTF-8.
func TestPlacesAreWrittenAsPaths(t *testing.T) {
	schema := &configschema.Block{Attributes: map[string]*configschema.Attribute{"a": {Type: cty.Map(cty.Number), Optional: true}}}
	_, err := ctydata.ValueOf(schema, map[string]any{"a": map[string]any{"k\xff\x1b": true}})
	if err == nil || !strings.HasPrefix(err.Error(), `.a["k\xff\x1b"]: `) {
		t.Errorf("%v", err)
	}
}

// TestZeroValueInsideIsAnError checks that a zero cty.Value inside another value is an error.
func TestZeroValueInsideIsAnError(t *testing.T) {
	type data = map[string]any
	schema := &configschema.Block{Attributes: Attrs{
		"any": attrOf(cty.DynamicPseudoType),
		"o":   attrOf(cty.Object(map[string]cty.Type{"a": cty.String})),
		"n":   {Optional: true, NestedType: &configschema.Object{Nesting: configschema.NestingList, Attributes: Attrs{"a": attrOf(cty.String)}}},
	}}
	bad := cty.ObjectVal(map[string]cty.Value{"a": cty.NilVal})
	for _, test := range []struct {
		data any
		want string
	}{
		{data{"any": bad}, ".any.a: is the zero cty.Value"},
		{data{"o": bad}, ".o.a: is the zero cty.Value"},
		{data{"n": []any{bad}}, ".n[0].a: is the zero cty.Value"},
		{data{"n": cty.TupleVal([]cty.Value{bad})}, ".n[0].a: is the zero cty.Value"},
		{cty.ObjectVal(map[string]cty.Value{"o": bad}), ".o.a: is the zero cty.Value"},
		{data{"any": []any{cty.TupleVal([]cty.Value{cty.NilVal})}}, ".any[0][0]: is the zero cty.Value"},
		{data{"any": cty.NullVal(bad.Type())}, ".any: contains the zero cty.Type, or is nested too deep"},
		{data{"o": cty.UnknownVal(bad.Type())}, ".o: contains the zero cty.Type, or is nested too deep"},
		{data{"any": bad.Mark("x")}, ".any: contains the zero cty.Type, or is nested too deep"},
	} {
		if v, err := ctydata.ValueOf(schema, test.data); fmt.Sprint(err) != test.want {
			t.Errorf("%#v: %#v, %v; want %s", test.data, v, err, test.want)
		}
	}
}
