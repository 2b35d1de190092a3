package explore

import (
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfconv"
)

// takeOver upgrades or moves a state with the takingOver function of the test.
func (c *cloud) takeOver(version int64, state *tfprotov6.RawState, from source) (*tfprotov6.DynamicValue, []*tfprotov6.Diagnostic, error) {
	var data map[string]any
	if err := json.Unmarshal(state.JSON, &data); err != nil {
		return nil, nil, err
	}
	taken, refused := c.takingOver(version, data, from)
	if refused != "" {
		return nil, errorOf(refused), nil
	}
	encoded, err := tfconv.Encode6(taken, taken.Type())
	return encoded, nil, err
}

func (c *cloud) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	state, diags, err := c.takeOver(req.Version, req.RawState, source{})
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: state, Diagnostics: diags}, err
}

func (c *cloud) MoveResourceState(_ context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	state, diags, err := c.takeOver(req.SourceSchemaVersion, req.SourceState, source{req.SourceProviderAddress, req.SourceTypeName})
	return &tfprotov6.MoveResourceStateResponse{TargetState: state, Diagnostics: diags}, err
}

// cloudObject returns an object of newCloud with nameAndSize.
func cloudObject(name cty.Value) cty.Value {
	return Object(Obj{"name": name, "size": cty.NullVal(cty.Number), "tag": cty.NullVal(cty.String)})
}

const (
	upgradeHint = `states: [{type: cloud_server, version: 3, state: {id: i-1, title: old, rules: [{port: 1}, {port: 2}], tags: {a: b}}}]`
	moveHint    = `states: [{type: cloud_server, state: {to: x}, about: a pair, from: {provider: registry.terraform.io/acme/old, type: old_server}}]`
)

// TestExploreStates checks that a fault in an upgraded or moved state is a finding with the
// smallest state, and that a refusal is a note.
func TestExploreStates(t *testing.T) {
	const refused = "resource cloud_server: state 1 of the hints was refused: "
	for name, test := range map[string]struct {
		hints  string
		taking func(version int64, state map[string]any, from source) (cty.Value, string)
		rule   objchange.Rule // rule of the finding, or ""
		call   string         // in the Go test
		notes  []string
	}{
		"well": {hints: upgradeHint, taking: func(int64, map[string]any, source) (cty.Value, string) { return cloudObject(Str("old")), "" }},
		"to null": {hints: upgradeHint, taking: func(int64, map[string]any, source) (cty.Value, string) {
			return cty.NullVal(cloudObject(Str("")).Type()), ""
		}},
		"to something unknown": {hints: upgradeHint, taking: func(version int64, state map[string]any, _ source) (cty.Value, string) {
			if rules, ok := state["rules"].([]any); ok && len(rules) > 0 && version == 3 {
				if rule, _ := rules[len(rules)-1].(map[string]any); rule["port"] == 2.0 {
					return cloudObject(UnknownStr), ""
				}
			}
			return cloudObject(Str("old")), ""
		}, rule: objchange.RuleStateUnknown, call: "UpgradeState(3, []byte(`{\"rules\":[{\"port\":2}]}`))"},
		"to another type": {hints: upgradeHint, taking: func(version int64, _ map[string]any, _ source) (cty.Value, string) {
			return Object(Obj{"name": Str("a")}), ""
		}, rule: objchange.RuleTypeMismatch, call: "UpgradeState(3, []byte(`{}`))"},
		"crash": {hints: upgradeHint, taking: func(_ int64, state map[string]any, _ source) (cty.Value, string) {
			if tags, ok := state["tags"].(map[string]any); ok && tags["a"] != nil && state["title"] == "old" {
				panic("old")
			}
			return cloudObject(Str("old")), ""
		}, rule: tfcheck.RuleCrash, call: "UpgradeState(3, []byte(`{\"tags\":{\"a\":\"b\"},\"title\":\"old\"}`))"},
		"refused": {hints: upgradeHint, taking: func(int64, map[string]any, source) (cty.Value, string) { return cty.NilVal, "too\nold" },
			notes: []string{refused + "too old"}},
		"hangs": {hints: upgradeHint, taking: func(int64, map[string]any, source) (cty.Value, string) {
			<-t.Context().Done()
			return cty.NilVal, ""
		}, notes: []string{refused + "the provider does not respond in time"}},
		"moved well": {hints: moveHint, taking: func(int64, map[string]any, source) (cty.Value, string) { return cloudObject(Str("x")), "" }},
		"moved to something unknown": {hints: moveHint, taking: func(_ int64, _ map[string]any, from source) (cty.Value, string) {
			if from == (source{"registry.terraform.io/acme/old", "old_server"}) {
				return cloudObject(UnknownStr), ""
			}
			return cloudObject(Str("x")), ""
		}, rule: objchange.RuleStateUnknown, call: `MoveState(driver.MoveSource{
		Provider: "registry.terraform.io/acme/old",
		TypeName: "old_server",
		Version:  0,
		State:    []byte(` + "`{}`" + `),
	})`},
		"not moved": {hints: moveHint, taking: func(int64, map[string]any, source) (cty.Value, string) { return cty.NilVal, "no" }, notes: []string{refused + "no"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCloud(t, Resource, nameAndSize)
			c.takingOver = test.taking
			r := c.mustExplore(t, WithHints(readHints(t, test.hints)), TimeLimit(300*time.Millisecond))
			if diff := gocmp.Diff(test.notes, r.Notes); diff != "" || !r.Types[0].Reached || len(r.Unstable) > 0 {
				t.Errorf("%+v\n%s", r, diff)
			}
			if test.rule == "" {
				if len(r.Findings) > 0 {
					t.Errorf("%v", r.Findings)
				}
				return
			}
			if len(r.Findings) != 1 || r.Findings[0].Rule != test.rule || r.Findings[0].Phase != PhaseStates || r.Findings[0].Requests != 1 {
				t.Fatalf("%+v", r.Findings)
			}
			f := r.Findings[0]
			if !strings.Contains(f.GoTest, test.call) || !strings.HasPrefix(f.HCL, "# Not exact: it needs a state") || !strings.Contains(f.HCL, "\nresource \"cloud_server\" \"example\" {\n  name") {
				t.Errorf("%s\n%s", f.HCL, f.GoTest)
			}
		})
	}
}

// TestExplorePlansFromStates checks that explore checks a plan from an upgraded state without
// reading the object.
func TestExplorePlansFromStates(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	var upgraded atomic.Bool
	c.takingOver = func(int64, map[string]any, source) (cty.Value, string) {
		upgraded.Store(true)
		return cloudObject(Str("old")), ""
	}
	c.planning = func(config cty.Value) string {
		if upgraded.Swap(false) && !config.GetAttr("size").IsNull() {
			panic("no size before")
		}
		return ""
	}
	r := c.mustExplore(t, WithHints(readHints(t, upgradeHint)))
	if len(r.Findings) != 1 || r.Findings[0].Phase != PhaseStates || r.Findings[0].About != "state 1 of the hints" {
		t.Fatalf("%+v", r)
	}
	const want = "\td.Lifecycle(t, \"cloud_server\").UpgradeState(3, []byte(`{\"id\":\"i-1\",\"rules\":[{\"port\":1},{\"port\":2}],\"tags\":{\"a\":\"b\"},\"title\":\"old\"}`)).Plan(\n" +
		"\t\tmap[string]any{\"name\": \"a\", \"size\": 0},\n\t\tdriver.WithoutRefresh(),\n\t)\n"
	if !strings.Contains(r.Findings[0].GoTest, want) || !strings.HasSuffix(r.Findings[0].HCL, "\n  name = \"a\"\n  size = 0\n}\n") {
		t.Errorf("%s", r.Findings[0].GoTest)
	}
}

// TestExploreStatesWithinBudget checks that the limit of requests applies to states, and that
// explore can reach the type without an accepted state.
func TestExploreStatesWithinBudget(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	var requests atomic.Int32
	c.takingOver = func(int64, map[string]any, source) (cty.Value, string) {
		requests.Add(1)
		return cty.NilVal, "no"
	}
	hints := "states: [" + strings.Repeat("{type: cloud_server, state: {}},", 10) + "]"
	if r := c.mustExplore(t, WithHints(readHints(t, hints)), Requests(4)); requests.Load() != 4 || len(r.Notes) != 4 || r.Types[0].Requests != 4 {
		t.Errorf("%d, %+v", requests.Load(), r)
	}
	if r := c.mustExplore(t, WithHints(readHints(t, hints)), Requests(40)); !r.Types[0].Reached || len(r.Notes) != 10 {
		t.Errorf("%+v", r)
	}
}

// TestExploreShowsNoSecretsOfStates checks that a state with a secret is neither shown nor stored.
func TestExploreShowsNoSecretsOfStates(t *testing.T) {
	c := newCloud(t, Resource, Attrs{"name": Attr(cty.String, "required"), "password": Attr(cty.String, "optional sensitive")})
	c.takingOver = func(_ int64, state map[string]any, _ source) (cty.Value, string) {
		password, _ := state["password"].(string)
		if password == "" {
			return Object(Obj{"name": Str("a"), "password": cty.NullVal(cty.String)}), ""
		}
		if state["id"] == "refused" {
			return cty.NilVal, "no " + password
		}
		panic("bad " + password)
	}
	dir := t.TempDir()
	r := c.mustExplore(t, WithHints(readHints(t, `states: [{type: cloud_server, state: {password: hunter2, id: x}}, {type: cloud_server, state: {id: refused, password: hunter2}}]`)), Corpus(dir))
	text, _ := json.Marshal(r)
	if shown := string(text); strings.Contains(shown, "hunter2") || !strings.Contains(shown, `{\"password\":\"(secret)\"}`) || !strings.Contains(shown, "was refused: no (secret)") {
		t.Errorf("%s", shown)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(filepath.Join(dir, file.Name())); err != nil || strings.Contains(string(text), "hunter2") || strings.Contains(string(text), "crash") {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// TestExploreStatesOfCorpus checks that the corpus stores the state of a finding, and that explore
// tries it without hints.
func TestExploreStatesOfCorpus(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	c.takingOver = func(_ int64, state map[string]any, _ source) (cty.Value, string) { return cloudObject(UnknownStr), "" }
	dir := t.TempDir()
	c.mustExplore(t, WithHints(readHints(t, moveHint)), Corpus(dir))
	r := c.mustExplore(t, Corpus(dir))
	if len(r.Findings) != 1 || r.Findings[0].Phase != PhaseCorpus || r.Findings[0].Rule != objchange.RuleStateUnknown || r.Findings[0].Requests > 6 || len(r.Notes) > 0 {
		t.Errorf("%+v", r)
	}
	c.takingOver = func(int64, map[string]any, source) (cty.Value, string) { return cty.NilVal, "no" }
	r = c.mustExplore(t, Corpus(dir))
	if len(r.Findings) > 0 || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "resource cloud_server: the state of cloud_server-") || !strings.HasSuffix(r.Notes[0], ".json was refused: no") {
		t.Errorf("%+v", r)
	}
}

// TestStatesOfAnyText checks that a Go test contains the exact state, and that HCL comments remain
// comments with any text.
func TestStatesOfAnyText(t *testing.T) {
	schema := compiled(t, server)
	for _, text := range []string{"", "`", "\n\r\x00", "\u2028\ufeff", "${a}\"\\", "*/ //", "<>&"} {
		s := scenario{kind: Resource, typeName: "cloud_server", schema: schema, old: &oldState{data: map[string]any{text: text}, from: source{text + "a", text + "b"}}}
		file, err := parser.ParseFile(token.NewFileSet(), "a_test.go", s.goTest(naming{}, reproduction{rule: "crash"}), 0)
		if err != nil {
			t.Fatal(err)
		}
		var literals []string
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				value, err := strconv.Unquote(literal.Value)
				literals = append(literals, value)
				if err != nil {
					t.Error(err)
				}
			}
			return true
		})
		for _, want := range []string{string(stateJSON(s.old.data)), text + "a", text + "b"} {
			if !slices.Contains(literals, want) {
				t.Errorf("%q is missing in %q", want, literals)
			}
		}
		if hcl, exact := s.hcl(naming{}); exact || strings.Count(hcl, "\n") != 1 || !strings.HasPrefix(hcl, "# Not exact: ") {
			t.Errorf("%q", hcl)
		}
	}
}

func TestCorpusKeepsStates(t *testing.T) {
	schema := compiled(t, server)
	s := scenario{kind: Resource, typeName: "cloud_server", schema: schema}
	for text, old := range map[string]*oldState{
		`"state": {}`: {data: map[string]any{}},
		`"version": 3,
  "state": {
    "a": 9007199254740993,
    "b": [
      null,
      "<"
    ]
  }`: {version: 3, data: map[string]any{"a": json.Number("9007199254740993"), "b": []any{nil, "<"}}},
		`"state": {},
  "from": {
    "provider": "a/b/c",
    "type": "d"
  }`: {data: map[string]any{}, from: source{"a/b/c", "d"}},
	} {
		for want, config := range map[string]cty.Value{"\n}\n": cty.NilVal, ",\n  \"config\": {\n    \"name\": \"a\"\n  }\n}\n": valueOf(t, schema, map[string]any{"name": "a"})} {
			c := corpus{dir: t.TempDir()}
			s.old, s.config = old, config
			got := keptOf(t, c, []target{targetOf(s)}, s)
			if len(got) != 1 || !got[0].config.RawEquals(config) || got[0].old.version != old.version || got[0].old.from != old.from || gocmp.Diff(got[0].old.data, old.data) != "" {
				t.Errorf("%s: %+v", text, got)
			}
			files, _ := filepath.Glob(filepath.Join(c.dir, "*"))
			if kept, err := os.ReadFile(files[0]); err != nil || !strings.HasSuffix(string(kept), "  "+text+want) {
				t.Errorf("%s, %v", kept, err)
			}
		}
	}
}

// TestReductionsOfStates checks that each field and element of a state can be removed, and that the
// original state does not change.
func TestReductionsOfStates(t *testing.T) {
	var anything *rapid.Generator[any]
	object := rapid.MapOfN(rapid.StringN(0, 3, -1), rapid.Deferred(func() *rapid.Generator[any] { return anything }), 0, 3)
	anything = rapid.Deferred(func() *rapid.Generator[any] {
		return rapid.OneOf(rapid.Just[any](nil), rapid.Just[any]("a"), rapid.Just[any](json.Number("1")), rapid.Just[any](true),
			rapid.Map(object, func(m map[string]any) any { return m }),
			rapid.Map(rapid.SliceOfN(anything, 0, 3), func(all []any) any { return all }))
	})
	rapid.Check(t, func(t *rapid.T) {
		old := &oldState{data: object.Draw(t, "state")}
		before := string(stateJSON(old.data))
		all := old.reductions()
		for _, r := range all {
			if smaller := old.without(r.field); len(stateJSON(smaller.data)) >= len(before) {
				t.Fatalf("without %v it is %s", r.field, stateJSON(smaller.data))
			}
		}
		smallest := old
		for _, r := range slices.Backward(all) { // deep parts first
			smallest = smallest.without(r.field)
		}
		if len(smallest.data) > 0 {
			t.Fatalf("%s is left of %s", stateJSON(smallest.data), before)
		}
		if after := string(stateJSON(old.data)); after != before {
			t.Fatalf("%s became %s", before, after)
		}
		if same := eachText(old.data, func(text string) string { return text }); gocmp.Diff(same, any(old.data)) != "" {
			t.Fatalf("%v", same)
		}
	})
}
