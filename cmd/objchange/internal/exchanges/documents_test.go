package exchanges_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
)

// exampleLines are the lines of what Terraform did with a provider of each SDK, which both
// break a rule at apply.
func exampleLines(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../testdata/example/recording/exchanges.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(string(text)))
}

func documents(t *testing.T, most int, lines ...string) (all []exchanges.Exchange, errs []string) {
	t.Helper()
	in, err := exchanges.NewPartReader(strings.NewReader(strings.Join(lines, "")))
	if err != nil {
		t.Fatal(err)
	}
	for x, err := range exchanges.Documents(in, most) {
		if err != nil {
			errs = append(errs, err.Error())
			continue
		}
		all = append(all, x)
	}
	return all, errs
}

// edited returns a line with other fields.
func edited(t *testing.T, line string, fields map[string]any) string {
	t.Helper()
	var of map[string]any
	err := json.Unmarshal([]byte(line), &of)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range fields {
		if of[name] = value; value == nil {
			delete(of, name)
		}
	}
	text, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// Each request about a resource has a document with its parts, in clear.
func TestDocumentsHaveAllParts(t *testing.T) {
	all, errs := documents(t, math.MaxInt, exampleLines(t)...)
	var told []string
	for _, x := range all {
		var parts map[string]json.RawMessage
		if err := json.Unmarshal(x.Document, &parts); err != nil {
			t.Fatalf("%v: %s", err, x.Document)
		}
		delete(parts, "schema")
		told = append(told, fmt.Sprintf("%d %s %s %s%s", x.Line, x.Name, x.Provider[strings.LastIndex(x.Provider, "/")+1:], keys(parts), x.Note))
		if secret := bytes.Contains(x.Document, []byte(`"secret":"hush"`)); secret != strings.HasPrefix(x.Type, "fw_") {
			t.Errorf("the document is not in clear: %s", x.Document)
		}
		if bytes.Contains(x.Document, []byte("description")) || bytes.ContainsRune(x.Document, '\n') {
			t.Errorf("it has descriptions or several lines: %s", x.Document)
		}
	}
	const plan = "config initial_planned name prior proposed"
	const apply = "final_config final_planned name new prior"
	want := []string{
		"14 PlanResourceChange sdk_inconsistent_key #1 sdk config initial_planned legacy_type_system name prior proposed requires_replace",
		"15 PlanResourceChange fw_inconsistent_value #1 fw " + plan,
		"21 PlanResourceChange sdk_inconsistent_key #2 sdk config initial_planned legacy_type_system name prior proposed requires_replace",
		"23 ApplyResourceChange sdk_inconsistent_key #1 sdk final_config final_planned legacy_type_system name new prior",
		"24 PlanResourceChange fw_inconsistent_value #2 fw " + plan,
		"25 ApplyResourceChange fw_inconsistent_value #1 fw " + apply,
	}
	if diff := cmp.Diff(want, told); diff != "" || errs != nil {
		t.Errorf("%v (-want +told):\n%s", errs, diff)
	}
	if all[3].Object != "faulty-1" {
		t.Errorf("the object is %q", all[3].Object)
	}
}

func keys(of map[string]json.RawMessage) string {
	var names []string
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// What no document can say is told with the reason.
func TestNoDocument(t *testing.T) {
	lines := exampleLines(t)
	providers, apply := strings.Join(lines[1:3], ""), lines[24]
	cut := edited(t, apply, map[string]any{"cut": true, "requests": nil, "responses": nil})
	for name, test := range map[string]struct {
		lines []string
		most  int
		want  []string
		errs  []string
	}{
		"too large": {
			lines: []string{providers, apply}, most: 100,
			want: []string{"ApplyResourceChange fw_inconsistent_value #1: its messages have 430 bytes, of which 100 are the most"},
		},
		"another schema": {
			lines: []string{providers, edited(t, apply, map[string]any{"provider": "registry.terraform.io/hashicorp/sdk"})},
			want:  nil, // the protocol is another, of which the provider says nothing
		},
		"no protobuf": {
			lines: []string{providers, edited(t, apply, map[string]any{"responses": []string{"/w=="}})},
			want:  []string{"ApplyResourceChange - #1: ApplyResourceChange: the response makes no sense: it is no protobuf message"},
		},
		"a data source": {
			lines: []string{providers, edited(t, apply, map[string]any{"method": "/tfplugin6.Provider/OpenEphemeralResource", "requests": []string{""}, "responses": []string{""}})},
			want:  []string{"OpenEphemeralResource - #1: a document is about a resource, and no OpenEphemeralResource"},
		},
		"no import": {
			lines: []string{providers, edited(t, apply, map[string]any{"method": "/tfplugin6.Provider/ImportResourceState", "requests": []string{""}, "responses": []string{""}})},
			want:  []string{"ImportResourceState - #1: nothing was imported"},
		},
		"no value": {
			lines: []string{providers, edited(t, apply, map[string]any{"responses": []string{"CgQKAqFh"}})}, // a string
			want:  []string{"ApplyResourceChange fw_inconsistent_value #1: a value cannot be decoded: the new state is not what the schema implies: the value: must be an object, not a string"},
		},
		"no value, refused": {
			lines: []string{providers, edited(t, apply, map[string]any{"responses": []string{"CgQKAqFhGgIIAQ=="}})}, // a string, and an error
			want:  []string{"ApplyResourceChange fw_inconsistent_value #1: a value cannot be decoded: the new state is not what the schema implies: the value: must be an object, not a string"},
		},
		"no such type": {
			lines: []string{providers, edited(t, apply, map[string]any{"method": "/tfplugin6.Provider/ImportResourceState", "requests": []string{""}, "responses": []string{"CgYKBG5vcGU="}})}, // nope
			want:  []string{`ImportResourceState nope #1: a value cannot be decoded: the provider has no schema of the resource type "nope"`},
		},
		"torn":   {lines: []string{providers, `{"kind":"rpc"`}, want: []string{"the last line: the line is incomplete"}},
		"broken": {lines: []string{providers, "{\n", cut}, errs: []string{"3: not the JSON of a line: unexpected end of JSON input"}, want: []string{"ApplyResourceChange fw_inconsistent_value #1: it is too large to have been recorded whole"}},
	} {
		t.Run(name, func(t *testing.T) {
			most := test.most
			if most == 0 {
				most = math.MaxInt
			}
			all, errs := documents(t, most, test.lines...)
			var told []string
			for _, x := range all {
				if x.Document != nil {
					t.Errorf("%s: a document", x.Name)
				}
				told = append(told, x.Name+": "+x.Note)
			}
			if diff := cmp.Diff(test.want, told); diff != "" {
				t.Errorf("(-want +told):\n%s", diff)
			}
			if diff := cmp.Diff(test.errs, errs); diff != "" {
				t.Errorf("errors (-want +told):\n%s", diff)
			}
		})
	}
}
