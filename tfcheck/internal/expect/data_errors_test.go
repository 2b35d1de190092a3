package expect_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck/internal/expect"
)

const canary = "hunter2"

// A panicker panics when it is marshaled.
type panicker struct{}

func (panicker) MarshalText() ([]byte, error) { panic(canary) }

type misspeltModel struct {
	Port string `tfsdk:"prot"`
}

type misspelt struct {
	Name int `json:"nmae"`
}

func TestValueOfErrors(t *testing.T) {
	schema := &configschema.Block{Attributes: schemaAttrs{
		"name": attrOf(cty.String), "tags": attrOf(cty.Map(cty.Number)), "any": attrOf(cty.DynamicPseudoType),
		"secret": {Type: cty.Map(cty.Number), Optional: true, Sensitive: true},
		"rules":  {Optional: true, NestedType: &configschema.Object{Nesting: configschema.NestingList, Attributes: schemaAttrs{"port": attrOf(cty.Number)}}},
	}}
	type pointer *pointer
	var circle pointer
	circle = &circle
	for name, test := range map[string]struct {
		data any
		want string
	}{
		"suggestion":     {misspelt{}, `.nmae: no such attribute or block; did you mean "name"?`},
		"zero tf.Value":  {data{"name": tftypes.Value{}}, ".name: is the zero tftypes.Value"},
		"no data":        {data{"name": func() {}}, ".name: encoding/json cannot encode this func()"},
		"no data inside": {data{"any": []any{make(chan int)}}, ".any[0]: encoding/json cannot encode this chan int"},
		"bad keys":       {data{"tags": map[bool]int{true: 1}}, ".tags: encoding/json cannot encode this map[bool]int"},
		"bad marshaler":  {data{"name": json.RawMessage(canary)}, ".name: encoding/json cannot encode this json.RawMessage"},
		"byte array":     {data{"any": [4]byte{1}}, ".any: a [4]uint8 is not supported: use a map with string keys, a slice of anything except bytes, or a plain value"},
		"framework":      {data{"name": frameworkValue{}}, ".name: cannot be converted to a value"},
		"sensitive key":  {data{"secret": map[string]string{canary: canary}}, ".secret[(sensitive)]: must be a number, or a string that contains a number"},
		"panic":          {data{"name": panicker{}}, ".name: the conversion of a expect_test.panicker to a value panics"},
		"model, nested": {struct {
			N []misspeltModel `tfsdk:"rules"`
		}{make([]misspeltModel, 2)}, ".rules[0].prot: no such attribute or block; did you mean \"port\"?\n.rules[1].prot: no such attribute or block; did you mean \"port\"?"},
		"pointer cycle": {data{"name": circle}, ".name: pointers nested deeper than 500 levels"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := expect.ValueOf(schema, test.data)
			if err == nil {
				t.Fatalf("got %#v, want an error", got)
			}
			if err.Error() != test.want {
				t.Errorf("got error\n%s\nwant\n%s", err, test.want)
			}
			if at := (*ctydata.ValueError)(nil); name != "panic" && !errors.As(err, &at) {
				t.Errorf("%T is no place", err)
			}
		})
	}
}
