package survey

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/module"
)

func TestReadList(t *testing.T) {
	m := module.Version{Path: "example.com/a/terraform-provider-b", Version: "v1.2.0"}
	tests := map[string]struct {
		text   string
		want   []entry
		failed string
	}{
		"nothing":               {"\n# none yet\n", nil, ""},
		"a module":              {"example.com/a/terraform-provider-b v1.2.0", []entry{{module: m}}, ""},
		"a comment after it":    {"example.com/a/terraform-provider-b v1.2.0 # small", []entry{{module: m}}, ""},
		"an address":            {"example.com/a/terraform-provider-b v1.2.0 a/b", []entry{{m, "a/b", ""}}, ""},
		"hints":                 {"example.com/a/terraform-provider-b v1.2.0 b.yaml", []entry{{m, "", filepath.Join("lists", "b.yaml")}}, ""},
		"an address, and hints": {"example.com/a/terraform-provider-b v1.2.0 example.com/a/b hints/b.yml", []entry{{m, "example.com/a/b", filepath.Join("lists", "hints", "b.yml")}}, ""},
		"no version":            {"\nexample.com/a/terraform-provider-b", nil, "list:2: a line must be MODULE VERSION [ADDRESS] [HINTS], but has 1 words"},
		"too much":              {"example.com/a/terraform-provider-b v1.2.0 a/b b.yaml c", nil, "list:1: a line must be MODULE VERSION [ADDRESS] [HINTS], but has 5 words"},
		"no address":            {"example.com/a/terraform-provider-b v1.2.0 b", nil, `list:1: "b" is not a source address such as hashicorp/time`},
		"no hints":              {"example.com/a/terraform-provider-b v1.2.0 a/b b.txt", nil, `list:1: "b.txt": must be a .yaml or .yml file with hints`},
		"not a version":         {"example.com/a/terraform-provider-b 1.2.0", nil, "list:1: example.com/a/terraform-provider-b@1.2.0: invalid version: not a semantic version"},
		"not a module":          {"../b v1.2.0", nil, `list:1: malformed module path "../b": invalid path element ".."`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			list, err := readList("list", "lists", strings.NewReader(test.text))
			if diff := cmp.Diff(test.want, list, cmp.AllowUnexported(entry{})); diff != "" {
				t.Error(diff)
			}
			if failed := text(err); failed != test.failed {
				t.Errorf("failed: %s\nwant:   %s", failed, test.failed)
			}
		})
	}
}

// TestProviders checks that the list for our own runs can be read.
func TestProviders(t *testing.T) {
	list, err := openList("providers.txt", nil)
	if err != nil || len(list) == 0 {
		t.Errorf("%d providers: %v", len(list), err)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
