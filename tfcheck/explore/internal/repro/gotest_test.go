package repro

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

func TestGoTest(t *testing.T) {
	schema, providerSchema := Compiled(exploretest.Server), Compiled(exploretest.ProviderBlock)
	for _, test := range []struct {
		about        string
		kind         scenario.Kind
		config, then map[string]any
		provider     map[string]any
		naming       Naming
		how          Fault
		want         string
	}{
		{about: "one plan", kind: scenario.Resource, config: map[string]any{"name": "a"}, how: Fault{Rule: "plan-not-config", About: "plan-not-config at .name\nof a server"}, want: `
package provider_test

import (
	"testing"

	"github.com/objchange/objchange/tfcheck/driver"
)

// plan-not-config at .name
// of a server
//
// Change the package and factories to the package and the ProtoV6ProviderFactories of your acceptance tests.
func TestCloudServerPlanNotConfig(t *testing.T) {
	d := driver.Test6(t, factories, "cloud", nil)
	d.Lifecycle(t, "cloud_server").Plan(map[string]any{"name": "a"})
}
`},
		{about: "two plans", kind: scenario.Resource,
			config:   map[string]any{"name": UnknownStr, "size": 1.5, "password": UnknownStr, "pin": 1234, "keys": []any{"a"}},
			then:     map[string]any{"name": "a", "size": 1.5, "password": "secret", "pin": 1234, "keys": []any{"a"}},
			provider: map[string]any{"region": "eu", "token": "secret"}, naming: Naming{Protocol: 5, Address: "acme/cloud-beta", Hides: func(scope, slot string) bool {
				return scope == "cloud_server" || scope == "provider" && slot == "token"
			}},
			how: Fault{Rule: "inconsistent-plan", Severity: objchange.Tolerated}, want: `
package provider_test

import (
	"testing"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/zclconf/go-cty/cty"
)

// Change the package and factories to the package and the ProtoV5ProviderFactories of your acceptance tests.
func TestCloudServerInconsistentPlan(t *testing.T) {
	d := driver.Test5(t, factories, "cloud-beta", map[string]any{"region": "eu", "token": "(secret)"}, driver.ReportTo(tfcheck.FailAll(t)))
	d.Lifecycle(t, "cloud_server").Replan(
		map[string]any{
			"keys":     "(secret)",
			"name":     "a",
			"password": "(secret)",
			"pin":      "(secret)",
			"size":     cty.MustParseNumberVal("1.5"),
		},
		driver.Initially(map[string]any{
			"keys":     "(secret)",
			"name":     cty.UnknownVal(cty.String),
			"password": cty.UnknownVal(cty.String),
			"pin":      "(secret)",
			"size":     cty.MustParseNumberVal("1.5"),
		}),
	)
}
`},
		{about: "long", kind: scenario.Data, config: map[string]any{
			"name": "a\xff", "rule": []any{map[string]any{"port": 1}, map[string]any{}}, "tags": map[string]any{"a": nil, "b": "x"}, "any": cty.ListValEmpty(cty.String), "disk": map[string]any{},
			"size": cty.MustParseNumberVal("1e30"),
		}, how: Fault{Rule: "crash"}, want: `
package provider_test

import (
	"testing"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/zclconf/go-cty/cty"
)

// Change the package and factories to the package and the ProtoV6ProviderFactories of your acceptance tests.
func TestCloudServerCrash(t *testing.T) {
	d := driver.Test6(t, factories, "cloud", nil)
	d.Data(t, "cloud_server", map[string]any{
		"any":  cty.ListValEmpty(cty.String),
		"disk": map[string]any{},
		"name": "a\xff",
		"rule": []any{map[string]any{"port": 1}, map[string]any{}},
		"size": cty.MustParseNumberVal("1e+30"),
		"tags": map[string]any{"a": nil, "b": "x"},
	})
}
`},
		{about: "configuration", kind: scenario.Configuration, config: map[string]any{"region": ""}, how: Fault{Rule: "crash"}, want: `
package provider_test

import (
	"testing"

	"github.com/objchange/objchange/tfcheck/driver"
)

// Change the package and factories to the package and the ProtoV6ProviderFactories of your acceptance tests.
func TestCloudCrash(t *testing.T) {
	driver.Test6(t, factories, "cloud", map[string]any{"region": ""})
}
`},
		{about: "function", kind: scenario.Function, config: map[string]any{"argument_1": "a", "argument_3": []any{1}, "variadic": []any{"b", nil}},
			naming: Naming{Name: "cloud"}, how: Fault{Rule: "type-mismatch"}, want: `
package provider_test

import (
	"testing"

	"github.com/objchange/objchange/tfcheck/driver"
)

// Change the package and factories to the package and the ProtoV6ProviderFactories of your acceptance tests.
func TestParseTypeMismatch(t *testing.T) {
	d := driver.Test6(t, factories, "cloud", nil)
	d.Function(t, "parse", "a", nil, []any{1}, "b", nil)
}
`},
	} {
		t.Run(test.about, func(t *testing.T) {
			n, schema, typeName := test.naming, schema, "cloud_server"
			n.Schema = providerSchema
			switch test.kind {
			case scenario.Configuration:
				schema, typeName = providerSchema, "cloud"
			case scenario.Function:
				schema, typeName = Compiled(parse), "parse"
			}
			s := scenario.Scenario{Kind: test.kind, TypeName: typeName, Schema: schema,
				Steps: []scenario.Step{{Config: exploretest.ValueOf(t, schema, test.config), Then: exploretest.ValueOf(t, schema, test.then)}}, Provider: exploretest.ValueOf(t, providerSchema, test.provider)}
			file, function := GoTest(s, n, test.how, TestNames{})
			if diff := gocmp.Diff(strings.TrimPrefix(test.want, "\n"), file); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if !strings.HasPrefix(function, "func Test") || !strings.HasSuffix(file, "\n"+function) {
				t.Errorf("the function is\n%s", function)
			}
		})
	}
}

// TestGoTestOfAnyText checks that the test is valid Go with any text and any type name of a
// provider.
func TestGoTestOfAnyText(t *testing.T) {
	schema := Compiled(&configschema.Block{})
	for typeName, about := range map[string]string{
		"ärger_über": "a\x00b\ufeffc\r\xff\u202e", "": "*/ //go:build x", "\xff\xfe": "", "日本_1": "\n\n//\n\u2028", "cloud_*/": "`\"",
	} {
		s := scenario.Scenario{Kind: scenario.Resource, TypeName: typeName, Schema: schema, Steps: []scenario.Step{{Config: schema.EmptyValue()}}}
		text, _ := GoTest(s, Naming{}, Fault{Path: ".Ä[\x00]", Rule: "crash", About: about}, TestNames{})
		if _, err := parser.ParseFile(token.NewFileSet(), "a_test.go", text, parser.ParseComments); err != nil || !strings.Contains(text, "func Test") {
			t.Errorf("%q: %v\n%s", typeName, err, text)
		}
	}
	if got := camelCase("ärger_über-x"); got != "ÄrgerÜberX" {
		t.Error(got)
	}
}

// TestGoTestNames checks that all tests of a result can be in one package.
func TestGoTestNames(t *testing.T) {
	schema, names := Compiled(&configschema.Block{}), TestNames{}
	for _, test := range []struct{ typeName, want string }{
		{"a_b", "TestABCrash"}, {"a_b", "TestABCrash_2"}, {"a_b_2", "TestAB2Crash"}, {"a_b", "TestABCrash_3"},
	} {
		s := scenario.Scenario{Kind: scenario.Resource, TypeName: test.typeName, Schema: schema, Steps: []scenario.Step{{Config: schema.EmptyValue()}}}
		if text, _ := GoTest(s, Naming{}, Fault{Rule: "crash"}, names); !strings.Contains(text, "func "+test.want+"(") {
			t.Errorf("want %s, got %s", test.want, text)
		}
	}
}

// literals contains configurations in the form that GoTest writes, by the number of the scenario.
// TestGoCodeHasTheValues adds a file that sets them.
var literals map[int]any

// TestGoCodeHasTheValues checks that the Go code contains the values of a scenario, for random schemas and
// values.
func TestGoCodeHasTheValues(t *testing.T) {
	const n = 60
	scenarioOf := func(i int) scenario.Scenario { return anyScenario(t, generate.Seeded(2, uint64(i))) }
	exact := func(s scenario.Scenario) bool { _, exact, _ := hclOf(s, s.Last(), Naming{}, 0); return exact } // the types of nulls are exact
	if literals != nil {
		for i, data := range literals {
			s := scenarioOf(i)
			if v, err := driver.ValueOf(s.Schema.Block(), data); err != nil || exact(s) && !sent(t, s.Schema, v).RawEquals(sent(t, s.Schema, s.Last().Config)) {
				t.Errorf("scenario %d: %v\ngot  %#v\nwant %#v", i, err, v, s.Last().Config)
			}
		}
		t.Logf("compared %d", len(literals))
		return
	}
	if testing.Short() {
		t.Skip("compiles a test")
	}
	w := &goWriter{imports: map[string]bool{}}
	text := "package repro\n\nimport \"github.com/zclconf/go-cty/cty\"\n\nvar _ cty.Value\n\nfunc init() {\n	literals = map[int]any{\n"
	for i := range n {
		s := scenarioOf(i)
		text += fmt.Sprintf("%d: %s,\n", i, w.config("", s.Schema, s.Last().Config))
	}
	out, err := overlaid(t, ".", map[string]string{"literals_test.go": text + "}\n}\n"}, "-run", "^TestGoCodeHasTheValues$", "-v")
	if err != nil || !strings.Contains(out, fmt.Sprintf("compared %d", n)) {
		t.Errorf("%v\n%s", err, out)
	}
}

// overlaid runs the tests in a folder together with additional files.
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

// TestGoTestFails checks that the test for a finding of each kind compiles, and fails for a
// provider with the fault. Package livetest runs the tests for more faults.
func TestGoTestFails(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles tests")
	}
	thing := Compiled(&configschema.Block{Attributes: Attrs{"name": Attr(cty.String, "optional")}})
	text := Compiled(&configschema.Block{Attributes: Attrs{"argument_1": Attr(cty.String, "required")}})
	tests, wants := map[string]string{}, map[string]string{}
	for kind, of := range map[scenario.Kind]struct {
		typeName string
		schema   *objchange.Schema
		config   cty.Value
		want     string // part of the output
	}{
		scenario.Resource:      {"odd_thing", thing, Object(Obj{"name": Str("a")}), "ValidateResourceConfig"},
		scenario.Data:          {"odd_thing", thing, Object(Obj{"name": Str("a")}), "ValidateDataResourceConfig"},
		scenario.Ephemeral:     {"odd_thing", thing, Object(Obj{"name": Str("a")}), "ValidateEphemeralResourceConfig"},
		scenario.Configuration: {"odd", thing, Object(Obj{"name": Str("a")}), "panic: odd"},
		scenario.Function:      {"parse", text, Object(Obj{"argument_1": Str("a")}), "[type-mismatch]"},
	} {
		s := scenario.Scenario{Kind: kind, TypeName: of.typeName, Schema: of.schema, Steps: []scenario.Step{{Config: of.config}}}
		name := string(kind) + "_test.go"
		tests[name], _ = GoTest(s, Naming{Name: "odd", Schema: thing}, Fault{Rule: string(kind)}, TestNames{})
		wants["Test"+camelCase(of.typeName+"-"+string(kind))] = of.want
	}
	run := filepath.Join(t.TempDir(), "odd.test")
	if out, err := overlaid(t, "testdata/odd", tests, "-c", "-o", run); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range wants {
		out, err := exec.CommandContext(t.Context(), run, "-test.run", "^"+name+"$").CombinedOutput()
		if err == nil || !strings.Contains(string(out), "FAIL: "+name) || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
