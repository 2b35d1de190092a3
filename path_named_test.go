package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// One printer for all paths: in full, down to a marked key, or with what may be
// secret by a schema hidden.
func TestPathString(t *testing.T) {
	schema := &objchange.Block{Attributes: attrs{
		"tags":   attr(cty.Map(cty.String), "optional"),
		"secret": nested(objchange.NestingList, "optional sensitive", attrs{"a": attr(cty.Map(cty.String), "optional")}),
	}}
	at := cty.GetAttrPath
	for _, test := range []struct {
		path           cty.Path
		plain, guarded string
	}{
		{nil, "", ""},
		{at("tags").IndexString("k"), `.tags["k"]`, `.tags["k"]`},
		{at("tags").Index(str("k").Mark("m")).GetAttr("x"), ".tags[(sensitive)].x", ".tags[(sensitive)][(sensitive)]"},
		{at("secret").IndexInt(0).GetAttr("a").IndexString("k"), `.secret[0].a["k"]`, ".secret[(sensitive)].a[(sensitive)]"},
		{at("secret").Index(object(obj{"a": str("k")})), ".secret[*]", ".secret[*]"},
		{at("nowhere").GetAttr("a\xff"), `.nowhere.a\xff`, `.nowhere.a\xff`},
	} {
		if got := objchange.PathString(test.path); got != test.plain {
			t.Errorf("%#v: %s, want %s", test.path, got, test.plain)
		}
		if got := schema.PathString(test.path); got != test.guarded {
			t.Errorf("%#v by the schema: %s, want %s", test.path, got, test.guarded)
		}
	}
	if got := (*objchange.Block)(nil).PathString(at("a").IndexInt(1)); got != "[(sensitive)][(sensitive)]" {
		t.Errorf("without a schema: %s", got)
	}
}
