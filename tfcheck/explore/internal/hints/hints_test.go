package hints

import (
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// example is an example of a hints file.
const example = `# comments are fine
provider: { config: { token: fake, region: eu }, env: { FOO_REGION: eu, BAR: "1" } }
values:
  "*.timezone": [Europe/Berlin]
  "cloud_server.size": [1, 0.1, 9007199254740993, 0.1234567890123456789, 0x10]
  "cloud_*.name": [a, "8"]
  "cloud_server.*": [any]
  "*.rule.port": [[1, {a: b}, null], true, !!binary "/w==", 2024-01-01]
  "cloud_server.password": [{ from: other.password }, x, { from: a, to: b }]
read: [cloud_image, "cloud_k*"]
skip: { time_sleep: "sleeps as long as it is told to", "cloud_old*": old }
known:
  - { type: cloud_server, rule: inconsistent-value, path: .name, reason: "issue 42" }
  - { rule: "plan-*", path: ".rule[0].port", reason: later }
  - { rule: crash, path: (root), reason: all }
`

func testHints(t *testing.T, text string) *Hints {
	t.Helper()
	h, err := Read("hints.yaml", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHints(t *testing.T) {
	h := testHints(t, example)
	if got := h.Env(); !slices.Equal(got, []string{"BAR=1", "FOO_REGION=eu"}) {
		t.Errorf("environment %q", got)
	}
	config, err := h.ProviderConfig(exploretest.ProviderBlock)
	if want := exploretest.ValueOf(t, Compiled(exploretest.ProviderBlock), map[string]any{"token": "fake", "region": "eu"}); err != nil || !config.RawEquals(want) {
		t.Errorf("%#v, %v", config, err)
	}
	for slot, want := range map[string][]cty.Value{
		"cloud_server.size":      {Num(1), cty.MustParseNumberVal("0.1"), cty.MustParseNumberVal("9007199254740993"), cty.MustParseNumberVal("0.1234567890123456789"), Num(16)},
		"cloud_server.name":      {Str("a"), Str("8")},
		"cloud_server.timezone":  {Str("Europe/Berlin")},
		"cloud_server.a.b":       {Str("any")},
		"cloud_disk.rule.port":   {Tuple(Num(1), Object(Obj{"a": Str("b")}), cty.NullVal(cty.DynamicPseudoType)), cty.True, Str("\xff"), Str("2024-01-01")},
		"cloud_server.password":  {Str("any")},
		"other.size":             nil,
		"provider.region":        nil,
		"other_password.timezon": nil,
	} {
		typeName, slot, _ := strings.Cut(slot, ".")
		if got := h.Values(typeName, slot); !slices.EqualFunc(got, want, cty.Value.RawEquals) {
			t.Errorf("%s.%s: %#v", typeName, slot, got)
		}
	}
	for place, want := range map[[3]string]string{
		{"cloud_server", "inconsistent-value", ".name"}:   "issue 42",
		{"cloud_disk", "inconsistent-value", ".name"}:     "",
		{"cloud_disk", "plan-count", ".rule[…].port"}:     "later",
		{"cloud_disk", "plan-count", ".rule"}:             "",
		{"cloud_disk", "crash", ""}:                       "all",
		{"cloud_server", "inconsistent-value", ".name.a"}: "",
	} {
		if got := h.Known(place[0], objchange.Rule(place[1]), place[2]); got != want {
			t.Errorf("%q: %q", place, got)
		}
	}
	if h.Skipped("time_sleep") == "" || h.Skipped("cloud_older") != "old" || h.Skipped("time") != "" {
		t.Error("skipped")
	}
	if !h.Reads("cloud_image") || !h.Reads("cloud_key") || h.Reads("cloud_server") {
		t.Error("read")
	}
	if !h.Gives("provider", "token") || !h.Gives("cloud_disk", "rule.port.a") || h.Gives("cloud_disk", "rule") {
		t.Error("gives")
	}
}

// TestNoHints checks that nil hints and the hints of an empty file are empty.
func TestNoHints(t *testing.T) {
	for _, h := range []*Hints{nil, testHints(t, ""), testHints(t, "# nothing\n"), testHints(t, "provider:\nvalues: {}\n")} {
		config, err := h.ProviderConfig(exploretest.ProviderBlock)
		if config != cty.NilVal || err != nil || h.Env() != nil || h.Values("a", "b") != nil || h.Gives("provider", "b") || h.Skipped("a") != "" || h.Reads("a") ||
			h.Known("a", "crash", "") != "" || h.Check(nil, nil) != nil {
			t.Errorf("%#v says something", h)
		}
	}
}

func TestWrongHints(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"[]", "1: a value of type seq is not allowed here"},
		{"provider: 1", "1: a value of type int is not allowed here"},
		{"a: 1\nvaluse: {}", "1: unknown key \"a\"\nhints.yaml:2: unknown key \"valuse\": did you mean \"values\"?"},
		{"skip: {a: }", "1:8: the reason is missing"},
		{"skip: {a: ' '}", "1:11: the reason is missing"},
		{"skip: {'': b}", "1:8: must be a pattern; use * for any name"},
		{"skip: {1: b}", "1: must be a string; put it in quotes if it looks like another type"},
		{"values: {timezone: [a]}", `1:10: no slot matches "timezone": use TYPE.SLOT, such as "*.timezone"`},
		{"values: {.name: [a]}", `1:10: no slot matches ".name": use TYPE.SLOT, such as "*.name"`},
		{"values: {'a.rule[0].port': [a]}", `1:10: no slot matches "a.rule[0].port": slots have no indexes, because all elements share their hints`},
		{"values: {a.b: c}", "1: a value of type str is not allowed here"},
		{"values:\n  a.b:\n    - null\n    - .nan", "2:3: must be a valid value of an argument, and not null\nhints.yaml:4:7: must be a valid value of an argument, and not null"},
		{"values: {a.b: [!!binary x]}", " the file is not valid YAML, or a value does not match its YAML tag"},
		{"values: {a.b: [{from: c}]}", "1:16: from must be the slot of another type, written as TYPE.SLOT"},
		{"values: {a.b: [{from: 1}]}", "1:16: from must be the slot of another type, written as TYPE.SLOT"},
		{"values: {a.b: [{1: 1}]}", "1: must be a string; put it in quotes if it looks like another type"},
		{"provider: {env: {A: 1}}", "1: must be a string; put it in quotes if it looks like another type"},
		{"provider: {env: {A=B: c}}", `1:18: "A=B" is not a name of an environment variable`},
		{"provider: {conf: {}}", `1: unknown key "conf"`},
		{"known: [a]", "1: a value of type str is not allowed here"},
		{"known: {}", "1: a value of type map is not allowed here"},
		{"known: [{rule: crash}]", "1:16: the reason is missing"},
		{"known: [{reason: x}]", "1:18: a known finding needs a rule, or * for any rule"},
		{"known: [{rule: crush, reason: x}]", `1:16: there is no rule "crush": did you mean "crash"?`},
		{"known: [{rule: 'none-*', reason: x}]", `1:16: no rule matches "none-*"`},
		{"known: [{rule: crash, path: name, reason: x}]", `1:29: no path matches "name": did you mean ".name"?`},
		{"known: [{rule: crash, reson: x}]", "1: unknown key \"reson\": did you mean \"reason\"?"},
		{"provider: {env: {A: }}", "1:18: the value must be a string"},
		{"provider: {config: {a: &a {b: *a}}}", " the file is not valid YAML, or a value does not match its YAML tag"},
		{"a: [", "1: did not find expected node content"},
		{"skip: {a: b}\nskip: {a: b}", `2: mapping key "skip" already defined at line 1`},
		{"{}\n---\n{}", "2: the file must contain only one document"},
		{"values: {a.b: &a [*a]}", " the file is not valid YAML, or a value does not match its YAML tag"},
	} {
		t.Run(test.text, func(t *testing.T) {
			h, err := Read("hints.yaml", strings.NewReader(test.text))
			if err == nil || err.Error() != "hints.yaml:"+test.want {
				t.Errorf("%#v\n%v\nwant hints.yaml:%s", h, err, test.want)
			}
		})
	}
}

// TestHintsOfAnotherProvider checks that hints about missing types and slots are errors when the
// provider's schemas are known.
func TestHintsOfAnotherProvider(t *testing.T) {
	schema := &catalog.Schema{Compiled: Compiled(exploretest.Server)}
	targets := []scenario.Target{
		{Kind: scenario.Resource, Name: "cloud_server", Schema: schema}, {Kind: scenario.Resource, Name: "cloud_disk", Schema: schema}, {Kind: scenario.Function, Name: "parse"},
	}
	for _, test := range []struct{ text, want string }{
		{"values: {cloud_server.disks.gb: [1], '*.peer.cidr': [a], provider.endpoints.url: [b], cloud_server.rule.peer: []}\nskip: {parse: later}\nknown: [{type: cloud_*, rule: '*', reason: x}]", ""},
		{"values: {cloud_server.nane: [1]}", `1:10: there is no slot "cloud_server.nane": did you mean "cloud_server.name"?`},
		{"values: {'*.nothing': [1]}", `1:10: no slot matches "*.nothing"`},
		{"skip: {cloud_sever: x}", `1:8: there is no type "cloud_sever": did you mean "cloud_server"?`},
		{"known: [{type: aws_*, rule: crash, reason: x}]", `1:16: no type matches "aws_*"`},
		{"values: {cloud_server.name: [{from: cloud_disk.id}], '*.name': [{from: cloud_server.id}]}", ""},
		{"values: {cloud_server.name: [{from: cloud_server.id}]}", `1:30: no slot of a resource type other than cloud_server matches "cloud_server.name"`},
		{"values: {provider.token: [{from: cloud_server.id}]}", `1:27: no slot of a resource type other than cloud_server matches "provider.token"`},
		{"values: {cloud_server.name: [{form: cloud_disk.id}]}", `1:30: no slot that matches "cloud_server.name" has the key "form": did you mean "from"?`},
		{"values:\n  cloud_server.zones:\n  - [{from: cloud_disk.id}]", `3:5: no slot that matches "cloud_server.zones" has the key "from": {from: TYPE.ATTRIBUTE} must be a whole value, not a part of a value`},
		{"values: {cloud_server.zones: [{form: cloud_disk.id}]}", `1:31: no slot that matches "cloud_server.zones" has the key "form": did you mean "from"?`},
		{"values: {cloud_server.pair: [{x: a, z: 1}], cloud_server.disks: [{gbs: 1}]}", `1:30: no slot that matches "cloud_server.pair" has the key "z"` + "\n" + `hints.yaml:1:66: no slot that matches "cloud_server.disks" has the key "gbs"`},
		{"values: {cloud_server.pair: [{x: a, y: 1}], cloud_server.tags: [{form: a}], cloud_server.any: [{form: [{from: a}]}], cloud_server.disks: [[{gb: 1}], {gb: 2}]}", ""},
		{"values: {cloud_server.name: [{from: cloud_server.idd}]}", "1:30: there is no attribute of a resource \"cloud_server.idd\": did you mean \"cloud_server.id\"?"},
	} {
		err := testHints(t, test.text).Check(targets, exploretest.ProviderBlock)
		if (err == nil) != (test.want == "") || err != nil && err.Error() != "hints.yaml:"+test.want {
			t.Errorf("%s: %v", test.text, err)
		}
	}
	if _, err := testHints(t, "provider: {config: {tokn: a}}").ProviderConfig(&configschema.Block{Attributes: Attrs{"token": LeafAttr}}); err == nil || !strings.Contains(err.Error(), `did you mean "token"`) {
		t.Errorf("%v", err)
	}
}
