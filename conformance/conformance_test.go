package conformance_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
)

// server has one case of each of two operations, with recorded outcomes.
const server = `{"schema_name": "server", "block": {"attributes": {"name": {"type": "string", "required": true}, "id": {"type": "string", "computed": true}}}}
	{"id": "server/0", "op": "proposed", "schema": "server", "in": {"prior": {"name": "a", "id": "1"}, "config": {"name": "b", "id": null}},
		"want": {"terraform": {"value": {"name": "b", "id": "1"}}}}
	{"id": "server/0", "op": "plan", "schema": "server",
		"in": {"prior": {"name": "a", "id": "1"}, "config": {"name": "b", "id": null}, "planned": {"name": "c", "id": "1"}},
		"want": {"terraform": {"errors": [{"path": ".name", "rule": "plan-not-config"}]}}}`

// lines joins each line that is indented twice to the line before.
func lines(text string) io.Reader {
	return strings.NewReader(strings.ReplaceAll(text, "\n\t\t", " "))
}

// TestServedAnswersAreRight checks that the answers of an adapter for this package are right.
func TestServedAnswersAreRight(t *testing.T) {
	var answers bytes.Buffer
	if err := conformance.Serve(lines(server), &answers, plainJSON{}, conformance.Answer); err != nil {
		t.Fatal(err)
	}
	want := `{"id":"server/0","op":"proposed","value":{"id":"1","name":"b"}}
{"id":"server/0","op":"plan","errors":[{"path":".name","rule":"plan-not-config","message":"planned \"c\", but the configuration has \"b\" and the prior state has \"a\""}]}
`
	if diff := cmp.Diff(want, answers.String()); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

// TestWrongAnswersHaveVerdicts checks the errors and verdicts for the answers of adapters.
func TestWrongAnswersHaveVerdicts(t *testing.T) {
	tests := []struct {
		op, answer string
		want       conformance.Verdict
		problem    string // the error, for an invalid answer
	}{
		{"proposed", `"value": {"name": "b", "id": "1"}`, conformance.VerdictSame, ""},
		{"proposed", `"value": {"name": "b", "id": null}`, conformance.VerdictValue, ""},
		{"proposed", `"value": null`, conformance.VerdictValue, ""},
		{"proposed", `"errors": []`, conformance.VerdictAcceptance, ""},
		{"proposed", `"unsupported": "nothing is"`, conformance.VerdictUnsupported, ""},
		{"proposed", `"value": {"name": ["b"]}`, "", "value: "},
		{"proposed", `"value": {"name": "b", "id": "1"}, "errors": []`, "", "it has more than one of value, errors, panic, skip and unsupported"},
		{"proposed", `"value": null, "errors": null, "unsupported": null`, conformance.VerdictValue, ""},
		{"proposed", `"unsupported": false`, "", "unsupported: must be a string or true"},
		{"proposed", `"note": "no"`, "", "it has none of value, errors and unsupported"},

		{"plan", `"errors": [{"path": ".name", "rule": "plan-not-config"}]`, conformance.VerdictSame, ""},
		{"plan", `"errors": [{"path": ".name", "rule": "plan-not-config"}, {"path": ".name", "rule": "plan-not-config"}]`, conformance.VerdictSame, ""},
		{"plan", `"errors": [{"path": ".name"}]`, conformance.VerdictSame, ""},
		{"plan", `"errors": [{"rule": "plan-not-config"}]`, conformance.VerdictSame, ""},
		{"plan", `"errors": [{"message": "it is another name"}]`, conformance.VerdictSame, ""},
		{"plan", `"errors": [{"path": ".id"}]`, conformance.VerdictNaming, ""},
		{"plan", `"errors": [{"path": ""}]`, conformance.VerdictNaming, ""},
		{"plan", `"errors": [{"path": ".name", "rule": "plan-count"}]`, conformance.VerdictNaming, ""},
		{"plan", `"errors": [{"path": ".name", "rule": "plan-not-config"}, {"path": ".id", "rule": "plan-not-config"}]`, conformance.VerdictNaming, ""},
		{"plan", `"errors": []`, conformance.VerdictAcceptance, ""},
		{"plan", `"value": {"name": "b", "id": "1"}`, "", "it has a value, but must have errors"},
		{"plan", `"unsupported": true`, conformance.VerdictUnsupported, ""},
	}
	cases := map[conformance.Op]*conformance.Case{}
	for c, err := range conformance.Read(lines(server), plainJSON{}) {
		if err != nil {
			t.Fatal(err)
		}
		cases[c.Op] = c
	}
	for _, test := range tests {
		c := cases[conformance.Op(test.op)]
		got, err := c.ParseAnswer([]byte(`{"id": "server/0", "op": "`+test.op+`", `+test.answer+`}`), plainJSON{})
		switch {
		case err != nil && (test.problem == "" || !strings.Contains(err.Error(), test.problem)):
			t.Errorf("%s: got %q, want %q", test.answer, err, test.problem)
		case err == nil && c.Compare(got).Verdict != test.want:
			t.Errorf("%s: is %q, want %q", test.answer, c.Compare(got).Verdict, test.want)
		}
	}
}

// TestVerdictsUseOnlyTheRecordedParts checks that rules and paths are compared only if the recorded outcome has
// them.
func TestVerdictsUseOnlyTheRecordedParts(t *testing.T) {
	path := ".name"
	for c, err := range conformance.Read(lines(server), plainJSON{}) {
		if err != nil {
			t.Fatal(err)
		}
		if !c.Op.Checks() {
			continue
		}
		for _, test := range []struct {
			wanted conformance.Problem
			want   conformance.Verdict
		}{
			{conformance.Problem{Message: "it is another name"}, conformance.VerdictSame},
			{conformance.Problem{Path: &path}, conformance.VerdictSame},
			{conformance.Problem{Rule: "plan-not-config"}, conformance.VerdictSame},
			{conformance.Problem{Rule: "plan-count"}, conformance.VerdictNaming},
		} {
			c.Want = map[string]conformance.Outcome{"terraform": conformance.ErrorsOutcome(test.wanted)}
			if j := c.Compare(conformance.Answer(c)); j.Verdict != test.want {
				t.Errorf("%+v: is %q, want %q", test.wanted, j.Verdict, test.want)
			}
		}
	}
}

// TestServeContinuesAfterUnknownOperations checks that the answer to an unknown operation is
// unsupported, and that the adapter continues.
func TestServeContinuesAfterUnknownOperations(t *testing.T) {
	const text = `{"schema_name": "s", "block": {"attributes": {"a": {"type": "string", "optional": true}}}}

{"id": "1", "op": "guess", "schema": "s", "in": {"what": 7}}
{"id": "2", "op": "legacy", "schema": "s", "in": {"value": null}}
`
	var answers bytes.Buffer
	if err := conformance.Serve(strings.NewReader(text), &answers, plainJSON{}, conformance.Answer); err != nil {
		t.Fatal(err)
	}
	want := `{"id":"1","op":"guess","unsupported":"unknown operation"}
{"id":"2","op":"legacy","value":null}
`
	if diff := cmp.Diff(want, answers.String()); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

// TestSelectDerivesPlans checks that Select also finds the derived case of OpComputed.
func TestSelectDerivesPlans(t *testing.T) {
	found := 0
	for c, err := range conformance.Select(func(id string, op conformance.Op) bool { return id == "edge-91-1/0" && op == conformance.OpComputed }) {
		if found++; err != nil || c.Name() != "edge-91-1/0 computed" {
			t.Errorf("%v, %v", c, err)
		}
	}
	if found != 1 {
		t.Errorf("%d cases", found)
	}
}

// TestDecodeDynamicBlocks checks that decoding returns an error for blocks with dynamic types
// that do not conform.
func TestDecodeDynamicBlocks(t *testing.T) {
	schema := &configschema.Block{BlockTypes: map[string]*configschema.NestedBlock{"v": {
		Nesting: configschema.NestingMap, Block: configschema.Block{Attributes: map[string]*configschema.Attribute{
			"any": {Type: cty.DynamicPseudoType, Optional: true},
		}},
	}}}
	value := func(elem cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"v": cty.ObjectVal(map[string]cty.Value{"k": elem})})
	}
	for _, test := range []struct {
		value cty.Value
		right bool
	}{
		{value(cty.ObjectVal(map[string]cty.Value{"any": cty.True})), true},
		{value(cty.EmptyObjectVal), false},
		{cty.ObjectVal(map[string]cty.Value{"v": cty.StringVal("x")}), false},
	} {
		text, err := conformance.MessagePack{}.Encode(schema, test.value)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (conformance.MessagePack{}).Decode(schema, text); (err == nil) != test.right {
			t.Errorf("%#v: %v", test.value, err)
		}
	}
}

// TestEveryValidPlanIsRightForComputed checks that every plan that is valid is right for OpComputed, and no other
// plan.
func TestEveryValidPlanIsRightForComputed(t *testing.T) {
	for c, err := range conformance.Read(lines(server), plainJSON{}) {
		if err != nil {
			t.Fatal(err)
		}
		c.Op, c.Want = conformance.OpComputed, nil
		for name, want := range map[string]conformance.Verdict{"b": conformance.VerdictSame, "c": conformance.VerdictValue} {
			for _, id := range []cty.Value{cty.StringVal("1"), cty.UnknownVal(cty.String)} {
				got := conformance.ValueOutcome(cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal(name), "id": id}))
				if j := c.Compare(got); j.Verdict != want {
					t.Errorf("the verdict for a plan with the name %q is %q, want %q", name, j.Verdict, want)
				}
			}
		}
	}
}

// TestReadErrorsNameTheLine checks that errors of Read contain the number of the line.
func TestReadErrorsNameTheLine(t *testing.T) {
	const schema = `{"schema_name": "s", "block": {"attributes": {"a": {"type": "string", "optional": true}}}}` + "\n"
	tests := []struct{ text, want string }{
		{`{`, "line 1: unexpected end of JSON input"},
		{`{"schema_name": "s"}`, `line 1: schema "s" has no block`},
		{`{"schema_name": "s", "block": {"attributes": {"a": {"type": "string"}}}}`, `line 1: schema "s": .a: none of Required, Optional and Computed is set`},
		{schema + `{"op": "plan", "schema": "s"}`, `line 2: a case of plan has no id`},
		{`{"id": "1", "op": "plan", "schema": "s"}`, `line 1: case "1": no earlier line has the schema "s"`},
		{schema + `{"id": "1", "op": "guess", "schema": "s"}`, `line 2: case "1": unknown op "guess"`},
		{schema + `{"id": "1", "op": "legacy", "schema": "s", "in": {}}`, `line 2: case "1" legacy: value is missing`},
		{schema + `{"id": "1", "op": "legacy", "schema": "s", "in": {"value": 1}}`, `line 2: case "1" legacy: value: `},
		{schema + `{"id": "1", "op": "legacy", "schema": "s", "in": {"value": null}, "want": {"x": {"value": 1}}}`, `line 2: case "1" legacy: what x answered: value: `},
	}
	for _, test := range tests {
		var got string
		for _, err := range conformance.Read(strings.NewReader(test.text), plainJSON{}) {
			if err != nil {
				got = err.Error()
			}
		}
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%s\n got %q\nwant %q", test.text, got, test.want)
		}
	}
}

// TestReadSkipsUnknownLines checks that Read skips lines of unknown kinds.
func TestReadSkipsUnknownLines(t *testing.T) {
	cases := 0
	for _, err := range conformance.Read(lines(`{"format": "2"}`+"\n"+server), plainJSON{}) {
		if err != nil {
			t.Fatal(err)
		}
		cases++
	}
	if cases != 2 {
		t.Errorf("%d cases, want 2", cases)
	}
}

// plainJSON is a codec for known values without dynamic types.
type plainJSON struct{}

func (plainJSON) Encode(schema *configschema.Block, v cty.Value) (json.RawMessage, error) {
	return ctyjson.Marshal(v, schema.ImpliedType())
}

func (plainJSON) Decode(schema *configschema.Block, text json.RawMessage) (cty.Value, error) {
	return ctyjson.Unmarshal(text, schema.ImpliedType())
}
