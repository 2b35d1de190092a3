package explore_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/tfcheck/explore"
)

// TestHintsSchemaAcceptsWhatExploreReads checks that explore reads the files that the JSON Schema of hints
// files accepts. Editors use the schema. It rejects more than ReadHints, such as patterns that match no slot.
func TestHintsSchemaAcceptsWhatExploreReads(t *testing.T) {
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(explore.HintsSchema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("hints.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("hints.json")
	if err != nil {
		t.Fatal(err)
	}
	for text, ok := range map[string]bool{
		`
provider: { config: { token: fake, skip_credentials_validation: true }, env: { FOO_REGION: eu } }
values:
  "*.timezone": [Europe/Berlin]
  "tls_*.private_key_pem": [{ a: {} }, [x], 1, true]
skip: { time_sleep: "sleeps as long as it is told to" }
`: true,
		"{}": true, "provider:": true, "provider: {config: , env: }": true, "values:": true, "skip:": true, "known: []": false, "read:": true,
		"[]": false, "valuse: {}": false, "provider: 1": false, "provider: {conf: {}}": false, "provider: {env: {A: 1}}": false, "provider: {env: {A: }}": false, "provider: {env: {A=B: c}}": false,
		"values: {timezone: [a]}": false, "values: {.name: [a]}": false, "values: {'a.rule[0].port': [a]}": false, "values: {'*': [a]}": true, "values: {a*: [a]}": true,
		"values: {'*[0]': [a]}": false, "values: {a.b: c}": false, "values: {a.b: [null]}": false,
		"skip: {a: ' '}": false, "skip: {a: }": false, "skip: {'': b}": false, "skip: {a*: b}": true,
	} {
		var data any
		if err := yaml.Unmarshal([]byte(text), &data); err != nil {
			t.Fatal(err)
		}
		_, read := explore.ReadHints("hints.yaml", strings.NewReader(text))
		if valid := compiled.Validate(data); (valid == nil) != ok || ok && read != nil {
			t.Errorf("%s\nreading: %v\nthe schema: %v", text, read, valid)
		}
	}
}
