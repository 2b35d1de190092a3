package exchanges

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// memoryFile is a file whose Close never fails.
type memoryFile struct{ bytes.Buffer }

func (*memoryFile) Close() error { return nil }

// recorded returns the recording of a provider and its RPCs.
func recorded(redact bool, p Provider, rpcs ...RPC) []byte {
	file := &memoryFile{}
	r := &Recorder{schemas: map[schemaRPC]bool{}}
	r.begin(file, redact)
	r.Provider(p)
	for _, rpc := range rpcs {
		rpc.Provider, rpc.Connection = p.Address, 1
		r.RPC(rpc, nil)
	}
	return file.Bytes()
}

// read returns the provider and the RPCs of a recording.
func read(t failer, text []byte) (provider Provider, rpcs []RPC) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for {
		e, err := r.Next()
		if err != nil {
			return provider, rpcs
		}
		if e.Provider != nil {
			provider = *e.Provider
		} else {
			rpcs = append(rpcs, *e.RPC)
		}
	}
}

// checkedRPCs are the RPCs whose values redaction keeps in shape.
var checkedRPCs = []string{
	"UpgradeResourceState", "UpgradeResourceIdentity", "MoveResourceState", "ImportResourceState", "ReadResource", "PlanResourceChange", "ApplyResourceChange", "ReadDataSource",
	"OpenEphemeralResource",
}

// drawRPC draws an RPC with rules, with values in all fields.
func drawRPC(t *rapid.T, protocol int, block *configschema.Block) RPC {
	name := fmt.Sprintf("/tfplugin%d.Provider/%s", protocol, rapid.SampledFrom(checkedRPCs).Draw(t, "rpc"))
	method := methodOf(name)
	return RPC{
		Method: name, Requests: [][]byte{encode(filled(t, method.Input(), block))}, Responses: [][]byte{encode(filled(t, method.Output(), block))},
	}
}

// filled draws a message with a secret in each field that can contain one, and in an unknown field.
func filled(t *rapid.T, kind protoreflect.MessageDescriptor, block *configschema.Block) protoreflect.Message {
	m, err := parse(kind, protowire.AppendString(protowire.AppendTag(nil, 2000, protowire.BytesType), "SECRETnew"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range kind.Fields().Len() {
		switch field := kind.Fields().Get(i); {
		case field.IsMap():
			m.Mutable(field).Map().Set(protoreflect.ValueOfString("SECRETkey").MapKey(), protoreflect.ValueOfString("SECRETflat"))
		case field.IsList():
			for range 2 {
				m.Mutable(field).List().Append(fieldOf(t, field, block))
			}
		default:
			m.Set(field, fieldOf(t, field, block))
		}
	}
	return m
}

func fieldOf(t *rapid.T, field protoreflect.FieldDescriptor, block *configschema.Block) protoreflect.Value {
	switch field.Kind() {
	case protoreflect.MessageKind:
		if field.Message().Name() == dynamicMessage {
			return protoreflect.ValueOfMessage(drawValue(t, field, block))
		}
		if field.Message().Name() == pathMessage {
			return protoreflect.ValueOfMessage(filledWith(t, field.Message(), fields{"steps": []fields{
				{"attribute_name": "any"}, {"attribute_name": "SECRETname"}, {"element_key_string": "SECRETkey"}, {"element_key_int": 700_000_001},
			}}))
		}
		return protoreflect.ValueOfMessage(filled(t, field.Message(), block))
	case protoreflect.StringKind:
		if strings.HasSuffix(string(field.Name()), "type_name") {
			return protoreflect.ValueOfString("cloud_thing")
		}
		if keptTexts[field.Name()] {
			return protoreflect.ValueOfString("example.com/acme/old")
		}
		return protoreflect.ValueOfString("SECRETtext")
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte("SECRETbytes"))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(1)
	}
	return field.Default() // a number, which stays
}

// drawValue draws the value of a field.
func drawValue(t *rapid.T, field protoreflect.FieldDescriptor, block *configschema.Block) protoreflect.Message {
	var v cty.Value
	asJSON := rapid.Bool().Draw(t, "JSON")
	switch {
	case field.Name() == metaField: // it has its own schema
		v = cty.StringVal("SECRETmeta")
	case field.Parent().Name() == identityMessage:
		v = cty.ObjectVal(map[string]cty.Value{"id": valueOf(t, cty.String, false, 0)})
	default:
		v = thing(t, block, !asJSON)
	}
	ty := block.ImpliedType()
	if !v.Type().IsObjectType() || !v.Type().HasAttribute("name") {
		ty = v.Type()
	}
	if asJSON {
		return filledWith(t, field.Message(), inJSON(t, v, ty))
	}
	return filledWith(t, field.Message(), inMsgpack(t, v, ty))
}

// TestRedactedRecordingHasNoValues checks that a redacted recording contains no values in any form, and that the
// schemas stay.
func TestRedactedRecordingHasNoValues(t *testing.T) {
	for _, protocol := range []int{5, 6} {
		p := recordedProvider(t, protocol)
		block := schemaOf(t, p)
		configure := RPC{Method: "/new.Service/Configure", Requests: [][]byte{[]byte("SECRETconfig")}, Responses: [][]byte{[]byte("SECRETanswer")}}
		failed := RPC{Method: configure.Method, Requests: configure.Requests, Status: StatusOf(status.Error(codes.Internal, "SECRETstatus"))}
		p.Schemas = append(p.Schemas, Answer{Method: "/new.Service/Schemas", Response: []byte("SECRETnew")})
		t.Run(fmt.Sprint(protocol), rapid.MakeCheck(func(t *rapid.T) {
			rpc := drawRPC(t, protocol, block)
			malformed := RPC{Method: rpc.Method, Requests: rpc.Requests, Responses: [][]byte{[]byte("\xffSECRET")}}
			text := recorded(true, p, rpc, configure, failed, malformed, RPC{Method: rpc.Method, Cut: true, Requests: rpc.Requests})
			noSecrets(t, text, "lines")
			provider, rpcs := read(t, text)
			if len(rpcs) != 5 || len(rpcs[0].Requests) != 1 || len(rpcs[0].Responses) != 1 || rpcs[0].Dropped != "" || rpcs[0].Type != "cloud_thing" {
				t.Fatalf("%+v", rpcs)
			}
			for _, a := range provider.Schemas {
				noSecrets(t, a.Response, a.Method)
			}
			for _, body := range slices.Concat(rpcs[0].Requests, rpcs[0].Responses) {
				noSecrets(t, body, rpc.Method)
			}
			for i, want := range []Reason{"", NotChecked, NotChecked, NotUnderstood, ""} {
				if rpcs[i].Dropped != want || i > 0 && (rpcs[i].Requests != nil || rpcs[i].Responses != nil) {
					t.Errorf("%+v", rpcs[i])
				}
			}
			if diff := cmp.Diff(&Status{Code: 13, Name: "Internal"}, rpcs[2].Status); diff != "" {
				t.Error(diff)
			}
			if schemaOf(t, provider).BlockTypes["disk"] == nil {
				t.Error("the schemas are missing")
			}
		}))
	}
}

// TestIdentityIsCheckedForRecordedVersion checks that an identity in a recording, also in a
// redacted one, is checked for the version of the program.
func TestIdentityIsCheckedForRecordedVersion(t *testing.T) {
	for protocol, configure := range map[int]string{5: "/tfplugin5.Provider/Configure", 6: "/tfplugin6.Provider/ConfigureProvider"} {
		path := fmt.Sprintf("/tfplugin%d.Provider/ReadResource", protocol)
		null, unknown := fields{"msgpack": []byte{0xc0}}, fields{"msgpack": []byte{0xd4, 0, 0}}
		reading := RPC{Method: path, Requests: [][]byte{message(t, path, false, fields{"type_name": "cloud_thing", "current_state": null})},
			Responses: [][]byte{message(t, path, true, fields{"new_state": null, "new_identity": fields{"identity_data": unknown}})}}
		for version, want := range map[string]objchange.Severity{"1.11.4": objchange.Unchecked, "1.12.0": objchange.Rejected} {
			config := fields{"terraform_version": version, "config": fields{"msgpack": []byte("SECRET")}}
			configuring := RPC{Method: configure, Requests: [][]byte{message(t, configure, false, config)}, Responses: [][]byte{{}}}
			for _, redact := range []bool{false, true} {
				text := recorded(redact, recordedProvider(t, protocol), configuring, reading)
				if found := allFindings(t, text); len(found) != 1 || found[0].Severity != want {
					t.Errorf("protocol %d, Terraform %s, redacted %v: %v", protocol, version, redact, found)
				}
				if _, rpcs := read(t, text); redact && bytes.Contains(rpcs[0].Requests[0], []byte("SECRET")) {
					t.Errorf("protocol %d: the configuration is in %q", protocol, rpcs[0].Requests[0])
				}
			}
		}
	}
}

// allFindings returns the findings of a recording.
func allFindings(t failer, text []byte) (found []tfcheck.Finding) {
	t.Helper()
	provider, rpcs := read(t, text)
	checker, err := encoded.New(provider.Protocol, tfcheck.Terraform)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range rpcs {
		var response []byte
		if len(x.Responses) > 0 {
			response = x.Responses[0]
		}
		seen, err := checker.Check(t.Context(), provider.Ask, x.Method, x.Requests[0], response)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range seen {
			found = append(found, w.Findings...)
		}
	}
	return found
}

// secretNumbers are the encoded forms of all numbers that are drawn.
var secretNumbers = func() (all [][]byte) {
	for n := range int64(4) {
		for _, times := range []float64{1, -1, 0.5} {
			raw, err := msgpack.Marshal(cty.NumberIntVal(700_000_001+n).Multiply(cty.NumberFloatVal(times)), cty.Number)
			if err != nil {
				panic(err)
			}
			all = append(all, raw[1:])
		}
		all = append(all, protowire.AppendVarint(nil, uint64(700_000_001+n)))
	}
	return all
}()

// noSecrets fails the test if the text contains a secret.
func noSecrets(t *rapid.T, text []byte, what string) {
	for _, secret := range append(slices.Clone(secretNumbers), []byte("SECRET"), []byte("70000000"), []byte("35000000")) {
		if bytes.Contains(text, secret) {
			t.Errorf("%s: %q is in %q", what, secret, text)
		}
	}
}

// TestRedactKeepsEqualityAndShape checks that redaction keeps equality, inequality and shape, and
// infinity: there is a rule about it, and it reveals nothing else.
func TestRedactKeepsEqualityAndShape(t *testing.T) {
	p := recordedProvider(t, 6)
	block := schemaOf(t, p)
	redactor := newValueRedactor(newPseudonyms(), block)
	rapid.Check(t, func(t *rapid.T) {
		a, b := withoutPrefixes(thing(t, block, true)), withoutPrefixes(thing(t, block, true))
		x, y := redactor.value(a), redactor.value(b)
		for _, v := range []cty.Value{x, y} {
			if errs := v.Type().TestConformance(redactor.ty); errs != nil {
				t.Fatal(errs)
			}
		}
		same(t, a, b, x, y)
		if want, got := outline(a), outline(x); want != got {
			t.Errorf("%#v\nis %s\nwas %s", a, got, want)
		}
	})
}

// same checks that the attributes of two redacted objects are equal if and only if they were equal
// before.
func same(t *rapid.T, a, b, x, y cty.Value) {
	for name := range a.Type().AttributeTypes() {
		was, is := a.GetAttr(name).RawEquals(b.GetAttr(name)), x.GetAttr(name).RawEquals(y.GetAttr(name))
		if was != is {
			t.Errorf("%s: equal was %t, is %t: %#v, %#v", name, was, is, a.GetAttr(name), b.GetAttr(name))
		}
	}
}

// outline returns a text with the shape of a value. Elements without an order are sorted.
func outline(v cty.Value) string {
	var parts []string
	switch ty := v.Type(); {
	case !v.IsKnown() && ty.IsListType():
		return fmt.Sprintf("unknown %t %d", v.Range().DefinitelyNotNull(), v.Range().LengthUpperBound())
	case !v.IsKnown():
		return "unknown"
	case v.IsNull():
		return "null"
	case ty == cty.Bool:
		return fmt.Sprint(v.True())
	case ty == cty.String:
		return fmt.Sprintf("string %t", v.AsString() == "")
	case ty == cty.Number && v.AsBigFloat().IsInf():
		return v.AsBigFloat().String()
	case ty == cty.Number:
		return fmt.Sprintf("number %d", v.AsBigFloat().Sign()*v.AsBigFloat().Sign())
	default:
		for it := v.ElementIterator(); it.Next(); {
			_, element := it.Element()
			parts = append(parts, outline(element))
		}
		if !ty.IsListType() && !ty.IsTupleType() {
			slices.Sort(parts)
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// TestPanicOfRedactorDropsMessages checks that a panic in the redactor only drops the messages.
func TestPanicOfRedactorDropsMessages(t *testing.T) {
	r := NewRedactor()
	r.Provider(recordedProvider(t, 6))
	r.providers["example.com/acme/cloud"].encoded = nil
	method := "/tfplugin6.Provider/ReadResource"
	request := message(t, method, false, fields{"type_name": "cloud_thing", "current_state": fields{"msgpack": "wA=="}})
	got := r.RPC(RPC{Provider: "example.com/acme/cloud", Method: method, RPC: "ReadResource", Requests: [][]byte{request}})
	if got.Dropped != NotUnderstood || got.Requests != nil {
		t.Errorf("%+v", got)
	}
}

// TestSameTextHasTheSamePseudonym checks that an import ID and a key in a path have the same pseudonyms as the
// same texts in values.
func TestSameTextHasTheSamePseudonym(t *testing.T) {
	p := recordedProvider(t, 6)
	identity := cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("SECRET")})
	thing := schemaOf(t, p).EmptyValue().AsValueMap()
	thing["tags"] = cty.MapVal(map[string]cty.Value{"SECRET": cty.StringVal("x")})
	planned := cty.ObjectVal(thing)
	importing, planning := "/tfplugin6.Provider/ImportResourceState", "/tfplugin6.Provider/PlanResourceChange"
	_, rpcs := read(t, recorded(true, p,
		RPC{Method: importing, Requests: [][]byte{message(t, importing, false, fields{
			"type_name": "cloud_thing", "id": "SECRET", "identity": fields{"identity_data": inMsgpack(t, identity, identity.Type())},
		})}},
		RPC{Method: planning, Requests: [][]byte{message(t, planning, false, fields{"type_name": "cloud_thing"})}, Responses: [][]byte{message(t, planning, true, fields{
			"planned_state":    inMsgpack(t, planned, schemaOf(t, p).ImpliedType()),
			"requires_replace": []fields{{"steps": []fields{{"attribute_name": "tags"}, {"element_key_string": "SECRET"}}}},
		})}}))
	got, err := parse(methodOf(importing).Input(), rpcs[0].Requests[0])
	if err != nil {
		t.Fatal(err)
	}
	id := got.Get(got.Descriptor().Fields().ByName("id")).String()
	for what, text := range map[string][]byte{"the import": rpcs[0].Requests[0], "the plan": rpcs[1].Responses[0]} {
		if id == "" || bytes.Count(text, []byte(id)) != 2 {
			t.Errorf("%s: %q is not twice in %q", what, id, text)
		}
	}
}

// TestPseudonymsAreEqualForEqualTexts checks that equal texts have equal pseudonyms, that different
// texts have different ones of the same length, and that pseudonyms differ between recordings.
func TestPseudonymsAreEqualForEqualTexts(t *testing.T) {
	p := newPseudonyms()
	a, b := p.text("web"), p.text(strings.Repeat("web", 1000))
	if form := regexp.MustCompile(`^x[a-z2-7]{16}$`); !form.MatchString(a) || !form.MatchString(b) || a != p.text("web") || a == b || a == newPseudonyms().text("web") {
		t.Errorf("%q, %q", a, b)
	}
}
