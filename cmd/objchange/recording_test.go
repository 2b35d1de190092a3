package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// Two requests of one type in one millisecond write to the same file, and the
// first one's value is lost. Neither can be judged.
func TestSharedFile(t *testing.T) {
	one := sized(1, cty.StringVal("a"))

	r := newRecorder(t)
	r.read(one)
	r.clock-- // time stands still
	r.read(sized(2, unknownID))
	r.read(one)

	expect(t, r, exitOK, `
DIR
  ReadResource  test_thing  -  skipped: 1_ReadResource_Response_NewState.msgpack was written 2 times, only the last is left
  ReadResource  test_thing  -  skipped: 1_ReadResource_Response_NewState.msgpack was written 2 times, only the last is left
  ReadResource  test_thing  -  ok
`)
}

// Files that hold nothing are all alike, and those of fields that no judgement
// needs do not matter.
func TestSharedFileDoesNotMatter(t *testing.T) {
	one := sized(1, cty.StringVal("a"))

	r := newRecorder(t)
	for range 2 {
		r.clock = 0
		r.request("ReadResource", field{"Request_CurrentState", one}, field{"Request_Private", cty.NilVal})
		r.clock = 10 * r.requests
		r.file("ReadResource", field{"Response_NewState", one})
	}

	expect(t, r, exitOK, `
DIR
  ReadResource  test_thing  -  ok
  ReadResource  test_thing  -  ok
`)
}

func TestMissingDataFile(t *testing.T) {
	r := newRecorder(t)
	r.read(sized(1, cty.StringVal("a")))
	if err := os.Remove(filepath.Join(r.dir, "data/1_ReadResource_Response_NewState.msgpack")); err != nil {
		t.Fatal(err)
	}

	expect(t, r, exitOK, `
DIR
  ReadResource  test_thing  -  skipped: 1_ReadResource_Response_NewState.msgpack is missing
`)
}

// A log may begin in the middle of a request.
func TestMissingField(t *testing.T) {
	r := newRecorder(t)
	r.request("ApplyResourceChange", field{"Request_PriorState", none}, field{"Response_NewState", none})

	expect(t, r, exitOK, `
DIR
  ApplyResourceChange  test_thing  -  skipped: the log names no Request_PlannedState
`)
}

func TestNoSchema(t *testing.T) {
	r := newRecorder(t)
	writeFile(t, filepath.Join(r.dir, schemasName), `{"format_version": "1.0", "provider_schemas": {}}`)
	r.read(sized(1, cty.StringVal("a")))

	expect(t, r, exitOK, `
DIR
  ReadResource  test_thing  -  skipped: no schema for this resource type
`)
}

func TestInvalidSchema(t *testing.T) {
	r := newRecorder(t)
	writeFile(t, filepath.Join(r.dir, schemasName), `{"format_version": "1.0", "provider_schemas": {"a": {
		"resource_schemas": {"test_thing": {"version": 0, "block": {"attributes": {"size": {"type": "number"}}}}}}}}`)
	r.read(sized(1, cty.StringVal("a")))

	expect(t, r, exitOK, `
DIR
  ReadResource  test_thing  -  skipped: invalid schema: .size: ...
`)
}

// A provider that calls itself other than the configuration does still has the
// schemas of its types.
func TestProviderOfAnotherAddress(t *testing.T) {
	r := newRecorder(t)
	r.provider = "example.com/old/name"
	r.read(sized(1, cty.StringVal("a")))

	expect(t, r, exitOK, `
DIR
  ReadResource  test_thing  -  ok
`)
}

// The proposal is compared even where the provider returned an error.
func TestFailedRequest(t *testing.T) {
	config, altered := sized(1, cty.NullVal(cty.String)), sized(2, cty.NullVal(cty.String))
	fields := []field{{"Request_Config", config}, {"Request_PriorState", none}}

	r := newRecorder(t)
	r.request("PlanResourceChange", append(fields, field{"Request_ProposedNewState", config})...)
	r.request("PlanResourceChange", append(fields, field{"Request_ProposedNewState", altered})...)
	r.plan(none, config, config, cty.NilVal)
	r.apply(none, sized(1, unknownID), sized(1, unknownID))
	r.logLine("ApplyResourceChange", `"@message": "Received downstream response", "diagnostic_error_count": 1`)

	expect(t, r, exitWrong, `
DIR
  PlanResourceChange   test_thing  -       failed: the provider did not respond, or with an error
  PlanResourceChange   test_thing  -       proposal differs, failed: the provider did not respond, or with an error
      proposal  .size: not what Core proposed
  PlanResourceChange   test_thing  -       failed: the provider returned no state, probably with an error
  ApplyResourceChange  test_thing  create  failed: the provider returned an error
`)
}

// A response without a state is a null one if the log says that there was no
// error.
func TestEmptyResponse(t *testing.T) {
	r := newRecorder(t)
	r.apply(sized(1, cty.StringVal("a")), none, cty.NilVal)
	r.logLine("ApplyResourceChange", `"@message": "Received downstream response", "diagnostic_error_count": 0`)

	expect(t, r, exitOK, `
DIR
  ApplyResourceChange  test_thing  destroy  ok
`)
}

// A full trace log has other lines too, and names each file before it is
// written as well.
func TestFullLog(t *testing.T) {
	r := newRecorder(t)
	r.log.WriteString(`{"@level": "info", "@message": "Terraform version: 1.14.0"}` + "\n\n")
	r.requests = 1
	r.logLine("ReadResource", `"@message": "Received request"`)
	r.logLine("ReadResource", `"@message": "Writing protocol data file", `+
		`"tf_proto_data_file": "data/1_ReadResource_Response_NewState.msgpack"`)
	r.clock = 1
	r.file("ReadResource", field{"Response_NewState", sized(1, cty.StringVal("a"))})

	expect(t, r, exitOK, `
DIR
  ReadResource  test_thing  -  ok
`)
}

// Providers may answer in JSON.
func TestJSONValue(t *testing.T) {
	r := newRecorder(t)
	writeFile(t, filepath.Join(r.dir, "data/1_ReadResource_Response_NewState.json"),
		`{"id": "a", "size": 1, "secret": null, "users": null, "rule": []}`)
	r.logLine("ReadResource", `"@message": "Wrote protocol data file", `+
		`"tf_proto_data_file": "data/1_ReadResource_Response_NewState.json"`)

	expect(t, r, exitOK, `
DIR
  ReadResource  test_thing  -  ok
`)
}

func TestUndecodableValue(t *testing.T) {
	file := filepath.Join(t.TempDir(), "value")
	for _, test := range []struct {
		format, content string
		ty              cty.Type
	}{
		{"msgpack", "", cty.String},
		{"msgpack", "\x84\xa2id", cty.Map(cty.String)},
		{"json", `{"a": "x"}`, cty.EmptyObject},
		{"json", `[{"type": "bool", "value": true}, {"type": "string", "value": "x"}]`, cty.List(cty.DynamicPseudoType)},
		{"", "private", cty.String},
	} {
		writeFile(t, file, test.content)
		if value, err := readValue(file, test.format, test.ty); err == nil {
			t.Errorf("%s %q is read as %#v", test.format, test.content, value)
		}
	}
}
