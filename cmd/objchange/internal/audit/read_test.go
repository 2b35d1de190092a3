package audit_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/cmd/objchange/internal/audit"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// What cannot be used ends the audit with an error that says what is wrong and
// where.
func TestUnusable(t *testing.T) {
	const version = `{"format_version": "1.2", `
	tests := map[string]struct{ plan, want string }{
		"empty":                     {" \n", "plan.json: it is empty"},
		"not JSON":                  {"resource {\n}", "plan.json:1: not JSON: invalid character 'r' at start of value"},
		"an array":                  {"[]", "plan.json:1: must be an object, not an array"},
		"a binary plan":             {"PK\x03\x04", "plan.json: this is a plan that Terraform saved, which it prints as JSON: terraform show -json FILE"},
		"truncated":                 {version + "\n" + `"resource_changes": [{"address": "a.b"}, {"addr`, "plan.json:2: /resource_changes/1: the JSON ends too early"},
		"truncated values":          {version + "\n\n" + `"planned_values": {"root_module": {"resources": [{}, `, "plan.json:3: /planned_values/root_module/resources: the JSON ends too early"},
		"broken syntax":             {version + "\n" + `"resource_changes": [{"address": 'a.b'}]}`, `plan.json:2: /resource_changes/0/address: not JSON: invalid character '\'' at start of value`},
		"two documents":             {version + `"errored": false}` + "\n{}", "plan.json:2: there is more after the document"},
		"broken sensitive map":      {version + "\n" + `"resource_changes": [{"change": {"before": {"keys": {"hush": "x` + "\n" + `"}}}}]}`, `plan.json:2: /resource_changes/0/change/before/keys: not JSON: invalid character '\n' in string (expecting non-control character)`},
		"no version":                {`{}`, "plan.json: unexpected plan input, format version is missing"},
		"another version":           {`{"format_version": "2.0"}`, `plan.json: unsupported plan format version: "2.0.0" does not satisfy ">= 0.1, < 2.0"`},
		"no version at all":         {`{"format_version": "new"}`, `plan.json: invalid format version "new": malformed version: new`},
		"version of the wrong type": {`{"format_version": 1}`, "plan.json:1: /format_version: must be a string, not a number"},
		"changes of the wrong type": {version + "\n" + `"resource_changes": {}}`, "plan.json:2: /resource_changes: must be an array, not an object"},
		"an address of the wrong type": {
			version + "\n" + `"resource_changes": [{"address": "a.b", "change": {}},` + "\n" + `{"address": 12345}]}`,
			"plan.json:3: /resource_changes/1/address: must be a string, not a number",
		},
		"values of the wrong type": {
			version + `"planned_values": {}, "prior_state": {"values": {"root_module": {"resources": [{"address": "a.b", "values": "hush"}]}}}}`,
			"plan.json:1: /prior_state/values/root_module/resources/0/values: must be an object, not a string",
		},
		"a schema version that is none": {
			version + `"planned_values": {"root_module": {"resources": [{"address": "a.b", "schema_version": -123}]}}}`,
			"plan.json:1: /planned_values/root_module/resources/0/schema_version: must be a whole number, not a number",
		},
		"a state":            {`{"format_version": "1.0", "values": {"root_module": {}}}`, "plan.json: this is a state, not a plan"},
		"an empty state":     {`{"format_version": "1.0"}`, "plan.json: this is not a plan: it has neither planned_values nor resource_changes"},
		"schemas":            {`{"format_version": "1.0", "provider_schemas": {}}`, "plan.json: this is the schemas of providers, not a plan"},
		"a state file":       {`{"version": 4, "lineage": "a", "resources": []}`, `plan.json: this is a state file, which "terraform show -json" has to print, not a plan`},
		"null as a change":   {version + `"resource_changes": [null]}`, "plan.json: /resource_changes/0: has no address"},
		"no change":          {version + `"resource_changes": [{"address": "a.b"}]}`, "plan.json: /resource_changes/0: has no change"},
		"two changes of one": {version + `"resource_changes": [{"address": "a.b", "change": {}}, {"address": "a.b", "change": {}}]}`, "plan.json: /resource_changes/1: a.b is there twice"},
		"two of one in a module": {
			version + `"planned_values": {"root_module": {"child_modules": [{"resources": [{"address": "a.b"}, {"address": "a.b"}]}]}}}`,
			"plan.json: /planned_values/root_module/child_modules/0/resources/1: a.b is there twice",
		},
		"a configuration of the wrong type": {
			version + `"planned_values": {}, "configuration": {"root_module": {"resources": [{"expressions": []}]}}}`,
			"plan.json:1: /configuration/root_module/resources/0/expressions: must be an object, not an array",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := runAudit([]byte(test.plan), nil, nil)
			if err == nil || err.Error() != test.want {
				t.Errorf("the error is\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

// Where a document is broken, keys are not shown: any may be sensitive.
func TestUnusableWithoutKeys(t *testing.T) {
	for before, want := range map[string]string{
		`"resource_changes": [{"change": {"after_unknown": {"keys": {"hush": {"hush": `:                          "/resource_changes/0/change/after_unknown/keys",
		`"resource_changes": [{"change": {"after": {"hu": 1, "keys`:                                              "/resource_changes/0/change/after",
		`"resource_changes": [{"change": {"replace_paths": [["a"], `:                                             "/resource_changes/0/change/replace_paths",
		`"prior_state": {"values": {"root_module": {"resources": [{"values": {"keys": {"hush": "`:                "/prior_state/values/root_module/resources/0/values/keys",
		`"planned_values": {"root_module": {"resources": [{"sensitive_values": {"keys": {"hush": "`:              "/planned_values/root_module/resources/0/sensitive_values/keys",
		`"configuration": {"root_module": {"resources": [{"expressions": {"keys": {"constant_value": {"hush": "`: "/configuration/root_module/resources/0/expressions/keys",
		`"output_changes": {"out": {"before": {"hush": "`:                                                        "/output_changes/out",
		`"variables": {"var": {"value": {"hush": "`:                                                              "/variables/var",
		`"resources": [{"instances": [{"attributes": {"keys": {"hush": "`:                                        "/resources/0/instances/0/attributes/keys",
	} {
		_, err := runAudit([]byte(`{"format_version": "1.2", `+before), nil, nil)
		if want := "plan.json:1: " + want + ": the JSON ends too early"; err == nil || err.Error() != want {
			t.Errorf("the error is\n%v\nwant\n%s", err, want)
		}
	}
}

func TestUnusableState(t *testing.T) {
	plan := readFile(t, filepath.Join(made, "plan.json"))
	for state, want := range map[string]string{
		"":               "state.json: it is empty",
		`{"version": 4}`: "state.json: unexpected state input, format version is missing",
		`{"format_version": "1.2", "planned_values": {}}`:                             "state.json: this is a plan, not a state",
		`{"format_version": "1.0", "provider_schemas": {}}`:                           "state.json: this is the schemas of providers, not a state",
		`{"version": 4, "lineage": "a"}`:                                              `state.json: this is a state file, which "terraform show -json" has to print, not a state`,
		`{"format_version": "1.0"`:                                                    "state.json:1: the JSON ends too early",
		`{"format_version": "1.0", "values": {"root_module": {"resources": [null]}}}`: "state.json: /values/root_module/resources/0: has no address",
	} {
		if _, err := runAudit(plan, []byte(state), nil); err == nil || err.Error() != want {
			t.Errorf("%s: the error is\n%v\nwant\n%s", state, err, want)
		}
	}
	_, err := audit.Run(audit.Input{Name: "-", Reader: strings.NewReader("{")}, nil, nil)
	if want := "stdin:1: the JSON ends too early"; err == nil || err.Error() != want {
		t.Errorf("the error is\n%v\nwant\n%s", err, want)
	}
}

// Documents are the same from a file, with and without a byte order mark, and from
// what can be read once; UTF-16 is refused with advice.
func TestSources(t *testing.T) {
	schemas := readSchemas(t, filepath.Join(recorded, "schemas.json"))
	plan := readFile(t, filepath.Join(recorded, "4-replace", "plan.json"))
	want, err := runAudit(plan, nil, schemas)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"plain": string(plan), "marked": "\xef\xbb\xbf" + string(plan), "UTF-16": "\xff\xfe{"} {
		path := filepath.Join(t.TempDir(), "plan.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for _, in := range []io.Reader{file, strings.NewReader(text)} {
			got, err := audit.Run(audit.Input{Name: "plan.json", Reader: in}, nil, schemas)
			if name == "UTF-16" {
				if err == nil || !strings.HasPrefix(err.Error(), "plan.json: the text is UTF-16") {
					t.Errorf("%s: %v", name, err)
				}
			} else if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
			}
		}
	}
}

// A plan of 100 MB that ends too early says where.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	const size, line = 100 << 20, `{"address": "acme_server.x", "change": {"actions": ["no-op"], "before": {"name": "`
	plan := io.MultiReader(
		strings.NewReader(`{"format_version": "1.2",`+"\n"+`"resource_changes": [`+"\n"+line),
		io.LimitReader(repeated{'x'}, size),
		strings.NewReader(`"}}},`+"\n"+`{"address": "acme_server.y", "ch`),
	)
	_, err := audit.Run(audit.Input{Name: "plan.json", Reader: plan}, nil, nil)
	if want := "plan.json:4: /resource_changes/1: the JSON ends too early"; err == nil || err.Error() != want {
		t.Errorf("the error is\n%v\nwant\n%s", err, want)
	}
}

// A repeated reader reads one byte without end.
type repeated struct{ b byte }

func (r repeated) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte{r.b}, len(p))), nil
}

// Numbers are as they are written, however large, in every part.
func TestNumbers(t *testing.T) {
	schemas := readSchemas(t, filepath.Join(made, "schemas.json"))
	for _, size := range []string{"9007199254740993", "123456789012345678901234567890", "0.1", "1e30"} {
		plan := bytes.ReplaceAll(readFile(t, filepath.Join(made, "plan.json")), []byte(`"size": 2,`), []byte(`"size": `+size+`,`))
		state := bytes.ReplaceAll(readFile(t, filepath.Join(made, "state.json")), []byte(`"size": 2,`), []byte(`"size": `+size+`,`))
		r, err := runAudit(plan, state, schemas)
		if err != nil || r.Wrong(report.Options{FailOn: report.FailOnAll}) {
			t.Errorf("%s: %v, %v", size, r, err)
		}
		other := bytes.Replace(state, []byte(size), []byte(strings.Replace(size, "1", "2", 1)), 1)
		if size == "9007199254740993" {
			other = bytes.Replace(state, []byte(size), []byte("9007199254740992"), 1) // the same float
		}
		if r, err = runAudit(plan, other, schemas); err != nil || !r.Wrong(report.Options{}) {
			t.Errorf("%s: another number is not found: %v", size, err)
		}
	}
}
