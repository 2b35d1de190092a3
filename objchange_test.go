package objchange_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	. "github.com/objchange/objchange/internal/testcty"
)

// Start here: TestWholeLifecycle calls every function of the package for the lifecycle of one server.
const serverSchemas = `{"format_version": "1.0", "provider_schemas": {"example.com/acme/acme": {"resource_schemas": {
	"acme_server": {"version": 1, "block": {
		"attributes": {
			"id":    {"type": "string", "computed": true},
			"image": {"type": "string", "optional": true, "computed": true},
			"name":  {"type": "string", "required": true},
			"token": {"type": "string", "optional": true, "sensitive": true}
		},
		"block_types": {
			"address": {"nesting_mode": "list", "block": {"computed": true, "attributes": {"ip": {"type": "string", "computed": true}}}},
			"disk": {"nesting_mode": "list", "block": {"attributes": {
				"device": {"type": "string", "computed": true}, "size": {"type": "number", "required": true}}}}
		}
	}}
}}}}`

func TestWholeLifecycle(t *testing.T) {
	schemas, err := configschema.ParseProviderSchemas([]byte(serverSchemas))
	if err != nil {
		t.Fatal(err)
	}
	resource, err := schemas.Resource("example.com/acme/acme", "acme_server")
	if err != nil {
		t.Fatal(err)
	}
	server, err := objchange.Compile(resource.Block)
	if err != nil {
		t.Fatal(err)
	}
	// Values are written as JSON. Missing attributes and blocks have their empty value: null,
	// or no blocks. "?" means an unknown value.
	read := func(text string) cty.Value {
		t.Helper()
		var plain any
		if err := json.Unmarshal([]byte(text), &plain); err != nil {
			t.Fatal(err)
		}
		v, err := ctydata.ValueOf(resource.Block, withUnknown(plain))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	named, err := ctydata.ValueOfJSON(resource.Block, []byte(`{"name": "web"}`))
	ExpectValue(t, named, err, read(`{"name": "web", "image": null}`))
	ExpectValue(t, server.EmptyValue(), nil, read(`{}`))

	nothing := cty.NullVal(cty.DynamicPseudoType)
	web := read(`{"disk": [{"size": 10}], "name": "web", "token": "s3cret"}`)
	does := func(got, want objchange.Action) {
		t.Helper()
		if got != want {
			t.Errorf("the plan is to %s, not to %s", got, want)
		}
	}
	created := read(`{"address": [{"ip": "10.0.0.1"}], "disk": [{"device": "sda", "size": 10}], "id": "i-1", "image": "debian", "name": "web", "token": "s3cret"}`)

	t.Run("create", func(t *testing.T) {
		// The configuration is checked against the schema. Then the attributes that the
		// provider may choose are planned as unknown.
		Expect(t, objchange.AssertConfigValid(server, read(`{"id": "i-0"}`)), ".id config-computed-only", ".name config-required")
		Expect(t, objchange.AssertConfigValid(server, web))
		prepared, err := objchange.PrepareComputedBlocks(server, web)
		ExpectValue(t, prepared, err, read(`{"address": null, "disk": [{"size": 10}], "name": "web", "token": "s3cret"}`))
		proposed, err := objchange.ProposedNew(server, nothing, prepared)
		ExpectValue(t, proposed, err, read(`{"address": null, "disk": [{"size": 10}], "name": "web", "token": "s3cret"}`))

		// The provider plans. This provider makes no decisions.
		planned, err := objchange.PlanComputed(server, proposed)
		ExpectValue(t, planned, err, read(`{"address": "?", "disk": [{"device": "?", "size": 10}], "id": "?", "image": "?", "name": "web", "token": "s3cret"}`))
		Expect(t, objchange.AssertPlanValid(server, nothing, prepared, planned))
		Expect(t, objchange.AssertPlanValid(server, nothing, prepared, read(`{"id": "?", "name": "WEB", "token": "s3cret"}`)),
			".disk plan-count", ".name plan-not-config")
		does(objchange.PlanAction(nothing, planned, false), objchange.ActionCreate)

		// The provider plans again after all values are known, and then applies the plan.
		final := read(`{"address": "?", "disk": [{"device": "sda", "size": 10}], "id": "?", "image": "debian", "name": "web", "token": "s3cret"}`)
		Expect(t, objchange.AssertConfigConsistent(server, web, web))
		Expect(t, objchange.AssertPlanConsistent(server, planned, final))
		Expect(t, objchange.AssertApplyConsistent(server, final, created))
		Expect(t, objchange.AssertApplyConsistent(server, final, read(`{"disk": [{"device": "sdb", "size": 10}], "id": "?", "image": "debian", "name": "web", "token": "s3cret"}`)),
			".disk[0].device inconsistent-value", ".id state-unknown")
	})

	t.Run("create, half of it", func(t *testing.T) {
		planned := read(`{"disk": [{"device": "?", "size": 10}], "id": "?", "name": "web"}`)
		state, tainted, err := objchange.PartialState(server, nothing, planned, read(`{"disk": [{"device": "?", "size": 10}], "id": "i-1", "name": "web"}`))
		ExpectValue(t, state, err, read(`{"disk": [{"size": 10}], "id": "i-1", "name": "web"}`))
		if !tainted {
			t.Error("the partial state of a failed create is not tainted")
		}
	})

	t.Run("read", func(t *testing.T) {
		// The legacy SDK does not distinguish null blocks from empty blocks.
		normal, err := objchange.NormalizeLegacySDK(server, read(`{"disk": null, "id": "i-1", "name": "web"}`))
		ExpectValue(t, normal, err, read(`{"id": "i-1", "name": "web"}`))
		Expect(t, objchange.AssertStateValid(server, created))
		Expect(t, objchange.AssertStateValid(server, read(`{"disk": null, "id": "?"}`)), ".disk state-null-blocks?", ".id state-unknown")
	})

	t.Run("update", func(t *testing.T) {
		// The user adds a disk. Values that the provider chose before are kept, but blocks that
		// it supplied are planned again.
		config := read(`{"address": null, "disk": [{"size": 10}, {"size": 50}], "name": "web", "token": "other"}`)
		proposed, err := objchange.ProposedNew(server, created, config)
		ExpectValue(t, proposed, err, read(`{"address": null, "disk": [{"device": "sda", "size": 10}, {"size": 50}], "id": "i-1", "image": "debian", "name": "web", "token": "other"}`))
		planned, err := objchange.PlanComputed(server, proposed)
		ExpectValue(t, planned, err, read(`{"address": "?", "disk": [{"device": "sda", "size": 10}, {"device": "?", "size": 50}], "id": "i-1", "image": "debian", "name": "web", "token": "other"}`))
		changes, err := objchange.Diff(server, created, planned)
		var lines []string
		for _, change := range changes {
			lines = append(lines, change.String())
		}
		want := []string{
			`~ .address: [{ip = "10.0.0.1"}] -> (known after apply)`,
			`+ .disk[1].device = (known after apply)`,
			`+ .disk[1].size = 50`,
			`~ .token: (sensitive)`,
		}
		if diff := cmp.Diff(want, lines); diff != "" || err != nil {
			t.Error(diff, err)
		}
	})

	t.Run("update, but not of all", func(t *testing.T) {
		// ignore_changes = [name], and ignore_changes = all.
		config := read(`{"image": "ubuntu", "name": "db"}`)
		ignored, err := objchange.IgnoreChanges(server, created, config, []cty.Path{cty.GetAttrPath("name")})
		ExpectValue(t, ignored, err, read(`{"image": "ubuntu", "name": "web"}`))
		ignored, err = objchange.IgnoreAllChanges(server, created)
		ExpectValue(t, ignored, err, read(`{"address": [{}], "disk": [{"size": 10}], "image": "debian", "name": "web", "token": "s3cret"}`))
	})

	t.Run("replace", func(t *testing.T) {
		// The provider says that a change of image or name requires replacement.
		planned := read(`{"disk": [{"device": "?", "size": 10}], "id": "?", "image": "ubuntu", "name": "web", "token": "s3cret"}`)
		required, found := objchange.RequiredReplace(server, created, planned, []cty.Path{cty.GetAttrPath("image"), cty.GetAttrPath("name")})
		Expect(t, found)
		if len(required) != 1 || objchange.PathString(required[0]) != ".image" {
			t.Error(required)
		}
		does(objchange.PlanAction(created, planned, len(required) > 0), objchange.ActionReplace)
	})

	t.Run("delete", func(t *testing.T) {
		proposed, err := objchange.ProposedNew(server, created, nothing)
		ExpectValue(t, proposed, err, read(`null`))
		Expect(t, objchange.AssertPlanValid(server, created, nothing, created), " plan-present")
		does(objchange.PlanAction(created, nothing, false), objchange.ActionDelete)
	})

	t.Run("a data source", func(t *testing.T) {
		planned, err := objchange.PlannedDataResource(server, read(`{"address": null, "name": "web"}`))
		ExpectValue(t, planned, err, read(`{"address": null, "id": "?", "image": "?", "name": "web"}`))
	})

	t.Run("all checks of a lifecycle", func(t *testing.T) {
		Expect(t, objchange.Lifecycle{
			Schema: server, Prior: nothing, Config: web, New: read(`{"id": "?", "name": "web"}`),
			InitialPlanned: read(`{"id": "?", "name": "WEB", "disk": [{"device": "?", "size": 10}], "token": "s3cret"}`),
		}.Check(), ".name plan-not-config", ".disk inconsistent-count", ".id state-unknown", ".name inconsistent-value", ".token inconsistent-sensitive")
	})

	t.Run("the information of a rule", func(t *testing.T) {
		if rule := objchange.Rules()[0]; rule.Info().Rule != rule || rule.Info().Meaning != "the schema and the values must be usable" {
			t.Error(rule, rule.Info())
		}
	})
}

// withUnknown makes values from plain data: "?" becomes an unknown value, and null becomes
// null, also for blocks.
func withUnknown(plain any) any {
	switch data := plain.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType)
	case map[string]any:
		for name, inner := range data {
			data[name] = withUnknown(inner)
		}
	case []any:
		for i, inner := range data {
			data[i] = withUnknown(inner)
		}
	case string:
		if data == "?" {
			return cty.DynamicVal
		}
	}
	return plain
}

// TestWholeLifecycleCallsEveryFunction checks that the test above calls every function of the package.
func TestWholeLifecycleCallsEveryFunction(t *testing.T) {
	shown := map[string]bool{}
	ast.Inspect(parseFile(t, "objchange_test.go"), func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.SelectorExpr); ok {
				shown[f.Sel.Name] = true
			}
		}
		return true
	})
	for _, name := range ExportedFunctions(t, ".") {
		if !shown[name] {
			t.Errorf("the message does not contain %s", name)
		}
	}
}

func parseFile(t *testing.T, name string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
