package objchange_test

import (
	"slices"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// TestPathString checks the texts of paths: in full, up to a marked key, and with secrets
// hidden by a schema.
func TestPathString(t *testing.T) {
	schema := &configschema.Block{Attributes: Attrs{
		"tags":   Attr(cty.Map(cty.String), "optional"),
		"secret": Nested(configschema.NestingList, "optional sensitive", Attrs{"a": Attr(cty.Map(cty.String), "optional")}),
	}}
	at := cty.GetAttrPath
	for _, test := range []struct {
		path           cty.Path
		plain, guarded string
	}{
		{nil, "", ""},
		{at("tags").IndexString("k"), `.tags["k"]`, `.tags["k"]`},
		{at("tags").Index(Str("k").Mark("m")).GetAttr("x"), ".tags[(sensitive)].x", ".tags[(sensitive)][(sensitive)]"},
		{at("secret").IndexInt(0).GetAttr("a").IndexString("k"), `.secret[0].a["k"]`, ".secret[(sensitive)].a[(sensitive)]"},
		{at("secret").Index(Object(Obj{"a": Str("k")})), ".secret[*]", ".secret[*]"},
		{at("tags").Index(cty.NumberVal(nil)), ".tags[*]", ".tags[*]"},
		{at("secret").IndexInt(0).GetAttr("a").Index(cty.NumberVal(nil)), ".secret[0].a[*]", ".secret[(sensitive)].a[*]"},
		{at("nowhere").GetAttr("a\xff"), `.nowhere.a\xff`, `.nowhere.a\xff`},
	} {
		if got := objchange.PathString(test.path); got != test.plain {
			t.Errorf("%#v: %s, want %s", test.path, got, test.plain)
		}
		if got := Compiled(schema).PathString(test.path); got != test.guarded {
			t.Errorf("%#v with the schema: %s, want %s", test.path, got, test.guarded)
		}
	}
	for want, path := range map[string]cty.Path{
		".a":                     at("a"),
		`.rule[0].tags["env"]`:   at("rule").IndexInt(0).GetAttr("tags").IndexString("env"),
		".rule[*].name":          at("rule").Index(Item(NoStr, Str("a"))).GetAttr("name"),
		`.tags["a \"b\""]`:       at("tags").IndexString(`a "b"`),
		".rule[*]":               at("rule").Index(UnknownItem),
		`.rule[2]["x"].k[10].id`: at("rule").IndexInt(2).IndexString("x").GetAttr("k").IndexInt(10).GetAttr("id"),
	} {
		if got := objchange.PathString(path); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if a := schema.AttributeByPath(at("secret").Index(cty.NumberVal(nil)).GetAttr("a")); a == nil {
		t.Error("an index that is not a number is not skipped")
	}
	if got := Compiled(nil).PathString(at("a").IndexInt(1)); got != "[(sensitive)][(sensitive)]" {
		t.Errorf("without a schema: %s", got)
	}
}

// TestViolationPathsAreTheirOwn checks that the paths of violations do not share memory.
func TestViolationPathsAreTheirOwn(t *testing.T) {
	found := manyViolations()
	paths := make([]cty.Path, len(found))
	for i, v := range found {
		paths[i] = slices.Clone(v.Path)
	}
	for i := 0; i < len(found); i += 2 {
		for j := range found[i].Path {
			found[i].Path[j] = cty.GetAttrStep{Name: "changed"}
		}
		_ = append(found[i].Path, cty.GetAttrStep{Name: "more"})
	}
	for i := 1; i < len(found); i += 2 {
		if !found[i].Path.Equals(paths[i]) {
			t.Errorf("the path %#v became %#v", paths[i], found[i].Path)
		}
	}
}
