package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// door is a schema that is small enough to list all variations.
var door = &configschema.Block{
	Attributes: map[string]*configschema.Attribute{
		"wide": {Type: cty.Number, Required: true},
		"open": {Type: cty.Bool, Optional: true},
		"tags": {Type: cty.List(cty.String), Optional: true},
		"id":   {Type: cty.String, Computed: true},
	},
	BlockTypes: map[string]*configschema.NestedBlock{
		"lock": {Nesting: configschema.NestingList, MaxItems: 2, Block: configschema.Block{
			Attributes: map[string]*configschema.Attribute{"pin": {Type: cty.String, Optional: true}},
		}},
	},
}

func TestVariationsChangeOneThing(t *testing.T) {
	k := newTestKnowledge(door)
	var got []string
	for v := range k.Variations(k.Minimal()) {
		if text := brief(v.Config); len(text) < 80 && !strings.Contains(text, "-----") {
			got = append(got, text)
		}
	}
	for _, want := range []string{
		"{open=true wide=1}",
		"{tags=[example] wide=1}",
		"{lock=[{}] wide=1}",
		"{lock=[{pin=example}] wide=1}",
		"{wide=0}",
		"{wide=-1}",
		"{wide=1.5}",
		"{wide=2147483648}",
		"{wide=9007199254740993}",
		"{open=false wide=1}",
		"{lock=[{} {}] wide=1}",
		"{wide=1}",
		"{tags=[example example2] wide=1}",
		"{tags=[example example] wide=1}",
		"{tags=[null] wide=1}",
		`{lock=[{pin=}] wide=1}`,
		`{lock=[{pin= }] wide=1}`,
		`{lock=[{pin=Éa日本😀}] wide=1}`,
	} {
		if !slices.Contains(got, want) {
			t.Errorf("missing: %s", want)
		}
	}
	for _, text := range got {
		if strings.Contains(text, "lock=[{} {} {}]") || strings.Contains(text, "{id=") || strings.Contains(text, "wide=null") {
			t.Errorf("Terraform would not send this: %s", text)
		}
	}
	if t.Failed() {
		t.Log(strings.Join(got, "\n"))
	}
}

func TestVariationsLeaveOutWhatIsSet(t *testing.T) {
	k := newTestKnowledge(door)
	var got []string
	for v := range k.Variations(k.Full()) {
		got = append(got, brief(v.Config))
	}
	for _, want := range []string{
		"{lock=[{pin=example}] tags=[example] wide=1}",
		"{open=true tags=[example] wide=1}",
		"{lock=[{}] open=true tags=[example] wide=1}",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("missing: %s", want)
		}
	}
}

func TestUnknownsBecomeKnown(t *testing.T) {
	k := newTestKnowledge(door)
	var got []string
	for v := range k.Unknowns(k.Full()) {
		text := brief(v.Config)
		for _, then := range v.Then {
			text += "; " + brief(then)
			if !then.IsWhollyKnown() {
				t.Errorf("%s", text)
			}
		}
		got = append(got, text)
	}
	want := []string{
		"{lock=? open=true tags=[example] wide=1}; {lock=[{pin=example}] open=true tags=[example] wide=1}",
		"{lock=[{pin=example}] open=? tags=[example] wide=1}; {lock=[{pin=example}] open=true tags=[example] wide=1}",
		"{lock=[{pin=example}] open=true tags=? wide=1}; {lock=[{pin=example}] open=true tags=[example] wide=1}",
		"{lock=[{pin=example}] open=true tags=[?] wide=1}; {lock=[{pin=example}] open=true tags=[example] wide=1}",
		"{lock=[{pin=example}] open=true tags=[example] wide=?}; {lock=[{pin=example}] open=true tags=[example] wide=1}",
		"{lock=[{pin=?}] open=true tags=[example] wide=1}; {lock=[{pin=example}] open=true tags=[example] wide=1}",
		"{lock=? open=true tags=[example] wide=1}; " +
			"{lock=[{}] open=true tags=[example] wide=1}; {lock=[{} {}] open=true tags=[example] wide=1}; {open=true tags=[example] wide=1}",
		"{lock=[{pin=example}] open=? tags=[example] wide=1}; {lock=[{pin=example}] tags=[example] wide=1}",
		"{lock=[{pin=example}] open=true tags=? wide=1}; " +
			"{lock=[{pin=example}] open=true tags=[example example2] wide=1}; {lock=[{pin=example}] open=true wide=1}; " +
			"{lock=[{pin=example}] open=true wide=1}",
		"{lock=[{pin=example}] open=true tags=[?] wide=1}; {lock=[{pin=example}] open=true tags=[example2] wide=1}",
		"{lock=[{pin=example}] open=true tags=[example] wide=?}; {lock=[{pin=example}] open=true tags=[example] wide=2}",
		"{lock=[{pin=?}] open=true tags=[example] wide=1}; " +
			"{lock=[{pin=example2}] open=true tags=[example] wide=1}; {lock=[{}] open=true tags=[example] wide=1}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s", strings.Join(got, "\n"))
	}
}

func TestMatchesFitThePattern(t *testing.T) {
	for pattern, want := range map[string][]string{
		`^[a-z]{2}-\d+$`:             {"aa-1", "aa-11", "aa-11111111"},
		`^(?:x|y)[^a-z]?$`:           {"x", "x1"},
		`^(?!aws)[a-z0-9]{1,3}$`:     {"a", "aa", "aaa"},
		`^arn:aws:s3:::.+/\*$`:       {"arn:aws:s3:::a/*", "arn:aws:s3:::aa/*", "arn:aws:s3:::aaaaaaaa/*"},
		`^[\p{Greek}]$`:              {"Ͱ"},
		`(`:                          nil,
		`^a{1000}b{1000}[c-d]{1000}`: {strings.Repeat("a", 1000) + strings.Repeat("b", 1000) + strings.Repeat("c", 1000)},
	} {
		if got := matches(pattern, limits{}); !slices.Equal(got, want) {
			t.Errorf("%s: %q", pattern, got)
		}
	}
}

func TestGuessesFollowNamesAndDescriptions(t *testing.T) {
	for _, test := range []struct {
		name, description string
		ty                cty.Type
		want              string
	}{
		{"cidr_block", "", cty.String, "10.0.0.0/16"},
		{"port", "", cty.Number, "443"},
		{"webhook_url", "", cty.String, "https://example.com"},
		{"contact_email", "", cty.String, "user@example.com"},
		{"expires_at", "", cty.String, "2030-01-02T03:04:05Z"},
		{"anything", "An RFC3339 timestamp.", cty.String, "2030-01-02T03:04:05Z"},
		{"timeout", "", cty.String, "1s"},
		{"wait", "For example, `30s` for 30 seconds or `5m` for 5 minutes.", cty.String, "1s"},
		{"mode", "Valid values are `fast`, `slow`.", cty.String, "fast"},
		{"mode", `One of "fast" or "slow".`, cty.String, "fast"},
		{"mode", "Possible values are:\n  - `slow`: the default\n  - `fast`", cty.String, "slow"},
		{"mode", "The mode, see [here](https://example.com).", cty.String, "example"},
		{"count", "Must be one of [3, 5].", cty.Number, "3"},
		{"anything", "", cty.String, "example"},
		{"enabled", "", cty.Bool, "true"},
		{"anything", "", cty.DynamicPseudoType, "example"},
	} {
		s := &Slot{Path: test.name, Name: test.name, description: test.description}
		s.setType(test.ty)
		if got := shownPlain(guessesOf(s)[0]); got != test.want {
			t.Errorf("%s %s: %s", test.name, test.description, got)
		}
	}
}
