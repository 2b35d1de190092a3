package document_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// block is a schema with all kinds of attributes and blocks that matter here.
const block = `{
	"attributes": {
		"id": {"type": "string", "computed": true},
		"count": {"type": "number", "optional": true},
		"tags": {"type": ["map", "string"], "optional": true},
		"names": {"type": ["set", "string"], "optional": true},
		"any": {"type": "dynamic", "optional": true},
		"secrets": {"type": ["map", "number"], "optional": true, "sensitive": true}
	},
	"block_types": {
		"rule": {"nesting_mode": "list", "block": {"attributes": {"port": {"type": "number", "required": true}}}}
	}
}`

// with returns a document with the schema and these fields.
func with(fields string) string {
	return `{"schema": ` + block + `, ` + fields + `}`
}

// read returns the documents of a text, and the errors.
func read(t *testing.T, file, text string) (docs []*document.Document, errs []string) {
	t.Helper()
	r := document.Reader{Open: regular}
	for d, err := range r.Read(file, strings.NewReader(text)) {
		if err == nil {
			docs = append(docs, d)
			continue
		}
		if unusable := new(document.Error); !errors.As(err, &unusable) {
			t.Errorf("%v is a %T", err, err)
		}
		errs = append(errs, err.Error())
	}
	return docs, errs
}

// inputText returns the file for an input of a golden file. The input is the fields of a document
// with the schema, alone or in an array, or the file itself.
func inputText(t *testing.T, input string) string {
	t.Helper()
	form, text, _ := strings.Cut(input, " ")
	switch form {
	case "with":
		return with(text)
	case "array":
		return "[" + with(text) + "]"
	case "quoted":
		var err error
		if text, err = strconv.Unquote(text); err != nil {
			t.Fatal(err)
		}
	}
	return strings.ReplaceAll(text, "BLOCK", block)
}

// TestProblemsHaveTheirPlace checks that each problem of a document is reported with its place. The input is a
// file, or the fields of a document with the schema.
func TestProblemsHaveTheirPlace(t *testing.T) {
	testkit.Parts(t, "testdata/broken.golden", "canary", func(input string) string {
		var lines []string
		r := document.Reader{Open: regular}
		for _, err := range r.Read("testdata/run.json", strings.NewReader(inputText(t, input))) {
			if err == nil {
				continue
			}
			lines = append(lines, strings.ReplaceAll(err.Error(), "testdata/", ""))
			if unusable := new(document.Error); errors.As(err, &unusable) {
				for _, p := range unusable.Problems {
					lines = append(lines, fmt.Sprintf("  at %q: %s", p.Pointer, p.Reason))
				}
			}
		}
		return strings.Join(lines, "\n")
	})
}

// TestDeepAndLargeValuesAreRefused checks that deep and large values and documents are refused, without quadratic time.
func TestDeepAndLargeValuesAreRefused(t *testing.T) {
	for _, test := range []struct{ fields, want string }{
		{`"prior": {"any": ` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, `not JSON: exceeded max depth`},
		{`"prior": {"any": ` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`, `nested deeper than 500 levels`},
		{`"prior": {"count": ` + strings.Repeat("9", 1<<20) + `}`, `/prior: .count: a number of more than 8192 digits`},
		{`"requires_replace": [["rule", ` + strings.Repeat("9", 1<<22) + `]]`, `/requires_replace/0: the value: a number of more than 8192 digits`},
		{`"name": "` + strings.Repeat("x", document.MaxSize), `run.json:13: the document is larger than 16 MB`},
	} {
		if _, errs := read(t, "run.json", with(test.fields)); len(errs) != 1 || !strings.HasSuffix(errs[0], test.want) || len(errs[0]) > 600 {
			t.Errorf("got %.500q, want %s", errs, test.want)
		}
	}
}

// TestUnreadableFilesAreErrors checks the errors for files that cannot be read.
func TestUnreadableFilesAreErrors(t *testing.T) {
	r := document.Reader{Open: regular}
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	for _, err := range r.Read("run.json", dir) {
		if err == nil || !strings.HasPrefix(err.Error(), "run.json:1: ") {
			t.Errorf("got %v", err)
		}
	}
	_, errs := read(t, filepath.Join("testdata", "run.json"), fmt.Sprintf(`{"schema": {"file": %q, "type": "a"}}`, t.TempDir()))
	if len(errs) != 1 || !strings.Contains(errs[0], "is a folder") {
		t.Errorf("got %v", errs)
	}
}
