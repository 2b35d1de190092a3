package exchanges

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/witness"
)

// The words of the tests: a provider, and what passes between it and Core.

type fields = map[string]any

// A failer is a test, or a check of a property.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Context() context.Context
}

// message is one of the protocol, of the fields as JSON has them.
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
	text, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	m, err := parse(kind, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := protojson.Unmarshal(text, m.Interface()); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	raw, err := proto.Marshal(m.Interface())
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func attribute(name, ty, flag string) fields {
	return fields{"name": name, "type": base64.StdEncoding.EncodeToString([]byte(ty)), flag: true}
}

// things is a schema with something of everything that both protocols have.
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

// recordedProvider is a provider of things, of either protocol.
func recordedProvider(t failer, protocol int) Provider {
	witness, err := witness.New(protocol, tfcheck.Terraform)
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
	for i, method := range witness.SchemaRPCs() {
		p.Schemas = append(p.Schemas, Answer{Method: method, Response: message(t, method, true, []fields{all, identities}[i])})
	}
	return p
}

// schemaOf is what objchange makes of things.
func schemaOf(t failer, p Provider) *configschema.Block {
	t.Helper()
	witness, err := witness.New(p.Protocol, tfcheck.Terraform)
	if err != nil {
		t.Fatal(err)
	}
	object, identity, err := witness.Schemas(t.Context(), p.Ask, "ReadResource", "cloud_thing")
	if err != nil || identity == nil {
		t.Fatal(err)
	}
	return object.Block()
}

// A secret is a text or a number that must not be seen, and that is nowhere by chance.
var (
	secretText   = rapid.StringMatching(`SECRET[A-Z]{1,2}`)
	secretNumber = rapid.Custom(func(t *rapid.T) cty.Value {
		return cty.NumberIntVal(700_000_000 + rapid.Int64Range(1, 4).Draw(t, "number")).Multiply(rapid.SampledFrom([]cty.Value{
			cty.NumberIntVal(1), cty.NumberIntVal(-1), cty.NumberFloatVal(0.5),
		}).Draw(t, "times"))
	})
)

// valueOf draws a value of the type. Few texts and numbers are drawn again and again.
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
	case ty == cty.Number:
		return rapid.OneOf(secretNumber, rapid.Just(cty.Zero)).Draw(t, "number")
	case ty == cty.Bool:
		return cty.BoolVal(rapid.Bool().Draw(t, "bool"))
	case ty == cty.DynamicPseudoType:
		return valueOf(t, typeOf(t, 3-depth), unknown, depth)
	case ty.IsTupleType():
		var elements []cty.Value
		for _, element := range ty.TupleElementTypes() {
			elements = append(elements, valueOf(t, element, unknown, depth+1))
		}
		return cty.TupleVal(elements)
	case ty.IsObjectType():
		attributes := map[string]cty.Value{}
		all := ty.AttributeTypes()
		for _, name := range slices.Sorted(maps.Keys(all)) {
			attributes[name] = valueOf(t, all[name], unknown, depth+1)
		}
		return cty.ObjectVal(attributes)
	}
	return collectionOf(t, ty, unknown, depth)
}

func collectionOf(t *rapid.T, ty cty.Type, unknown bool, depth int) cty.Value {
	length, element := rapid.IntRange(0, 3).Draw(t, "length"), ty.ElementType()
	if ty.IsMapType() {
		elements := map[string]cty.Value{}
		for range length {
			elements[secretText.Draw(t, "key")] = valueOf(t, element, unknown, depth+1)
		}
		if len(elements) == 0 {
			return cty.MapValEmpty(element)
		}
		return cty.MapVal(elements)
	}
	var elements []cty.Value
	for range length {
		elements = append(elements, valueOf(t, element, unknown, depth+1))
	}
	switch {
	case length == 0 && ty.IsListType():
		return cty.ListValEmpty(element)
	case length == 0:
		return cty.SetValEmpty(element)
	case ty.IsListType():
		return cty.ListVal(elements)
	}
	return cty.SetVal(elements)
}

// typeOf draws the type of a dynamic value, whose attributes have secret names.
func typeOf(t *rapid.T, depth int) cty.Type {
	kinds := 3
	if depth > 0 {
		kinds = 7
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "type") {
	case 0:
		return cty.Number
	case 1:
		return cty.Bool
	case 3:
		return cty.Map(typeOf(t, depth-1))
	case 4:
		return cty.Tuple([]cty.Type{typeOf(t, depth-1), cty.String})
	case 5:
		return cty.Object(map[string]cty.Type{secretText.Draw(t, "name"): typeOf(t, depth-1), "from": cty.String})
	case 6:
		return cty.Set(cty.String)
	}
	return cty.String
}

// thing draws a thing.
func thing(t *rapid.T, block *configschema.Block, unknown bool) cty.Value {
	attributes := map[string]cty.Value{}
	for _, name := range slices.Sorted(maps.Keys(block.Attributes)) {
		attributes[name] = valueOf(t, block.Attributes[name].Type, unknown, 0)
	}
	var disks, rules []cty.Value
	disk := block.BlockTypes["disk"].Block.ImpliedType()
	for range rapid.IntRange(0, 3).Draw(t, "disks") {
		disks = append(disks, cty.ObjectVal(map[string]cty.Value{
			"size": valueOf(t, cty.Number, unknown, 0), "label": valueOf(t, cty.String, unknown, 0),
		}))
	}
	attributes["disk"] = cty.SetValEmpty(disk)
	if len(disks) > 0 {
		attributes["disk"] = cty.SetVal(disks)
	}
	for range rapid.IntRange(0, 2).Draw(t, "rules") {
		rules = append(rules, cty.ObjectVal(map[string]cty.Value{
			"what": valueOf(t, cty.DynamicPseudoType, unknown, 1), "from": valueOf(t, cty.String, unknown, 1),
		}))
	}
	attributes["rule"] = cty.TupleVal(rules)
	return cty.ObjectVal(attributes)
}

// inMsgpack and inJSON are a value as it crosses.
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
