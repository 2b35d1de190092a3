package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/playground/internal/api"
)

const schema = `{"attributes": {
	"name": {"type": "string", "required": true},
	"id": {"type": "string", "computed": true},
	"token": {"type": "string", "optional": true, "sensitive": true}
}}`

// document returns a document with the schema and these fields.
func document(fields string) string { return `{"schema": ` + schema + `, ` + fields + `}` }

// An answer has the fields that the tests use.
type answer struct {
	Status int                             `json:"status"`
	Result json.RawMessage                 `json:"result"`
	Rules  []struct{ Rule, Remedy string } `json:"rules"`
	Errors []struct {
		Kind, Message, File, Pointer string
		Line                         int
		Problems                     []struct{ Pointer, Message string }
	} `json:"errors"`
}

// ask returns the answer to a request.
func ask(t *testing.T, request string) (a answer) {
	t.Helper()
	text := api.Answer([]byte(request))
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return a
}

// compact returns JSON without white space.
func compact(text []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return err.Error()
	}
	return b.String()
}

func TestAnswer(t *testing.T) {
	web := document(`"prior": null, "config": {"name": "web"}, "initial_planned": {"name": "db", "id": {"$unknown": true}}`)

	a := ask(t, `{"command": "propose", "document": `+web+`}`)
	if got := compact(a.Result); a.Status != 0 || got != `{"id":null,"name":"web","token":null}` {
		t.Errorf("proposed: %d %s", a.Status, got)
	}

	a = ask(t, `{"command": "check", "document": `+web+`}`)
	var r struct {
		Subjects []struct {
			Findings []struct{ Rule, Path, Message, Pointer string }
		}
	}
	if err := json.Unmarshal(a.Result, &r); err != nil {
		t.Fatal(err)
	}
	if f := r.Subjects[0].Findings[0]; a.Status != 1 || f.Rule != "plan-not-config" || f.Pointer != "/initial_planned/name" {
		t.Errorf("checked: %d %+v", a.Status, r)
	}
	if len(a.Rules) != 1 || a.Rules[0].Rule != "plan-not-config" || a.Rules[0].Remedy == "" {
		t.Errorf("rules that are broken: %+v", a.Rules)
	}
}

// TestRules checks that the answer about the example of a checked rule has the rule.
func TestRules(t *testing.T) {
	checked := 0
	for _, e := range rulebook.Entries() {
		if !e.Checked {
			continue
		}
		checked++
		request, err := json.Marshal(map[string]string{"command": "check", "document": e.Example})
		if err != nil {
			t.Fatal(err)
		}
		if a := ask(t, string(request)); len(a.Rules) != 1 || a.Rules[0].Rule != string(e.Rule) || a.Rules[0].Remedy == "" {
			t.Errorf("%s: found %+v", e.Rule, a.Rules)
		}
	}
	if checked < 30 {
		t.Errorf("only %d examples are checked", checked)
	}
}

// TestNoFiles checks that a document cannot use files.
func TestNoFiles(t *testing.T) {
	for _, file := range []string{"s.json", "/etc/hostname"} {
		a := ask(t, `{"command": "check", "document": {"schema": {"file": "`+file+`", "type": "acme_server"}, "prior": null}}`)
		if a.Status != 2 || a.Errors[0].Message != "/schema: open "+file+": the playground reads no files" || a.Errors[0].Problems[0].Pointer != "/schema" {
			t.Errorf("%+v", a.Errors)
		}
	}
}

// TestRefused checks the errors for requests that cannot be used. They have the place, and do not
// show sensitive data.
func TestRefused(t *testing.T) {
	for _, test := range []struct{ name, request, kind, pointer, message string }{
		{"nothing", ``, "request", "", "the request is not JSON, after byte 0 in line 1"},
		{"broken", "{\n\"command\": check}", "request", "", "the request is not JSON, after byte 13 in line 2"},
		{"a broken secret", `{"document": {"prior": {"canary\u12"}}}`, "request", "", "the request is not JSON, after byte 31 in line 1"},
		{"a list", `[]`, "request", "", "the request is not an object"},
		{"null", `null`, "request", "/command", `unknown command "": use check, propose or explain`},
		{"a field too many", `{"command": "check", "documents": []}`, "request", "/documents", "unknown field of a request"},
		{"another type", `{"command": 1}`, "request", "/command", "must be a string"},
		{"no document", `{"command": "propose"}`, "request", "/document", "propose needs a document"},
		{"no such command", `{"command": "apply"}`, "request", "/command", `unknown command "apply": use check, propose or explain`},
		{"a field of another command", `{"command": "explain", "document": {}}`, "request", "/document", "explain does not support document"},
		{"two documents", `{"command": "propose", "document": [` + document(`"prior": null`) + `,` + document(`"prior": null`) + `]}`,
			"request", "/document", "propose needs exactly one document, but got several"},
		{"an empty document", `{"command": "check", "document": ""}`, "document", "", "it contains no document"},
		{"a broken document", `{"command": "check", "document": "{\n1}"}`, "document", "", "not JSON: object member name must be a string"},
		{"no schema", `{"command": "propose", "document": {}}`, "document", "", "missing property 'schema'"},
		{"no prior", `{"command": "propose", "document": ` + document(`"config": {}`) + `}`, "document", "", "prior is missing: set it to null for a resource to be created"},
		{"another attribute", `{"command": "check", "document": [` + document(`"config": {"nmae": "web"}`) + `]}`,
			"document", "/0", `/config: .nmae: no such attribute or block; did you mean "name"?`},
		{"a name twice", `{"command": "check", "document": ` + document(`"config": {"name": "web", "name": "db"}`) + `}`,
			"document", "/config", "the JSON has a name twice in one object"},
		{"too much", `{"command": "check", "document": "` + strings.Repeat("x", 4<<20) + `"}`, "request", "", "the request has 4194340 bytes; the limit is 4194304"},
		{"no text", `{"command": "explain"}`, "request", "/text", "explain needs a text"},
		{"no text but null", `{"command": "explain", "text": null}`, "request", "/text", "explain needs a text"},
		{"a text as JSON", `{"command": "explain", "text": {}}`, "request", "/text", "must be a string"},
		{"a text of another command", `{"command": "check", "document": {}, "text": ""}`, "request", "/text", "check does not support text"},
		{"a document to explain", `{"command": "explain", "document": {}, "text": ""}`, "request", "/document", "explain does not support document"},
		{"too much text", `{"command": "explain", "text": "` + strings.Repeat("x", 4<<20) + `"}`, "request", "", "the request has 4194338 bytes; the limit is 4194304"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := ask(t, test.request)
			if a.Status != 2 || len(a.Errors) == 0 {
				t.Fatalf("%+v", a)
			}
			if e := a.Errors[0]; e.Kind != test.kind || e.Pointer != test.pointer || e.Message != test.message {
				t.Errorf("got %s %q %q", e.Kind, e.Pointer, e.Message)
			}
		})
	}
}

const inconsistent = `Error: Provider produced inconsistent result after apply

When applying changes to cloud_server.web%s, provider "registry.terraform.io/acme/cloud" produced an unexpected new value:
.name: was cty.StringVal("web"), but now cty.StringVal("db").
`

// explained returns the answer about a text, and its errors.
func explained(t *testing.T, text string) (a answer, all []struct{ Rule, Address, Path, Was, Now string }) {
	t.Helper()
	request, err := json.Marshal(map[string]string{"command": "explain", "text": text})
	if err != nil {
		t.Fatal(err)
	}
	a = ask(t, string(request))
	var result struct {
		Errors *[]struct{ Rule, Address, Path, Was, Now string }
	}
	if a.Result == nil {
		return a, nil
	}
	if err := json.Unmarshal(a.Result, &result); err != nil || result.Errors == nil {
		t.Fatalf("%v: %s", err, a.Result)
	}
	return a, *result.Errors
}

// TestExplain checks that explain has the status 0 for any text.
func TestExplain(t *testing.T) {
	a, all := explained(t, fmt.Sprintf(inconsistent, ""))
	if a.Status != 0 || len(all) != 1 || all[0].Rule != "inconsistent-value" || all[0].Address != "cloud_server.web" || all[0].Path != ".name" || all[0].Now != `"db"` {
		t.Errorf("%d %+v", a.Status, all)
	}
	for _, text := range []string{"", "Error: Invalid reference", `{"errors": []}`} {
		if a, all := explained(t, text); a.Status != 0 || len(all) != 0 || a.Errors != nil {
			t.Errorf("%q: %d %+v %+v", text, a.Status, all, a.Errors)
		}
	}
}

// TestExplainMuch checks that the answer is limited for a text with many errors, because each error
// has a report and steps.
func TestExplainMuch(t *testing.T) {
	var text strings.Builder
	for i := range 12_000 {
		fmt.Fprintf(&text, inconsistent, fmt.Sprintf("[%d]", i))
	}
	const want = "the answer would have more than 33554432 bytes: pass a shorter text"
	if a, _ := explained(t, text.String()); a.Status != 2 || a.Result != nil || len(a.Errors) != 1 || a.Errors[0].Message != want || a.Errors[0].Pointer != "/text" {
		t.Errorf("%d %+v", a.Status, a.Errors)
	}
}

// TestPartly checks that the result has the findings although another document cannot be used.
func TestPartly(t *testing.T) {
	a := ask(t, `{"command": "check", "document": [{}, `+document(`"config": {"name": "web"}`)+`]}`)
	if a.Status != 2 || len(a.Errors) != 1 || a.Errors[0].File != "document" || a.Errors[0].Pointer != "/0" || a.Errors[0].Line != 1 {
		t.Errorf("%+v", a.Errors)
	}
	if !strings.Contains(string(a.Result), `"status": "checked"`) {
		t.Errorf("%s", a.Result)
	}
}

// TestSecrets checks that no answer shows a sensitive value.
func TestSecrets(t *testing.T) {
	text := document(`"prior": {"name": "a", "token": "canary"}, "config": {"name": "a", "token": "canary2"},
		"initial_planned": {"name": {"$sensitive": "canary"}, "id": "canary", "token": "canary3"}, "new": {"token": ["canary"]}`)
	for _, command := range []string{"check", "propose"} {
		for _, text := range []string{text, strings.Replace(text, `"token": ["canary"]`, `"name": "a", "token": "canary4"`, 1)} {
			text = strings.Replace(text, `"id": "canary"`, `"id": null`, 1)
			if got := api.Answer([]byte(`{"command": "` + command + `", "document": ` + text + `}`)); bytes.Contains(got, []byte("canary")) {
				t.Errorf("%s", got)
			}
		}
	}
}

// FuzzAnswer checks for any request that the answer is JSON, that it is the same the second time,
// and that nothing panics.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"command": "check", "document": ""}`, `{"command": "explain", "text": "Error: Provider produced invalid plan"}`} {
		f.Add([]byte(seed))
	}
	for _, command := range []string{"check", "propose"} {
		f.Add([]byte(`{"command": "` + command + `", "document": ` + document(`"prior": {"id": "a"}, "config": {}, "initial_planned": {}, "new": null`) + `}`))
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		got := api.Answer(request)
		if !json.Valid(got) || bytes.Contains(got, []byte(`"kind":"mistake"`)) {
			t.Errorf("%s", got)
		}
		if again := api.Answer(request); !bytes.Equal(got, again) {
			t.Errorf("%s\nand then %s", got, again)
		}
	})
}
