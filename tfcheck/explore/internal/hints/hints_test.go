package hints

import (
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// example is an example of a hints file.
const example = `# comments are fine
provider: { config: { token: fake, region: eu }, env: { FOO_REGION: eu, BAR: 01 } }
values:
  "*.timezone": [Europe/Berlin]
  "cloud_server.size": [1, 0.1, 9007199254740993, 0x10]
  "cloud_*.name": [a, "8"]
  "cloud_server.*": [any]
  "*.rule.port": [[1, {a: b}, null], true, !!binary "/w==", "2024-01-01"]
  "cloud_server.password": [x, { a: b }]
read: [cloud_image, "cloud_k*"]
skip: { time_sleep: "sleeps as long as it is told to", "cloud_old*": old }
`

func testHints(t *testing.T, text string) *Hints {
	t.Helper()
	h, err := Read("hints.yaml", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHintsMatchSlots(t *testing.T) {
	h := testHints(t, example)
	if got := h.Env(); !slices.Equal(got, []string{"BAR=01", "FOO_REGION=eu"}) {
		t.Errorf("environment %q", got)
	}
	config, err := h.ProviderConfig(exploretest.ProviderBlock)
	if want := exploretest.ValueOf(t, Compiled(exploretest.ProviderBlock), map[string]any{"token": "fake", "region": "eu"}); err != nil || !config.RawEquals(want) {
		t.Errorf("%#v, %v", config, err)
	}
	for slot, want := range map[string][]cty.Value{
		"cloud_server.size":      {Num(1), cty.MustParseNumberVal("0.1"), cty.MustParseNumberVal("9007199254740993"), Num(16)},
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

// TestEmptyHintsAreEmpty checks that nil hints and the hints of an empty file are empty.
func TestEmptyHintsAreEmpty(t *testing.T) {
	for _, h := range []*Hints{nil, testHints(t, ""), testHints(t, "# nothing\n"), testHints(t, "provider:\nvalues: {}\n")} {
		config, err := h.ProviderConfig(exploretest.ProviderBlock)
		if config != cty.NilVal || err != nil || h.Env() != nil || h.Values("a", "b") != nil || h.Gives("provider", "b") || h.Skipped("a") != "" || h.Reads("a") ||
			h.Check(nil, nil) != nil {
			t.Errorf("%#v says something", h)
		}
	}
}

func TestWrongHintsNameLineAndReason(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"[]", "1: a value of type seq is not allowed here"},
		{"provider: 1", "1: a value of type int is not allowed here"},
		{"a: 1\nvaluse: {}", "1: unknown key \"a\"\nhints.yaml:2: unknown key \"valuse\""},
		{"skip: {a: }", "1:8: the reason is missing"},
		{"skip: {a: ' '}", "1:8: the reason is missing"},
		{"skip: {[a]: b}", " the file is not valid YAML, or a value does not match its YAML tag"},
		{"values: {a.b: c}", "1: a value of type str is not allowed here"},
		{"values:\n  a.b:\n    - null\n    - .nan", "3: must be a value of an argument, and not null or a time without quotes"},
		{"values: {a.b: [!!binary x]}", " the file is not valid YAML, or a value does not match its YAML tag"},
		{"values: {a.b: [2024-01-01]}", "1: must be a value of an argument, and not null or a time without quotes"},
		{"values: {a.b: [{1: 1}]}", "1: must be a value of an argument, and not null or a time without quotes"},
		{"provider: {env: {A: [b]}}", "1: a value of type seq is not allowed here"},
		{"provider: {conf: {}}", `1: unknown key "conf"`},
		{"provider: {config: {a: &a {b: *a}}}", " the file is not valid YAML, or a value does not match its YAML tag"},
		{"a: [", "1: did not find expected node content"},
		{"skip: {a: b}\nskip: {a: b}", `2: mapping key "skip" already defined at line 1`},
		{"{}\n---\n{}", " the file must contain only one document"},
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
		{"values: {cloud_server.disks.gb: [1], '*.peer.cidr': [a], provider.endpoints.url: [b], cloud_server.rule.peer: []}\nskip: {parse: later}", ""},
		{"values: {cloud_server.nane: [1]}", `1:10: there is no TYPE.ATTRIBUTE "cloud_server.nane": did you mean "cloud_server.name"?`},
		{"values: {'*.nothing': [1]}", `1:10: no TYPE.ATTRIBUTE matches "*.nothing"`},
		{"values: {timezone: [a]}", `1:10: no TYPE.ATTRIBUTE matches "timezone"`},
		{"skip: {'': x}", "1:8: must be a pattern; use * for any name"},
		{"skip: {cloud_sever: x}", `1:8: there is no type "cloud_sever": did you mean "cloud_server"?`},
		{"values: {cloud_server.pair: [{x: a, y: 1}], cloud_server.tags: [{form: a}], cloud_server.any: [{form: [{form: a}]}]}", ""},
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
