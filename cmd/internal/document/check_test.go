package document_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// TestSubjectHasTheRulesOfItsValues checks which rules are checked for the values of a document, and which findings are
// tolerated. The place of a finding is as precise as names that are not sensitive allow: if a value is compared as a
// whole, it is the difference inside the value, or the nearest parent. A schema that Terraform does not accept is used
// all the same. There is a note if it is in the document, but not if it is in a file of schemas.
func TestSubjectHasTheRulesOfItsValues(t *testing.T) {
	testkit.Parts(t, "testdata/subjects.golden", "canary", func(fields string) string {
		text := fields // a document with its own schema
		if !strings.HasPrefix(fields, "{") {
			text = with(fields)
		}
		d := one(t, text)
		s := d.Subject()
		lines := []string{strings.TrimSpace(string(s.Status) + " " + s.Reason + " " + d.Note)}
		for _, f := range s.Findings {
			lines = append(lines, fmt.Sprintf("%s %s %s %s at %s in column %d", f.Phase, f.Path, f.Rule, f.Severity, f.Pointer, f.Column))
		}
		return strings.Join(lines, "\n")
	})
}

// TestSchemasMayBeginWithByteOrderMark checks that a file of schemas may begin with a byte order
// mark, and that errors have the name of the file and the line.
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
		_, err := document.ReadSchemas("s.json", func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(test.text)), nil
		})
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
