package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/tfcheck/driver"
)

// machine is a schema with a slot for each kind of message.
var machine = &configschema.Block{
	Attributes: map[string]*configschema.Attribute{
		"name":       {Type: cty.String, Required: true},
		"size":       {Type: cty.Number, Required: true},
		"zones":      {Type: cty.List(cty.String), Required: true},
		"labels":     {Type: cty.Map(cty.Bool), Required: true},
		"image":      {Type: cty.String, Optional: true},
		"image_id":   {Type: cty.String, Optional: true, Computed: true},
		"snapshot":   {Type: cty.String, Optional: true},
		"enable_ha":  {Type: cty.Bool, Optional: true},
		"created_at": {Type: cty.String, Computed: true},
	},
	BlockTypes: map[string]*configschema.NestedBlock{
		"rule": {Nesting: configschema.NestingSet, MinItems: 1, Block: configschema.Block{
			Attributes: map[string]*configschema.Attribute{"port": {Type: cty.Number, Required: true}, "kind": {Type: cty.String, Optional: true}},
			BlockTypes: map[string]*configschema.NestedBlock{"match": {Nesting: configschema.NestingList, Block: configschema.Block{
				Attributes: map[string]*configschema.Attribute{"key": {Type: cty.String, Required: true}},
			}}},
		}},
		"disk": {Nesting: configschema.NestingList, Block: configschema.Block{
			Attributes: map[string]*configschema.Attribute{"gb": {Type: cty.Number, Optional: true}},
		}},
	},
}

// brief formats the set attributes of a configuration, such as name=example size=1.
func brief(v cty.Value) string {
	switch {
	case !v.IsKnown():
		return "?"
	case v.IsNull():
		return "null"
	case !v.CanIterateElements():
		return shownPlain(v)
	}
	var parts []string
	for it := v.ElementIterator(); it.Next(); {
		key, e := it.Element()
		switch {
		case !v.Type().IsObjectType() && !v.Type().IsMapType():
			parts = append(parts, brief(e))
		case !e.IsKnown() || !e.IsNull() && !(e.CanIterateElements() && e.LengthInt() == 0):
			parts = append(parts, key.AsString()+"="+brief(e))
		}
	}
	text := strings.Join(parts, " ")
	if v.Type().IsObjectType() || v.Type().IsMapType() {
		return "{" + text + "}"
	}
	return "[" + text + "]"
}

func shownPlain(v cty.Value) string {
	if v.Type() == cty.String {
		return v.AsString()
	}
	return print.Value(v)
}

// TestLearnFromMessages checks the next configuration after one refusal. The messages have the
// forms of the SDKs' validators and of some providers.
func TestLearnFromMessages(t *testing.T) {
	const first = "{labels={key1=true} name=example rule=[{port=443}] size=10 zones=[us-east-1a]}"
	name, size, zones := cty.GetAttrPath("name"), cty.GetAttrPath("size"), cty.GetAttrPath("zones")
	for _, test := range []struct {
		path            cty.Path
		summary, detail string
		with            []string // optional slots that are also set
		want            string   // difference to the first configuration
	}{
		// Lists of values.
		{name, `expected name to be one of ["a1" "b2"], got example`, "", nil, "name=a1"},
		{name, `expected name to be one of [a1 b2], got example`, "", nil, "name=a1"},
		{name, "Invalid Attribute Value Match", `Attribute name value must be one of: ["\"a1\"" "\"b2\""], got: "example"`, nil, `name="a1"`},
		{name, "Invalid Attribute Value Match", `Attribute name value must be one of: ["a1" "b2"], got: "example"`, nil, "name=a1"},
		{nil, `"name" must be either 'a1' or 'b2'`, "", nil, "name=a1"},
		{nil, "invalid name: supported values are a1, b2 and c3", "", nil, "name=a1"},
		{name, "Invalid String Enum Value", "The provided value does not match any valid values.\n\nGiven Value: example\nValid Values: \n[a1 b2 ]", nil, "name=a1"},
		{size, `expected size to be one of [1 7 28], got 10`, "", nil, "size=1"},
		{name, "invalid value", `"image" and "snapshot" are the only allowed values: one of "image", "snapshot"`, nil, "name=image"},
		{zones, `expected zones.0 to be one of ["z1" "z2"], got us-east-1a`, "", nil, "zones=[z1]"},
		{cty.GetAttrPath("zones").IndexInt(0), `expected zones.0 to be one of ["z1" "z2"], got us-east-1a`, "", nil, "zones=[z1]"},
		{cty.GetAttrPath("labels").IndexString("key1"), `expected labels to be one of ["ALPHA" "BETA"], got key`, "", nil, "labels={ALPHA=true}"},
		{cty.GetAttrPath("rule"), `expected rule.0.port to be one of [80 8080], got 443`, "", nil, "rule=[{port=80}]"},
		{cty.GetAttrPath("rule"), "Invalid Attribute Value", `Attribute rule[Value({"kind":<null>,"match":["x"],"port":443})].port value must be one of: ["80" "81"], got: 443`, nil, "rule=[{port=80}]"},
		{name, "Invalid Attribute Value Match", `Attribute name value must be none of: ["example" "x"], got: "example"`, nil, "name=example-1"},
		{cty.GetAttrPath("image"), `expected image to be one of ["snapshot" "enable_ha"], got example`, "", []string{"image"}, "image=snapshot"},
		// Ranges.
		{cty.GetAttrPath("rule"), "Invalid Attribute Value", `Attribute rule[Value({"kind":["7","8"],"match":<null>,"port":443})].port value must be at least 500, got: 443`, nil, "rule=[{port=500}]"},
		{size, "expected size to be in the range (20 - 30), got 10", "", nil, "size=20"},
		{size, "Invalid Attribute Value", "Attribute size value must be between 20 and 30, got: 10", nil, "size=20"},
		{size, "size goes from 20 up to 30", "", nil, "size=20"},
		{size, "expected size to be at least (20), got 10", "", nil, "size=20"},
		{size, "Invalid Attribute Value", "Attribute size value must be at most 5, got: 10", nil, "size=5"},
		{nil, "size must be greater than 11", "", nil, "size=12"},
		{nil, "size: must be a multiple of 64", "", nil, "size=64"},
		// Lengths.
		{name, "expected length of name to be in the range (10 - 12), got example", "", nil, "name=exampleeee"},
		{name, "Invalid Attribute Value Length", "Attribute name string length must be at most 3, got: 7", nil, "name=exa"},
		{name, "Invalid Attribute Value Length", "Attribute name UTF-8 character count must be between 2 and 4, got: 7", nil, "name=exam"},
		// Numbers of elements.
		{zones, "Not enough list items", "Attribute zones requires 2 item minimum, but config has only 1 declared.", nil, "zones=[us-east-1a us-east-1a2]"},
		{zones, "Invalid Attribute Value", "Attribute zones list must contain at least 2 elements, got: 1", nil, "zones=[us-east-1a us-east-1a2]"},
		// Patterns, formats and affixes.
		{name, "Invalid Attribute Value Match", "Attribute name value must match regular expression '^[a-z]{3}-\\d{2}$', got: example", nil, "name=aaa-11"},
		{name, "invalid value for name (must match ^x[0-9]+$)", "", nil, "name=x1"},
		{name, `expected value of name to match regular expression "^(ab|cd)\\.e$", got example`, "", nil, "name=ab.e"},
		{name, `expected "name" to be a valid CIDR Value, got example: invalid CIDR address: example`, "", nil, "name=10.0.0.0/16"},
		{name, `expected "name" to be a valid RFC3339 date, got "example": cannot parse`, "", nil, "name=2030-01-02T03:04:05Z"},
		{name, `expected name to contain a valid IPv6 address, got: example`, "", nil, "name=2001:db8::1"},
		{name, `expected "name" to be a valid UUID, got example`, "", nil, "name=1f2e3d4c-5b6a-4978-8a9b-0c1d2e3f4a5b"},
		{name, `expected "name" to have a url with schema of: "https", got example`, "", nil, "name=https://example.com"},
		{name, `"name" contains an invalid JSON: invalid character 'e' looking for beginning of value`, "", nil, `name={"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*"}]}`},
		{name, `expected "name" to be a base64 string, got example`, "", nil, "name=ZXhhbXBsZQ=="},
		{name, "invalid name", `must begin with "i-"`, nil, "name=i-example"},
		{name, "invalid value for name (must be in the format aws:service:action)", "", nil, "name=aws:service:action"},
		{name, `"name": must be a valid path: stat example: no such file or directory`, "", nil, "name=."},
		{name, `"name": open .: is a directory`, "", nil, "name=example.txt"},
		{name, "must be a valid URL and contain <num> token", "", nil, "name=https://example.com/<num>"},
		{nil, "name must be 24 characters and only contain characters 0-9 and a-f", "", nil, "name=aaaaaaaaaaaaaaaaaaaaaaaa"},
		{nil, "name must consist of two capital letters", "", nil, "name=AA"},
		{name, `field "name" has an invalid format: "example". Expected format: 'projects/<project-number>/<anything>'`, "", nil, "name=projects/1/example-1"},
		{name, "parsing \"example\": parsing the Network ID", "Expected a Network ID that matched (containing 4 segments):\n\n> /subscriptions/1/networks/networkName\n\nHowever this value was provided (which was parsed into 0 segments):\n\n> example", nil, "name=/subscriptions/1/networks/networkName"},
		{name, "DNS zone name must be fully qualified", "", nil, "name=example.com."},
		{name, "not a valid HA resource identifier", "", nil, "name=vm:100"},
		{cty.GetAttrPath("image"), ".image: Invalid or unknown key", "", []string{"image"}, ""},
		// Relations between attributes.
		{cty.GetAttrPath("image"), "Conflicting configuration arguments", `"image": conflicts with snapshot`, []string{"image", "snapshot"}, "image=example"},
		{cty.GetAttrPath("image"), "Invalid Attribute Combination", `Attribute "snapshot" cannot be specified when "image" is specified`, []string{"image", "snapshot"}, "snapshot=example"},
		{nil, "Invalid Attribute Combination", "These attributes cannot be configured together: [image,snapshot]", []string{"image", "snapshot"}, "image=example"},
		{cty.GetAttrPath("image"), "Invalid combination of arguments", "\"image\": only one of `image,snapshot` can be specified, but `image,snapshot` were specified.", []string{"image", "snapshot"}, "image=example"},
		{cty.GetAttrPath("image"), "Invalid combination of arguments", "\"image\": one of `image,snapshot` must be specified", nil, "image=example"},
		{nil, "Missing Attribute Configuration", "Exactly one of these attributes must be configured: [image,snapshot]", nil, "image=example"},
		{nil, "Missing Attribute Configuration", "At least one of these attributes must be configured: [image,snapshot]", nil, "image=example"},
		{cty.GetAttrPath("image"), "Missing required argument", "\"image\": all of `image,snapshot` must be specified", []string{"image"}, "image=example snapshot=example"},
		{cty.GetAttrPath("image"), "Invalid Attribute Combination", `Attribute "snapshot" must be specified when "image" is specified`, []string{"image"}, "image=example snapshot=example"},
		{nil, "Missing required argument", `The argument "image" is required, but no definition was found.`, nil, "image=example"},
		{cty.GetAttrPath("image"), "Missing Configuration for Required Attribute", "Must set a configuration value for the image attribute as the provider has marked it as required.", nil, "image=example"},
		{cty.GetAttrPath("disk"), "Invalid Block", "Block disk must have a configuration value as the provider has marked it as required", nil, "disk=[{}]"},
		{nil, "image is not supported here", "", []string{"image"}, ""},
		{cty.GetAttrPath("image"), "Value for unconfigurable attribute", `Can't configure a value for "image": its value will be decided automatically based on the result of applying this configuration.`, []string{"image"}, ""},
		{nil, "to use this, set enableHa", "", nil, "enable_ha=true"},
		{cty.GetAttrPath("rule"), "a rule needs a match: rule.0.match is required", "", nil, "rule=[{match=[{key=example}] port=443}]"},
	} {
		k := newTestKnowledge(machine)
		config := k.Minimal()
		base := config
		if got := brief(config); got != first {
			t.Fatal(got)
		}
		for _, name := range test.with {
			config = k.make(config, move{{k.root.named(name), cty.NilVal}})
		}
		next, ok := k.Learn(config, []driver.Diagnostic{{Error: true, Summary: test.summary, Detail: test.detail, Path: test.path}})
		if !ok {
			t.Errorf("%s %s: no idea", test.summary, test.detail)
			continue
		}
		if got := difference(next, base); got != test.want {
			t.Errorf("%s %s:\ngot  %s\nwant %s", test.summary, test.detail, got, test.want)
		}
	}
}

// TestPhrasesHaveTheirMeaning checks the meaning of the example of each phrase.
func TestPhrasesHaveTheirMeaning(t *testing.T) {
	for _, p := range phrases {
		m := read(p.example)
		got := string(m.asks)
		switch l := m.limits; {
		case p.ask != "":
		case len(m.shown) > 0:
			got = m.shown[0]
		case m.prefix != "":
			got = "begins with " + m.prefix
		case m.suffix != "":
			got = "ends with " + m.suffix
		case l.step != nil:
			got = "multiple of " + numberText(*l.step)
		case l.most == nil:
			got = "at least " + numberText(*l.least)
		case l.least == nil:
			got = "at most " + numberText(*l.most)
		default:
			got = numberText(*l.least) + " to " + numberText(*l.most)
		}
		if got != p.says {
			t.Errorf("%s: %s", p.example, got)
		}
	}
}

// difference formats the attributes that differ from the attributes of the other object.
func difference(v, from cty.Value) string {
	var parts []string
	for name, e := range v.AsValueMap() {
		if !e.RawEquals(from.GetAttr(name)) {
			parts = append(parts, name+"="+brief(e))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}
