package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/driver"
)

// A refuser returns the errors of a provider for a configuration, or no errors if it accepts the
// configuration.
type refuser func(config cty.Value) []driver.Diagnostic

func refuse1(path cty.Path, format string, args ...any) []driver.Diagnostic {
	return []driver.Diagnostic{{Error: true, Summary: fmt.Sprintf(format, args...), Path: path}}
}

// triesUntil returns the number of tries until a configuration was accepted, or 0 if none was.
func triesUntil(k *Knowledge, config cty.Value, refuse refuser) (int, cty.Value) {
	for n := 1; ; n++ {
		diags := refuse(config)
		if diags != nil && len(diags) == 0 {
			return n, config
		}
		next, ok := k.Learn(config, diags)
		if !ok {
			return 0, cty.NilVal
		}
		config = next
	}
}

var accept = []driver.Diagnostic{}

// text returns a string attribute of the configuration, or "" if it is null.
func text(config cty.Value, name string) string {
	if v := config.GetAttr(name); !v.IsNull() {
		return v.AsString()
	}
	return ""
}

func TestSearchFindsAcceptedConfiguration(t *testing.T) {
	for _, test := range []struct {
		name   string
		full   bool
		refuse refuser
		most   int    // maximum number of tries
		want   string // optional attributes of the accepted configuration
	}{
		{"several demands on one value", false, func(c cty.Value) []driver.Diagnostic {
			switch name := text(c, "name"); {
			case !strings.HasPrefix(name, "db-"):
				return refuse1(cty.GetAttrPath("name"), `name must begin with "db-"`)
			case len(name) < 12:
				return refuse1(cty.GetAttrPath("name"), "expected length of name to be in the range (12 - 20), got %s", name)
			}
			return accept
		}, 4, ""},
		{"a format with placeholders", false, func(c cty.Value) []driver.Diagnostic {
			if parts := strings.Split(text(c, "name"), "--"); len(parts) != 3 || !strings.Contains(parts[1], "-") || parts[2] != "disk" {
				return refuse1(cty.GetAttrPath("name"), "name must be in the format [disk_name]--[zone]--disk. Use disk_name for others")
			}
			return accept
		}, 5, ""},
		{"only the second of two works", false, func(c cty.Value) []driver.Diagnostic {
			switch image := text(c, "image"); {
			case image == "" && text(c, "snapshot") == "":
				return refuse1(nil, "one of `image,snapshot` must be specified")
			case image != "":
				return refuse1(cty.GetAttrPath("image"), "image %q does not exist", image)
			}
			return accept
		}, 12, "snapshot=example"},
		{"two messages that say the same", false, func(c cty.Value) []driver.Diagnostic {
			image, snapshot := text(c, "image") != "", text(c, "snapshot") != ""
			if image != snapshot {
				return accept
			}
			return append(refuse1(cty.GetAttrPath("image"), "\"image\": one of `image,snapshot` must be specified"),
				refuse1(cty.GetAttrPath("snapshot"), "\"snapshot\": one of `image,snapshot` must be specified")...)
		}, 2, "image=example"},
		{"a crash until something is set", false, func(c cty.Value) []driver.Diagnostic {
			if c.GetAttr("disk").LengthInt() == 0 {
				return nil
			}
			return accept
		}, 4, "disk=[{}]"},
		{"words without a path", false, func(c cty.Value) []driver.Diagnostic {
			if text(c, "image_id") == "" {
				return refuse1(nil, "no idea where to find an image id")
			}
			return accept
		}, 3, "image_id=example-1"},
		{"one thing too much, unnamed", true, func(c cty.Value) []driver.Diagnostic {
			if text(c, "snapshot") != "" {
				return refuse1(nil, "boom")
			}
			return accept
		}, 12, ""},
		{"conflicts in everything", true, func(c cty.Value) []driver.Diagnostic {
			if text(c, "snapshot") != "" && text(c, "image") != "" {
				return refuse1(cty.GetAttrPath("image"), `"image": conflicts with snapshot`)
			}
			return accept
		}, 2, ""},
		{"an optional value that nothing pleases", true, func(c cty.Value) []driver.Diagnostic {
			if image := text(c, "image"); image != "" {
				return refuse1(cty.GetAttrPath("image"), "bad image %q", image)
			}
			return accept
		}, maxSame + 2, ""},
	} {
		k := newTestKnowledge(machine)
		first := k.Minimal
		if test.full {
			first = k.Full
		}
		n, config := triesUntil(k, first(), test.refuse)
		if n == 0 || n > test.most {
			t.Errorf("%s: accepted after %d tries: %s", test.name, n, k.Unreached())
			continue
		}
		if test.full {
			if !strings.Contains(brief(config), "enable_ha=true") {
				t.Errorf("%s: it gave up too much: %s", test.name, brief(config))
			}
			continue
		}
		minimal := newTestKnowledge(machine).Minimal()
		if got := difference(config, minimal); !strings.HasSuffix(got, test.want) {
			t.Errorf("%s: got %s", test.name, got)
		}
	}
}

// TestErrorsAboutProviderConfigurationAreFound checks that explore finds errors about the
// provider's configuration among the errors of a resource.
func TestErrorsAboutProviderConfigurationAreFound(t *testing.T) {
	k := newTestKnowledge(&configschema.Block{Attributes: map[string]*configschema.Attribute{
		"region": {Type: cty.String, Optional: true}, "enable_beta": {Type: cty.Bool, Optional: true},
		"experiments": {Type: cty.List(cty.String), Optional: true, Description: "What is tried out. Available experiments: [iam]"},
	}})
	for text, want := range map[string]string{
		"no region was provided, available regions are: [eu01]": "{region=eu01}",
		`set the "enable_beta" argument of the provider`:        "{enable_beta=true}",
		"part of the iam experiment, which is disabled":         "{experiments=[iam]}",
		"the image does not exist":                              "",
	} {
		config := k.Minimal()
		diags := refuse1(nil, "%s", text)
		if got := k.Concerns(config, diags); got != (want != "") {
			t.Errorf("%s: %v", text, got)
		}
		if want == "" {
			continue
		}
		if next, _ := k.Learn(config, diags); brief(next) != want {
			t.Errorf("%s: %s", text, brief(next))
		}
	}
}

// TestCredentialsAreSet checks the settings that providers require before a plan: credentials, and
// skipping the requests that validate them.
func TestCredentialsAreSet(t *testing.T) {
	cloud := &configschema.Block{
		Attributes: map[string]*configschema.Attribute{
			"access_key": {Type: cty.String, Optional: true}, "secret_key": {Type: cty.String, Optional: true}, "shared_credentials_file": {Type: cty.String, Optional: true},
			"skip_credentials_validation": {Type: cty.Bool, Optional: true}, "skip_requesting_account_id": {Type: cty.Bool, Optional: true},
		},
		BlockTypes: map[string]*configschema.NestedBlock{"endpoints": {Nesting: configschema.NestingSet, Block: configschema.Block{
			Attributes: map[string]*configschema.Attribute{"latest": {Type: cty.String, Optional: true}, "operation": {Type: cty.String, Optional: true}},
		}}},
	}
	n, config := triesUntil(newTestKnowledge(cloud), newTestKnowledge(cloud).Minimal(), func(c cty.Value) []driver.Diagnostic {
		switch {
		case text(c, "access_key") == "" || text(c, "secret_key") == "":
			return refuse1(nil, `no valid credential sources found: operation error: Get "http://192.0.2.1/latest/credentials": exceeded`)
		case c.GetAttr("skip_credentials_validation").IsNull() || c.GetAttr("skip_requesting_account_id").IsNull():
			return refuse1(nil, "asking who that is: dial tcp: network is unreachable")
		}
		return accept
	})
	const want = "{access_key=Example-Passw0rd-123456 secret_key=example skip_credentials_validation=true skip_requesting_account_id=true}"
	if got := brief(config); n != 3 || got != want {
		t.Errorf("after %d tries: %s", n, got)
	}
}

// TestHintsHavePriority checks that hints have priority over guessed and learned values.
func TestHintsHavePriority(t *testing.T) {
	hints := map[string][]cty.Value{
		"name": {cty.StringVal("mine")}, "size": {cty.StringVal("77")}, "rule.port": {cty.NumberIntVal(1)},
		"zones": {cty.TupleVal([]cty.Value{cty.StringVal("x"), cty.StringVal("y")})}, "labels": {cty.StringVal("no bool")},
	}
	k := New(Compiled(machine), func(slot string) []cty.Value { return hints[slot] }, rand.New(rand.NewPCG(1, 2)))
	const want = "{labels={key1=true} name=mine rule=[{port=1}] size=77 zones=[x y]}"
	if got := brief(k.Minimal()); got != want {
		t.Error(got)
	}
	k.Learn(k.Minimal(), refuse1(cty.GetAttrPath("size"), "expected size to be one of [1 2], got 77"))
	k.refusals = nil
	if got := brief(k.Minimal()); got != want {
		t.Error("after a refusal:", got)
	}
}

// TestAcceptedValuesAreUsedFirst checks that accepted values are used first, and that slots that
// exclude each other are not set together.
func TestAcceptedValuesAreUsedFirst(t *testing.T) {
	k := newTestKnowledge(machine)
	config := k.Minimal()
	config = k.with(config, k.root.named("name"), cty.StringVal("accepted"))
	k.Accepted(config)
	if k.Unreached() != "" {
		t.Error(k.Unreached())
	}
	k.Learn(k.Full(), refuse1(cty.GetAttrPath("image"), `"image": conflicts with snapshot`))
	full := k.Full()
	if text(full, "name") != "accepted" || text(full, "image") == "" || text(full, "snapshot") != "" {
		t.Error(brief(full))
	}
	for v := range k.Variations(full) {
		if text(v.Config, "image") != "" && text(v.Config, "snapshot") != "" {
			t.Error(brief(v.Config))
		}
	}
}

// TestLastRefusalIsReported checks that the last refusal is reported.
func TestLastRefusalIsReported(t *testing.T) {
	k := newTestKnowledge(machine)
	k.Learn(k.Minimal(), refuse1(cty.GetAttrPath("rule").Index(cty.UnknownVal(cty.DynamicPseudoType)).GetAttr("port"), "expected port\nto be better"))
	if got, want := k.Unreached(), "expected port to be better; give values for rule.port in the hints file"; got != want {
		t.Errorf("%q", got)
	}
}

// TestSearchIsDeterministic checks that the same calls give the same results, with diagnostics in any order.
func TestSearchIsDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema, err := objchange.Compile(anyBlock().Draw(t, "schema"))
		if err != nil {
			t.Skip(err)
		}
		diags := rapid.SliceOfN(anyDiagnostics, 8, 8).Draw(t, "diagnostics")
		seed := rapid.Uint64().Draw(t, "seed")
		once := func(backwards bool) string {
			var b strings.Builder
			k := New(schema, nil, rand.New(rand.NewPCG(seed, 1)))
			config := k.Full()
			for _, ds := range diags {
				if backwards {
					slices.Reverse(ds)
				}
				if next, ok := k.Learn(config, ds); ok {
					config = next
				}
				b.WriteString(brief(config) + "\n")
			}
			k.Accepted(config)
			for v := range k.Variations(config) {
				b.WriteString(brief(v.Config) + "\n")
				if b.Len() > 4000 {
					break
				}
			}
			b.WriteString(brief(k.Random([]cty.Value{config, k.Minimal()})) + k.Unreached())
			return b.String()
		}
		if one, two := once(false), once(true); one != two {
			t.Fatalf("%s\n\n%s", one, two)
		}
	})
}
