package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/cmd/internal/testkit"
	"github.com/objchange/objchange/cmd/internal/testkit/schemas"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/placeholder"
)

// one returns the only document of a text.
func one(t *testing.T, text string) *document.Document {
	t.Helper()
	docs, errs := read(t, "testdata/run.json", text)
	if len(docs) != 1 || len(errs) > 0 {
		t.Fatalf("%d documents, %v", len(docs), errs)
	}
	return docs[0]
}

// TestValuesAreWrittenInOneForm checks that different forms of a value are written in the same
// form, which gives the same value again. Sensitive values are not written.
func TestValuesAreWrittenInOneForm(t *testing.T) {
	testkit.Parts(t, "testdata/values.golden", "canary", func(fields string) string {
		if strings.HasPrefix(fields, "{") { // a document with its own schema
			return encode(t, one(t, fields))
		}
		d := one(t, with(fields))
		text := encode(t, d)
		if strings.Contains(fields, "secrets") {
			return text // what is hidden cannot be read back
		}
		again := one(t, with(`"new": `+text))
		if !again.Lifecycle.New.RawEquals(d.Lifecycle.New) {
			t.Errorf("%s reads back as %#v, not %#v", text, again.Lifecycle.New, d.Lifecycle.New)
		}
		return text
	})
}

// encode returns the new state as compact JSON.
func encode(t *testing.T, d *document.Document) string {
	t.Helper()
	text, err := words.JSON(placeholder.Shown(d.Lifecycle.Schema.Block(), d.Lifecycle.New), "")
	var compact bytes.Buffer
	if err := errors.Join(err, json.Compact(&compact, text)); err != nil {
		t.Fatal(err)
	}
	return compact.String()
}

// TestFilesContainDocumentsInSeveralWays checks the ways in which a file may contain documents.
func TestFilesContainDocumentsInSeveralWays(t *testing.T) {
	doc := func(name string) string {
		return fmt.Sprintf(`{"name": %q, "schema": {"file": "schemas.json", "type": "time_static"}}`, name)
	}
	const broken = `{"name": "broken"}`
	for _, test := range []struct{ name, text, want string }{
		{"one", doc("a"), "a:1"},
		{"without a name", `{"schema": {}}`, "document 1:1"},
		{"lines", doc("a") + "\n\n" + doc("b") + "\n" + `{"schema": {}}`, "a:1 b:3 document 3:4"},
		{"array", "[\n" + doc("a") + ",\n" + doc("b") + "]\n", "a:2/0 b:3/1"},
		{"arrays and documents", "[]\n[" + doc("a") + "]" + doc("b"), "a:2/0 b:2"},
		{"with a broken document", doc("a") + "\n" + broken + "\n" + doc("b"), "a:1 !2 b:3"},
		{"array with a broken document", "[" + doc("a") + "," + broken + "]", "a:1/0 !1/1"},
		{"with a broken end", doc("a") + "\n" + doc("b") + "\n}", "a:1 b:2 !3"},
		{"a broken line", doc("a") + "\n" + `{"name": NaN}` + "\n" + doc("c"), "a:1 !2"},
		{"several documents on a line, one broken", doc("a") + "}" + doc("b") + "\n" + doc("c"), "a:1 !1"},
		{"far apart", strings.Repeat("\n", 200000) + doc("a"), "a:200001"},
		{"byte order mark", "\xef\xbb\xbf" + doc("a"), "a:1"},
		{"blank lines first", "\n\n  " + doc("a"), "a:3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := document.Reader{Open: regular}
			var got []string
			for d, err := range r.Read("testdata/run.json", strings.NewReader(test.text)) {
				if err != nil {
					place := document.Unused("testdata/run.json", err).Place
					got = append(got, fmt.Sprintf("!%d%s", place.Line, place.Pointer))
					continue
				}
				got = append(got, fmt.Sprintf("%s:%d%s", d.Name, d.Place.Line, d.Place.Pointer))
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestSchemaAndReaderAcceptTheSame checks that the JSON Schema and the Reader accept the same documents.
func TestSchemaAndReaderAcceptTheSame(t *testing.T) {
	valid := schemas.Validator(t, "run.schema.json")
	testkit.Parts(t, "testdata/forms.golden", "canary", func(input string) string {
		text := inputText(t, input)
		err := valid([]byte(text))
		if _, errs := read(t, "testdata/run.json", text); (len(errs) == 0) != (err == nil) {
			t.Errorf("%s: the schema says %v, reading says %v", text, err, errs)
		}
		if err != nil {
			return "invalid"
		}
		return "valid"
	})
}

// regular opens a file of schemas.
func regular(name string) (io.ReadCloser, error) { return files.Regular(name) }
