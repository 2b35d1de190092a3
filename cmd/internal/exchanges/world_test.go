package exchanges

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// This file has a provider and RPCs for the tests.

type fields = map[string]any

// A failer is a test, or a check of a property.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Context() context.Context
}

// message returns an encoded message of the protocol with the given fields.
func message(t failer, path string, response bool, of fields) []byte {
	t.Helper()
	method := methodOf(path)
	if method == nil {
		t.Fatalf("there is no %s", path)
	}
	kind := method.Input()
	if response {
		kind = method.Output()
	}
	return encode(filledWith(t, kind, of))
}

func filledWith(t failer, kind protoreflect.MessageDescriptor, of fields) protoreflect.Message {
	t.Helper()
	text, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	m, err := parse(kind, nil)
	if err == nil {
		err = protojson.Unmarshal(text, m.Interface())
	}
	if err != nil {
		t.Fatalf("%s: %v", kind.Name(), err)
	}
	return m
}

func attribute(name, ty, flag string) fields {
	return fields{"name": name, "type": base64.StdEncoding.EncodeToString([]byte(ty)), flag: true}
}

// things is a schema with everything that both protocols have.
var things = fields{"version": 1, "block": fields{
	"attributes": []fields{
		attribute("id", `"string"`, "computed"), attribute("name", `"string"`, "optional"),
		attribute("port", `"number"`, "optional"), attribute("on", `"bool"`, "optional"),
		attribute("tags", `["map","string"]`, "optional"), attribute("ports", `["set","number"]`, "optional"),
		attribute("any", `"dynamic"`, "optional"), attribute("deep", `["list",["object",{"a":"string","b":["tuple",["number","string"]]}]]`, "optional"),
		attribute("open", `["object",{"inside":"dynamic"}]`, "optional"), attribute("made", `["map","string"]`, "computed"),
	},
	"block_types": []fields{
		{"type_name": "disk", "nesting": "SET", "block": fields{"attributes": []fields{attribute("size", `"number"`, "optional"), attribute("label", `"string"`, "optional")}}},
		{"type_name": "rule", "nesting": "LIST", "block": fields{"attributes": []fields{attribute("what", `"dynamic"`, "optional"), attribute("from", `"string"`, "optional")}}},
	},
}}

// recordedProvider returns a provider of things for the protocol.
func recordedProvider(t failer, protocol int) Provider {
	encoded, err := encoded.New(protocol, tfcheck.Terraform)
	if err != nil {
		t.Fatal(err)
	}
	p := Provider{Address: "example.com/acme/cloud", Protocol: protocol}
	all := fields{
		"resource_schemas": fields{"cloud_thing": things}, "data_source_schemas": fields{"cloud_thing": things},
		"ephemeral_resource_schemas": fields{"cloud_thing": things},
		"diagnostics":                []fields{{"severity": "WARNING", "summary": "SECRETsummary", "detail": "SECRETdetail"}},
	}
	identities := fields{"identity_schemas": fields{"cloud_thing": fields{"identity_attributes": []fields{
		{"name": "id", "type": base64.StdEncoding.EncodeToString([]byte(`"string"`)), "required_for_import": true},
	}}}}
	for i, method := range encoded.SchemaRPCs() {
		p.Schemas = append(p.Schemas, Answer{Method: method, Response: message(t, method, true, []fields{all, identities}[i])})
	}
	return p
}

// schemaOf returns the schema of things in the form of package configschema.
func schemaOf(t failer, p Provider) *configschema.Block {
	t.Helper()
	encoded, err := encoded.New(p.Protocol, tfcheck.Terraform)
	if err != nil {
		t.Fatal(err)
	}
	object, identity, err := encoded.Schemas(t.Context(), p.Ask, "ReadResource", "cloud_thing")
	if err != nil || identity == nil {
		t.Fatal(err)
	}
	return object.Block()
}

// These generators draw secret texts and numbers. They do not occur elsewhere by chance.
var (
	secretText   = rapid.StringMatching(`SECRET[A-Z]{1,2}`)
	secretNumber = rapid.Custom(func(t *rapid.T) cty.Value {
		return cty.NumberIntVal(700_000_000 + rapid.Int64Range(1, 4).Draw(t, "number")).Multiply(rapid.SampledFrom([]cty.Value{
			cty.NumberIntVal(1), cty.NumberIntVal(-1), cty.NumberFloatVal(0.5),
		}).Draw(t, "times"))
	})
)

// valueOf draws a value of the type. There are only few texts and numbers, so equal ones are drawn
// often.
func valueOf(t *rapid.T, ty cty.Type, unknown bool, depth int) cty.Value {
	switch n := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case n == 0:
		return cty.NullVal(ty)
	case n == 1 && unknown && ty == cty.String:
		return cty.UnknownVal(ty).Refine().NotNull().StringPrefixFull(secretText.Draw(t, "prefix")).NewValue()
	case n == 1 && unknown && ty.IsListType():
		return cty.UnknownVal(ty).Refine().NotNull().CollectionLengthUpperBound(3).NewValue()
	case n == 1 && unknown:
		return cty.UnknownVal(ty)
	}
	switch {
	case ty == cty.String:
		return cty.StringVal(rapid.OneOf(secretText, rapid.Just("")).Draw(t, "text"))
	case ty == cty.Number && unknown: // JSON has no infinity either
		return rapid.OneOf(secretNumber, rapid.SampledFrom([]cty.Value{cty.Zero, cty.PositiveInfinity, cty.NegativeInfinity})).Draw(t, "number")
	case ty == cty.Number:
		return rapid.OneOf(secretNumber, rapid.Just(cty.Zero)).Draw(t, "number")
	case ty == cty.Bool:
		return cty.BoolVal(rapid.Bool().Draw(t, "bool"))
	case ty == cty.DynamicPseudoType:
		return valueOf(t, typeOf(t, 3-depth), unknown, depth)
	case ty.IsTupleType():
		return cty.TupleVal([]cty.Value{valueOf(t, ty.TupleElementType(0), unknown, depth+1), valueOf(t, ty.TupleElementType(1), unknown, depth+1)})
	case ty.IsObjectType():
		return cty.ObjectVal(attributesOf(t, ty.AttributeTypes(), unknown, depth+1))
	}
	elements := map[string]cty.Value{}
	for range rapid.IntRange(0, 3).Draw(t, "length") {
		elements[secretText.Draw(t, "key")] = valueOf(t, ty.ElementType(), unknown, depth+1)
	}
	return collection(ty, elements)
}

// collection returns a collection of the type. A map uses the keys, and a list their order.
func collection(ty cty.Type, elements map[string]cty.Value) cty.Value {
	var list []cty.Value
	for _, key := range slices.Sorted(maps.Keys(elements)) {
		list = append(list, elements[key])
	}
	switch {
	case len(list) == 0 && ty.IsMapType():
		return cty.MapValEmpty(ty.ElementType())
	case len(list) == 0 && ty.IsListType():
		return cty.ListValEmpty(ty.ElementType())
	case len(list) == 0:
		return cty.SetValEmpty(ty.ElementType())
	case ty.IsMapType():
		return cty.MapVal(elements)
	case ty.IsListType():
		return cty.ListVal(list)
	}
	return cty.SetVal(list)
}

func attributesOf(t *rapid.T, types map[string]cty.Type, unknown bool, depth int) map[string]cty.Value {
	attributes := map[string]cty.Value{}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		attributes[name] = valueOf(t, types[name], unknown, depth)
	}
	return attributes
}

// typeOf draws the type of a dynamic value, whose attributes have secret names.
func typeOf(t *rapid.T, depth int) cty.Type {
	if simple := rapid.SampledFrom([]cty.Type{cty.Number, cty.Bool, cty.String, cty.NilType}).Draw(t, "type"); depth <= 0 || simple != cty.NilType {
		return cmp.Or(simple, cty.String)
	}
	return rapid.SampledFrom([]cty.Type{
		cty.Map(typeOf(t, depth-1)), cty.Tuple([]cty.Type{typeOf(t, depth-1), cty.String}), cty.Set(cty.String),
		cty.Object(map[string]cty.Type{secretText.Draw(t, "name"): typeOf(t, depth-1), "from": cty.String}),
	}).Draw(t, "of")
}

// thing draws a thing.
func thing(t *rapid.T, block *configschema.Block, unknown bool) cty.Value {
	types := block.ImpliedType().AttributeTypes()
	disk, rule := types["disk"].ElementType(), block.BlockTypes["rule"].Block.ImpliedType()
	delete(types, "disk")
	delete(types, "rule")
	attributes := attributesOf(t, types, unknown, 0)
	var disks = map[string]cty.Value{}
	var rules []cty.Value
	for i := range rapid.IntRange(0, 3).Draw(t, "disks") {
		disks[fmt.Sprint(i)] = cty.ObjectVal(attributesOf(t, disk.AttributeTypes(), unknown, 0))
	}
	for range rapid.IntRange(0, 2).Draw(t, "rules") {
		rules = append(rules, cty.ObjectVal(attributesOf(t, rule.AttributeTypes(), unknown, 1)))
	}
	attributes["disk"], attributes["rule"] = collection(cty.Set(disk), disks), cty.TupleVal(rules)
	return cty.ObjectVal(attributes)
}

// inMsgpack and inJSON return an encoded value.
func inMsgpack(t failer, v cty.Value, ty cty.Type) fields {
	raw, err := msgpack.Marshal(v, ty)
	if err != nil {
		t.Fatalf("%v: %#v", err, v)
	}
	return fields{"msgpack": base64.StdEncoding.EncodeToString(raw)}
}

func inJSON(t failer, v cty.Value, ty cty.Type) fields {
	raw, err := ctyjson.Marshal(v, ty)
	if err != nil {
		t.Fatal(err)
	}
	return fields{"json": base64.StdEncoding.EncodeToString(raw)}
}

func withoutPrefixes(v cty.Value) cty.Value {
	v, _ = cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if !v.IsKnown() && v.Type() == cty.String {
			return cty.UnknownVal(cty.String), nil
		}
		return v, nil
	})
	return v
}
