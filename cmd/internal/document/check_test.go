package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// TestUnusualSchemaIsUsed checks that a schema that Terraform does not accept is used all the same. There
// is a note if it is in the document, but not if it is in a file of schemas.
func TestUnusualSchemaIsUsed(t *testing.T) {
	const values = `, "prior": null, "config": {"id": "a"}, "initial_planned": {"id": "b"}}`
	for _, test := range []struct{ text, want string }{
		{`{"schema": {"attributes": {"id": {"type": "string"}}}` + values,
			"testdata/run.json:1: /schema: Terraform does not accept this schema: .id: none of Required, Optional and Computed is set"},
		{`{"schema": {"version": 0, "block": {"attributes": {"id": {"type": "string", "optional": true, "required": true}}}}` + values,
			"testdata/run.json:1: /schema/block: Terraform does not accept this schema: .id: Required is set together with Optional or Computed"},
		{`{"schema": {"file": "schemas.json", "type": "acme_unusual"}` + values, ""},
	} {
		d := one(t, test.text)
		found := d.Subject().Findings
		if d.Note != test.want || len(found) != 1 || found[0].Rule != objchange.RulePlanNotConfig {
			t.Errorf("note %q, want %q; found %+v", d.Note, test.want, found)
		}
	}
}

// TestSubjectHasTheRulesOfItsValues checks which rules are checked for the values of a document, and which findings are
// tolerated. The pointer of a finding is as precise as names that are not sensitive allow.
func TestSubjectHasTheRulesOfItsValues(t *testing.T) {
	testkit.Parts(t, "testdata/subjects.golden", "canary", func(fields string) string {
		s := one(t, with(fields)).Subject()
		lines := []string{strings.TrimSpace(string(s.Status) + " " + s.Reason)}
		for _, f := range s.Findings {
			lines = append(lines, fmt.Sprintf("%s %s %s %s at %s", f.Phase, f.Path, f.Rule, f.Severity, f.Pointer))
		}
		return strings.Join(lines, "\n")
	})
}

// TestSchemasMayBeginWithByteOrderMark checks that a file of schemas may begin with a byte order mark, and that errors
// have the name of the file and the line.
func TestSchemasMayBeginWithByteOrderMark(t *testing.T) {
	const start = `{"format_version": "1.0", "provider_schemas": {`
	for _, test := range []struct{ text, want string }{
		{"\xef\xbb\xbf" + start + `"a": {}}}`, ""},
		{"\xff\xfe{\x00", "s.json: the text is UTF-16, as PowerShell's > writes it: convert it to UTF-8 with Get-Content FILE | Set-Content -Encoding utf8 NEWFILE"},
		{start + "\n\n\"a\" {}}}", "s.json:3: invalid JSON: ..."},
		{start + "\n\n", "s.json:1: invalid JSON: ..."},
		{start + "}}", ""},
		{`{"format_version": "9.0"}`, "s.json: ..."},
	} {
		_, err := document.ReadSchemas("s.json", strings.NewReader(test.text))
		got := fmt.Sprint(err)
		if err == nil {
			got = ""
		}
		want, open := strings.CutSuffix(test.want, "...")
		if got != test.want && !(open && strings.HasPrefix(got, want)) {
			t.Errorf("%q: got %s, want %s", test.text, got, test.want)
		}
	}
}

// TestFindingsLeadToWhatDiffersInside checks the pointer of a finding about a value that is
// compared as a whole. It leads to the difference inside the value if names allow, and otherwise to
// the nearest parent.
func TestFindingsLeadToWhatDiffersInside(t *testing.T) {
	for name, test := range map[string]struct{ attribute, config, planned, pointer, at string }{
		"element":         {`"type": ["list", "string"]`, `["a", "b"]`, `["a", "c"]`, "/1", `"c"`},
		"deeper":          {`"type": ["list", ["object", {"l": ["map", "number"]}]]`, `[{"l": {"a/b": 1}}]`, `[{"l": {"a/b": 2}}]`, "/0/l/a~1b", `2`},
		"tuple":           {`"type": ["tuple", ["string", "number"]]`, `["a", 1]`, `["a", 2]`, "/1", `2`},
		"absent":          {`"type": ["map", "string"]`, `{"a": "1", "b": "2"}`, `{"a": "1"}`, "/b", `{"a"`},
		"in a set":        {`"type": ["list", ["set", "string"]]`, `[["a"], ["a"]]`, `[["a"], ["b"]]`, "/1", `["b"]`},
		"in JSON":         {`"type": ["list", "string"]`, `["{\"a\": 1}"]`, `["{\"a\": 2}"]`, "/0", `"{\"a\"`},
		"any":             {`"type": "dynamic"`, `["a"]`, `["b"]`, "", `["b"]`},
		"sensitive":       {`"type": ["map", "string"], "sensitive": true`, `{"canary": "1"}`, `{"canary": "2"}`, "", `{"canary"`},
		"marked":          {`"type": ["map", "string"]`, `{"$sensitive": {"canary": "1"}}`, `{"canary": "2"}`, "", `{"canary"`},
		"marked elements": {`"type": ["map", "string"]`, `{"canary": {"$sensitive": "1"}}`, `{"canary": "2"}`, "", `{"canary"`},
	} {
		text := fmt.Sprintf(`{"schema": {"attributes": {"v": {%s, "optional": true}}}, "prior": null, "config": {"v": %s}, "initial_planned": {"v": %s}}`, test.attribute, test.config, test.planned)
		found := one(t, text).Subject().Findings
		if len(found) != 1 {
			t.Fatalf("%s: %+v", name, found)
		}
		f := found[0]
		if at := text[max(0, f.Column-1):]; f.Pointer != "/initial_planned/v"+test.pointer || f.Line != 1 || !strings.HasPrefix(at, test.at) {
			t.Errorf("%s: %s%s at %s in %d:%d, where %.20s is", name, f.Path, f.Inside, f.Pointer, f.Line, f.Column, at)
		}
	}
}
