package ctydata_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/ctydata"
	. "github.com/objchange/objchange/internal/testcty"
)

// TestUnknownNameSuggestsNearest checks that the error for an unknown name suggests the most similar name.
func TestUnknownNameSuggestsNearest(t *testing.T) {
	for given, near := range map[string]string{
		"nmae": "name", "names": "name", "nam": "name", "port": "", "prots": "ports", "port_number": "", "größe": "grösse", "nane": "name", "imgae": "image", "": "",
	} {
		schema := SchemaOf(Attr(cty.String, "optional"))
		schema.Attributes = Attrs{}
		for _, name := range []string{"name", "image", "grösse", "ports_of_it", "ports"} {
			if near != "" || name != "ports" {
				schema.Attributes[name] = Attr(cty.String, "optional")
			}
		}
		want := "." + given + ": no such attribute or block"
		if near != "" {
			want += "; did you mean \"" + near + "\"?"
		}
		if _, err := ctydata.ValueOf(schema, data{given: "x"}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
