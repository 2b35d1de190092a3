package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/objchange/objchange/ctydata"
	"github.com/zclconf/go-cty/cty"
)

// large is the JSON of a value with much in it.
func large(last string) string {
	var tags, rules strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&tags, `"k%d": "v%d", `, i, i)
		fmt.Fprintf(&rules, `{"port": %d}, `, i)
	}
	return `{"id" : "i", "tags": {` + tags.String() + `"last": "x"}, "rule": [` + rules.String() + last + `], "any": {"$literal": {"$a": [1]}}}`
}

// The values of a large document are those of a small one, with marks at the places
// that are secret in any of them.
func TestLargeDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	secret := strings.Replace(large(`{"port": 1}`), `"v7"`, `{"$sensitive": "v7"}`, 1)
	docs, errs := read(t, "run.json", with(`"prior": `+secret+`, "new": `+large(`{"port": 2}`)))
	if len(errs) > 0 || len(docs) != 1 {
		t.Fatal(errs)
	}
	l := docs[0].Lifecycle
	for port, v := range map[string]cty.Value{"1": l.Prior, "2": l.New} {
		bare, marks := v.UnmarkDeepWithPaths()
		plain := strings.Replace(large(`{"port": `+port+`}`), `{"$literal": {"$a": [1]}}`, `{"$a": [1]}`, 1)
		want, err := ctydata.ValueOfJSON(l.Schema.Block(), []byte(plain))
		if err != nil || !bare.RawEquals(want) {
			t.Errorf("the value with port %s is another: %v", port, err)
		}
		if len(marks) != 1 || !marks[0].Path.Equals(cty.GetAttrPath("tags").IndexString("k7")) {
			t.Errorf("marks of the value with port %s: %#v", port, marks)
		}
	}
}

// Where nothing is, a large value has nothing in common with it.
func TestLargeDocumentNull(t *testing.T) {
	const null = `{"id": null, "tags": null, "any": null}`
	for _, values := range []string{`"prior": null, "new": %s`, `"prior": %s, "new": null`, `"prior": ` + null + `, "new": %s`, `"prior": %s, "new": ` + null} {
		docs, errs := read(t, "run.json", with(fmt.Sprintf(values, large(`{"port": 1}`))))
		if len(errs) > 0 || len(docs) != 1 {
			t.Errorf("%s: %v", values, errs)
		}
	}
}

// What is wrong deep in a large document has its place, and what is secret in it is
// not told.
func TestLargeDocumentBroken(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	for last, want := range map[string]string{
		`{"port": "x"}`: `.rule[40000].port: must be a number, not a string that is none`,
		`{"port": {"$sensitive": {"secret": 1}}}`:  `what is in a $sensitive does not fit its place`,
		`{"$sensitive": {"port": 1, "secret": 1}}`: `what is in a $sensitive does not fit its place`,
	} {
		_, errs := read(t, "run.json", with(`"new": `+large(last)))
		if want = "run.json:1: /new: " + want; len(errs) != 1 || errs[0] != want {
			t.Errorf("%s: %q, want %s", last, errs, want)
		}
	}
}
