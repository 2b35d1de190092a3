package api

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/rulebook"
)

const schema = `{"attributes": {
	"name": {"type": "string", "required": true},
	"id": {"type": "string", "computed": true},
	"token": {"type": "string", "optional": true, "sensitive": true}
}}`

// with returns a document with the schema and these fields.
func with(fields string) string { return `{"schema": ` + schema + `, ` + fields + `}` }

// answerFields are the fields of an answer that the tests use.
type answerFields struct {
	Result struct {
		Subjects []struct {
			Status   string
			Findings []finding
		}
	}
	Errors []failure
}

type finding struct{ Rule, Pointer string }

// ask returns the answer to a command.
func ask(t *testing.T, command, text string) (a answerFields) {
	t.Helper()
	answer := Answer(command, text)
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	return a
}

// TestAnswerHasFindings checks the answers about a document with a finding, and about an error of Terraform.
func TestAnswerHasFindings(t *testing.T) {
	web := with(`"prior": null, "config": {"name": "web"}, "initial_planned": {"name": "db", "id": {"$unknown": true}}`)
	if got := string(Answer("propose", web)); got != `{"result":{"id":null,"name":"web","token":null}}`+"\n" {
		t.Errorf("proposed: %s", got)
	}
	a := ask(t, "check", web)
	if f := a.Result.Subjects[0].Findings; len(f) != 1 || f[0].Rule != "plan-not-config" || f[0].Pointer != "/initial_planned/name" {
		t.Errorf("checked: %+v", a)
	}
	const text = `Error: Provider produced inconsistent result after apply

When applying changes to cloud_server.web, provider "registry.terraform.io/acme/cloud" produced an unexpected new value:
.name: was cty.StringVal("web"), but now cty.StringVal("db").
`
	if got := string(Answer("explain", text)); !strings.Contains(got, `"rule":"inconsistent-value"`) || !strings.Contains(got, `"address":"cloud_server.web"`) {
		t.Errorf("explained: %s", got)
	}
}

// TestAnswerAboutExampleHasRule checks that the answer to a checked example has only findings of its rule.
func TestAnswerAboutExampleHasRule(t *testing.T) {
	checked := 0
	for _, e := range rulebook.Entries() {
		if !e.Checked {
			continue
		}
		checked++
		found := ask(t, "check", e.Example).Result.Subjects[0].Findings
		isOther := func(f finding) bool { return f.Rule != string(e.Rule) }
		if len(found) == 0 || slices.ContainsFunc(found, isOther) {
			t.Errorf("%s: found %+v", e.Rule, found)
		}
	}
	if checked < 30 {
		t.Errorf("only %d examples are checked", checked)
	}
}

// TestErrorsHaveTheirPlace checks the errors for texts that cannot be used. They have the place.
func TestErrorsHaveTheirPlace(t *testing.T) {
	for _, test := range []struct{ name, command, text, pointer, message string }{
		{"no such command", "apply", "", "", `unknown command "apply"`},
		{"too much", "explain", strings.Repeat("x", 4<<20+1), "", "the text has 4194305 bytes; the limit is 4194304"},
		{"nothing", "propose", "", "", "it contains no document"},
		{"two documents", "propose", "[" + with(`"prior": null`) + `,` + with(`"prior": null`) + "]", "", "the proposed new state needs exactly one document"},
		{"no prior", "propose", with(`"config": {}`), "", "prior is missing: set it to null for a resource to be created"},
		{"a file", "check", `{"schema": {"file": "/etc/hostname", "type": "acme_server"}}`, "", "/schema: open /etc/hostname: the playground reads no files"},
		{"a second document", "check", "[" + with(`"config": {"name": "web"}`) + `, {}]`, "/1", "the field schema is missing"},
	} {
		a := ask(t, test.command, test.text)
		if len(a.Errors) != 1 || a.Errors[0].Message != test.message || a.Errors[0].Pointer != test.pointer {
			t.Errorf("%s: %+v", test.name, a.Errors)
		}
		if first := strings.Contains(test.name, "a second"); first && a.Result.Subjects[0].Status != "checked" {
			t.Errorf("the first document is not checked: %+v", a)
		}
	}
}

// TestPanicValueIsNotShown checks that the answer for a panic does not have the value of the panic.
func TestPanicValueIsNotShown(t *testing.T) {
	if a := guarded(func() answer { panic("canary") }); len(a.Errors) != 1 || strings.Contains(a.Errors[0].Message, "canary") {
		t.Errorf("%+v", a)
	}
}

// TestAnswersShowNoSecrets checks that no answer shows a sensitive value.
func TestAnswersShowNoSecrets(t *testing.T) {
	text := with(`"prior": {"name": "a", "token": "canary"}, "config": {"name": "a", "token": "canary2"},
		"initial_planned": {"name": "a", "id": null, "token": "canary3"}, "new": {"token": ["canary"]}`)
	for _, command := range []string{"check", "propose"} {
		for _, text := range []string{text, strings.Replace(text, `"token": ["canary"]`, `"name": "a", "token": "canary4"`, 1)} {
			if got := Answer(command, text); bytes.Contains(got, []byte("canary")) {
				t.Errorf("%s", got)
			}
		}
	}
}

// FuzzAnswer checks for any text that the answer is JSON, that it is the same the second time, and
// that nothing panics.
func FuzzAnswer(f *testing.F) {
	f.Add("explain", "Error: Provider produced invalid plan")
	for _, command := range []string{"check", "propose"} {
		f.Add(command, "")
		f.Add(command, with(`"prior": {"id": "a"}, "config": {}, "initial_planned": {}, "new": null`))
	}
	f.Fuzz(func(t *testing.T, command, text string) {
		got := Answer(command, text)
		if !json.Valid(got) || bytes.Contains(got, []byte("a bug in objchange")) {
			t.Errorf("%s", got)
		}
		if again := Answer(command, text); !bytes.Equal(got, again) {
			t.Errorf("%s\nand then %s", got, again)
		}
	})
}
