package explore

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/lawtest/generate"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/driver"
)

func TestGoTest(t *testing.T) {
	schema, providerSchema := compiled(t, server), compiled(t, providerBlock)
	for _, test := range []struct {
		about        string
		kind         Kind
		config, then map[string]any
		provider     map[string]any
		naming       naming
		how          reproduction
		want         string
	}{
		{about: "one plan", kind: Resource, config: map[string]any{"name": "a"}, how: reproduction{rule: "plan-not-config", about: "plan-not-config at .name\nof a server"}, want: `
package provider_test

import (
	"testing"

	"github.com/objchange/objchange/tfcheck/driver"
)

// plan-not-config at .name
// of a server
func TestCloudServerPlanNotConfig(t *testing.T) {
	d := driver.Test6(t, factories["cloud"], nil)
	d.Life(t, "cloud_server").Plan(map[string]any{"name": "a"})
}
`},
		{about: "two plans", kind: Resource, config: map[string]any{"name": UnknownStr, "size": 1.5}, then: map[string]any{"name": "a", "size": 1.5},
			provider: map[string]any{"region": "eu", "token": "secret"}, naming: naming{protocol: 5, address: "acme/cloud-beta", hides: func(scope, slot string) bool { return scope == "provider" && slot == "token" }},
			how: reproduction{rule: "inconsistent-plan", all: true}, want: `
package provider_test

import (
	"os"
	"testing"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/zclconf/go-cty/cty"
)

func TestCloudServerInconsistentPlan(t *testing.T) {
	d := driver.Test5(t, factories["cloud-beta"], map[string]any{"region": "eu", "token": os.Getenv("TF_VAR_token")}, driver.ReportTo(tfcheck.FailAll(t)))
	d.Life(t, "cloud_server").Replan(map[string]any{"name": "a", "size": 1.5}, driver.Initially(map[string]any{"name": cty.UnknownVal(cty.String), "size": 1.5}))
}
`},
		{about: "long", kind: Data, config: map[string]any{
			"name": "a\xff", "rule": []any{map[string]any{"port": 1}, map[string]any{}}, "tags": map[string]any{"a": nil, "b": "x"}, "any": cty.ListValEmpty(cty.String), "disk": map[string]any{},
			"size": cty.MustParseNumberVal("1e30"),
		}, how: reproduction{rule: "crash"}, want: `
package provider_test

import (
	"testing"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/zclconf/go-cty/cty"
)

func TestCloudServerCrash(t *testing.T) {
	d := driver.Test6(t, factories["cloud"], nil)
	d.Data(t, "cloud_server", map[string]any{
		"any":  cty.ListValEmpty(cty.String),
		"disk": map[string]any{},
		"name": "a\xff",
		"rule": []any{map[string]any{"port": 1}, map[string]any{}},
		"size": cty.MustParseNumberVal("1000000000000000000000000000000"),
		"tags": map[string]any{"a": nil, "b": "x"},
	})
}
`},
		{about: "configuration", kind: Configuration, config: map[string]any{"region": ""}, how: reproduction{rule: "crash"}, want: `
package provider_test

import (
	"testing"

	"github.com/objchange/objchange/tfcheck/driver"
)

func TestCloudCrash(t *testing.T) {
	driver.Test6(t, factories["cloud"], map[string]any{"region": ""})
}
`},
	} {
		t.Run(test.about, func(t *testing.T) {
			n, schema, typeName := test.naming, schema, "cloud_server"
			if n.schema = providerSchema; test.kind == Configuration {
				schema, typeName = providerSchema, "cloud"
			}
			s := scenario{kind: test.kind, typeName: typeName, schema: schema, config: valueOf(t, schema, test.config),
				then: valueOf(t, schema, test.then), provider: valueOf(t, providerSchema, test.provider)}
			if diff := gocmp.Diff(strings.TrimPrefix(test.want, "\n"), s.goTest(n, test.how)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// literals are configurations as goTest writes them, by the number of the scenario.
// TestGoLiterals adds a file that sets them.
var literals map[int]any

// Go has the values of a scenario, for random schemas and values.
func TestGoLiterals(t *testing.T) {
	const n = 60
	scenarioOf := func(i int) scenario { return anyScenario(t, generate.Seeded(2, uint64(i))) }
	exact := func(s scenario) bool { _, exact := s.hcl(naming{}); return exact } // the types of nulls are right
	if literals != nil {
		for i, data := range literals {
			s := scenarioOf(i)
			if v, err := driver.ValueOf(s.schema.Block(), data); err != nil || exact(s) && !sent(t, s.schema, v).RawEquals(sent(t, s.schema, s.config)) {
				t.Errorf("scenario %d: %v\ngot  %#v\nwant %#v", i, err, v, s.config)
			}
		}
		t.Logf("compared %d", len(literals))
		return
	}
	if testing.Short() {
		t.Skip("compiles a test")
	}
	w := &goWriter{needs: map[string]bool{}}
	text := "package explore\n\nimport \"github.com/zclconf/go-cty/cty\"\n\nvar _ cty.Value\n\nfunc init() {\n	literals = map[int]any{\n"
	for i := range n {
		s := scenarioOf(i)
		text += fmt.Sprintf("%d: %s,\n", i, w.config("", s.schema, s.config))
	}
	out, err := overlaid(t, ".", map[string]string{"literals_test.go": text + "}\n}\n"}, "-run", "^TestGoLiterals$", "-v")
	if err != nil || !strings.Contains(out, fmt.Sprintf("compared %d", n)) {
		t.Errorf("%v\n%s", err, out)
	}
}

// overlaid runs the tests in a folder with more files in it.
func overlaid(t *testing.T, dir string, files map[string]string, args ...string) (out string, err error) {
	t.Helper()
	to, replaced := t.TempDir(), map[string]string{}
	for name, text := range files {
		at, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		replaced[at] = filepath.Join(to, name)
		if err := os.WriteFile(replaced[at], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(to, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	printed, err := exec.CommandContext(t.Context(), "go", append([]string{"test", "-count=1", "-vet=off", "-overlay", list}, append(args, "./"+filepath.ToSlash(dir))...)...).CombinedOutput()
	return string(printed), err
}

const faulty = `package provider_test

import (
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck/livetest/frameworkprovider"
	"github.com/objchange/objchange/tfcheck/livetest/sdkprovider"
)

func TestMain(m *testing.M) {
	os.Setenv("TF_LOG_SDK", "off")
	m.Run()
}
`

// The test of a finding compiles, and fails with the rule for a provider that breaks it.
func TestGoTestFails(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles tests")
	}
	if _, err := os.Stat("../livetest/go.mod"); err != nil {
		t.Skip("this is not the repository, which has the faulty providers")
	}
	thing := &configschema.Block{Attributes: Attrs{"name": Attr(cty.String, "optional"), "size": Attr(cty.Number, "optional")}}
	schema := compiled(t, thing)
	name := func(name cty.Value) cty.Value { return Object(Obj{"name": name, "size": NoNum}) }
	for _, test := range []struct {
		typeName string
		protocol int
		how      reproduction
		config   cty.Value
		then     cty.Value
	}{
		{"fw_plan_not_config", 6, reproduction{rule: "plan-not-config"}, name(Str("a")), cty.NilVal},
		{"fw_inconsistent_unknown", 6, reproduction{rule: "inconsistent-unknown"}, name(UnknownStr), name(Str("a"))},
		{"sdk_plan_not_config", 5, reproduction{rule: "plan-not-config", all: true}, name(Str("a")), cty.NilVal},
	} {
		t.Run(test.typeName, func(t *testing.T) {
			s := scenario{kind: Resource, typeName: test.typeName, schema: schema, config: test.config, then: test.then}
			factories := `var factories = map[string]func() (tfprotov6.ProviderServer, error){"fw": func() (tfprotov6.ProviderServer, error) { return frameworkprovider.Server(), nil }}
var _ = sdkprovider.Server; type _ tfprotov5.Schema`
			if test.protocol == 5 {
				factories = `var factories = map[string]func() (tfprotov5.ProviderServer, error){"sdk": func() (tfprotov5.ProviderServer, error) { return sdkprovider.Server(), nil }}
var _ = frameworkprovider.Server; type _ tfprotov6.Schema`
			}
			out, err := overlaid(t, "../livetest/testdata", map[string]string{"found_test.go": s.goTest(naming{protocol: test.protocol}, test.how), "factories_test.go": faulty + factories})
			if err == nil || !strings.Contains(out, "FAIL: Test"+camelCase(test.typeName)) || !strings.Contains(out, "["+test.how.rule+"]") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
