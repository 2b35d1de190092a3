package explore

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// keptOf stores the scenarios in a corpus and loads it.
func keptOf(t *testing.T, c corpus, targets []target, all ...scenario) []scenario {
	t.Helper()
	for _, s := range all {
		if err := c.keep(s, "", ""); err != nil && err != errSecret {
			t.Fatal(err)
		}
	}
	loaded, notes, err := c.load(targets)
	if len(notes) > 0 || err != nil {
		t.Error(notes, err)
	}
	var scenarios []scenario
	for _, target := range targets {
		scenarios = append(scenarios, loaded[target]...)
	}
	return scenarios
}

func targetOf(s scenario) target {
	return target{s.kind, s.typeName, &catalog.Schema{Compiled: s.schema, Type: s.schema.ImpliedType()}}
}

func TestCorpus(t *testing.T) {
	c := corpus{dir: filepath.Join(t.TempDir(), "new", "corpus")}
	schema := compiled(t, server)
	s := scenario{kind: Resource, typeName: "cloud_server", schema: schema,
		config: valueOf(t, schema, map[string]any{"name": UnknownStr, "tags": map[string]any{"a": nil, "\xff": "\xfe", "$x": "y"}, "size": cty.MustParseNumberVal("9007199254740993"), "rule": []any{map[string]any{"port": 1}}, "any": 1}),
		then:   valueOf(t, schema, map[string]any{"name": "<b>"}),
	}
	odd := scenario{kind: Ephemeral, typeName: "cloud_odd", schema: schema, config: valueOf(t, schema, map[string]any{
		"shelf": map[string]any{"$unknown": map[string]any{"gb": 1}, "\xff": nil}, "zone": map[string]any{"$bytes:": map[string]any{}},
	})}
	if got := keptOf(t, corpus{dir: t.TempDir()}, []target{targetOf(odd)}, odd); len(got) != 1 || !got[0].config.RawEquals(odd.config) {
		t.Errorf("%#v", got)
	}
	for range 2 { // the second time, the scenario is already there
		if got := keptOf(t, c, []target{targetOf(s)}, s); len(got) != 1 || !got[0].config.RawEquals(s.config) || !got[0].then.RawEquals(s.then) || got[0].kind != s.kind {
			t.Errorf("got  %#v\n%#v\nwant %#v\n%#v", got[0].config, got[0].then, s.config, s.then)
		}
	}
	if err := c.keep(s, "crash", "the provider crashes"); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(c.dir, "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	var texts []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, filepath.Base(name)+"\n"+string(text))
	}
	slices.SortFunc(texts, func(a, b string) int { return len(a) - len(b) })
	if diff := gocmp.Diff(corpusFiles, texts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

var corpusFiles = []string{`cloud_server-79ef38a62f98.json
{
  "kind": "resource",
  "type": "cloud_server",
  "config": {
    "any": {
      "$typed": {
        "type": "number",
        "value": 1
      }
    },
    "name": {
      "$unknown": true
    },
    "rule": [
      {
        "port": 1
      }
    ],
    "size": 9007199254740993,
    "tags": {
      "$bytes:/w==": {
        "$bytes": "/g=="
      },
      "$bytes:JHg=": "y",
      "a": null
    }
  },
  "then": {
    "name": "<b>"
  }
}
`, `cloud_server-7a570dd774c3.json
{
  "kind": "resource",
  "type": "cloud_server",
  "rule": "crash",
  "message": "the provider crashes",
  "config": {
    "any": {
      "$typed": {
        "type": "number",
        "value": 1
      }
    },
    "name": {
      "$unknown": true
    },
    "rule": [
      {
        "port": 1
      }
    ],
    "size": 9007199254740993,
    "tags": {
      "$bytes:/w==": {
        "$bytes": "/g=="
      },
      "$bytes:JHg=": "y",
      "a": null
    }
  },
  "then": {
    "name": "<b>"
  }
}
`}

// TestCorpusOfAnySchema checks that a stored scenario does not change, for random schemas and
// values.
func TestCorpusOfAnySchema(t *testing.T) {
	c := corpus{dir: t.TempDir()}
	var targets []target
	var all []scenario
	for i := range 300 {
		s := anyScenario(t, generate.Seeded(3, uint64(i)))
		s.typeName = fmt.Sprintf("t%d", i)
		all, targets = append(all, s), append(targets, targetOf(s))
	}
	got := keptOf(t, c, targets, all...)
	if len(got) != len(all) {
		t.Fatalf("%d of %d", len(got), len(all))
	}
	for i, s := range all {
		_, exact := s.hcl(naming{}) // otherwise, the types of nulls may differ, but the provider does not receive them
		if exact && (!sent(t, s.schema, got[i].config).RawEquals(sent(t, s.schema, s.config)) || s.then != cty.NilVal && !got[i].then.RawEquals(s.then)) {
			t.Errorf("got  %#v\n%#v\nwant %#v\n%#v", got[i].config, got[i].then, s.config, s.then)
		}
	}
}

// TestCorpusHasNoSecrets checks that configurations with sensitive values from the hints are not
// stored.
func TestCorpusHasNoSecrets(t *testing.T) {
	schema := compiled(t, &configschema.Block{
		Attributes: Attrs{"password": Attr(cty.String, "optional sensitive"), "name": LeafAttr},
		BlockTypes: Blocks{"user": Block(configschema.NestingList, Attrs{"pin": Attr(cty.Number, "optional writeonly")})},
	})
	hints := readHints(t, `values: {"*.password": [hunter2], "*.name": [a], "*.user": [[{pin: 1234}]]}`)
	s := scenario{kind: Data, typeName: "cloud_server", schema: schema}
	c := corpus{t.TempDir(), hints.gives, hints.secrets(nil, []target{targetOf(s)})}
	for _, config := range []map[string]any{{"password": "hunter2"}, {"user": []any{map[string]any{"pin": 1234}}}, {"name": "is hunter2"}} {
		s.config = valueOf(t, schema, config)
		if got := keptOf(t, c, []target{targetOf(s)}, s); len(got) > 0 {
			t.Errorf("%#v is kept", config)
		}
	}
	s.config = valueOf(t, schema, map[string]any{"name": "a", "user": []any{map[string]any{}}})
	if got := keptOf(t, c, []target{targetOf(s)}, s); len(got) != 1 || !got[0].config.RawEquals(s.config) {
		t.Errorf("%#v is not kept", s.config)
	}
	s.config = schema.EmptyValue()
	if err := c.keep(s, "crash", "no hunter2"); err != nil {
		t.Error(err)
	}
	files, err := filepath.Glob(filepath.Join(c.dir, "*"))
	if err != nil || len(files) != 2 {
		t.Error(files, err)
	}
	for _, name := range files {
		if text, err := os.ReadFile(name); err != nil || strings.Contains(string(text), "hunter2") {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// TestExploreNotesSecretsOfTheCorpus checks that a note contains the number of configurations that
// are not stored.
func TestExploreNotesSecretsOfTheCorpus(t *testing.T) {
	c := newCloud(t, Resource, Attrs{"name": Attr(cty.String, "required"), "password": Attr(cty.String, "required sensitive")})
	dir := t.TempDir()
	r := c.mustExplore(t, Corpus(dir), WithHints(readHints(t, `values: {"*.password": [hunter2]}`)), Requests(20))
	if want := []string{"configurations that were not written to the corpus, because they contain sensitive values from the hints or values of other resources: 2"}; !slices.Equal(r.Notes, want) {
		t.Errorf("%q", r.Notes)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Error(files, err)
	}
}

// TestCorpusKeepsSteps checks that the corpus stores the steps of a lifecycle finding, and that
// explore takes them only if apply is allowed.
func TestCorpusKeepsSteps(t *testing.T) {
	dir := t.TempDir()
	faulty := func() *statefulCloud {
		s := newStatefulCloud(t)
		s.applying = func(prior, planned cty.Value) string {
			if !prior.IsNull() && !planned.IsNull() {
				panic("update")
			}
			return ""
		}
		return s
	}
	first := faulty().mustExplore(t, Corpus(dir))
	s := faulty()
	again := s.mustExplore(t, Corpus(dir))
	if len(first.Findings) != 1 || len(again.Findings) != 1 || len(again.Notes) > 0 || len(s.objects) > 0 {
		t.Fatalf("%v, %v, %q, left %v", first.Findings, again.Findings, again.Notes, s.objects)
	}
	if f := again.Findings[0]; f.Phase != PhaseCorpus || f.Requests > first.Findings[0].Requests/2 || !slices.Equal(f.Steps, first.Findings[0].Steps) {
		t.Errorf("%+v", f)
	}
	s = faulty()
	r, err := Explore(t.Context(), InProcess(func() (tfprotov6.ProviderServer, error) { return s, nil }), Corpus(dir), Requests(100))
	if err != nil || s.last != 0 || len(r.Notes) > 0 || len(r.Findings) > 0 {
		t.Errorf("%v, %d objects, %+v", err, s.last, r)
	}
}

// TestExploreWithCorpusInFile checks that a corpus that is not a folder is an error before the
// exploration begins.
func TestExploreWithCorpusInFile(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	c.planning = func(cty.Value) string {
		t.Error("it is explored")
		return ""
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.explore(t, Corpus(file)); err == nil || !strings.Contains(err.Error(), "the corpus cannot be read") {
		t.Error(err)
	}
}

// TestCorpusFilesThatCannotBeUsed checks that a file that cannot be used is reported and not
// removed.
func TestCorpusFilesThatCannotBeUsed(t *testing.T) {
	schema := compiled(t, server)
	s := scenario{kind: Resource, typeName: "cloud_server", schema: schema}
	broken := target{Data, "cloud_broken", &catalog.Schema{Err: os.ErrInvalid}}
	for text, want := range map[string]string{
		"":                              "line 1: EOF",
		"{\n\"kind\": \"resource\",\n}": "line 3: invalid character '}' looking for beginning of object key string",
		"{\"kind\": \"resource\",\n\"typ\": \"a\"}":                                                                           `line 2: unknown field "typ"`,
		`{"kind": "resource", "type": "cloud_gone", "config": {}}`:                                                            `the provider has no resource "cloud_gone"`,
		`{"kind": "data", "type": "cloud_server", "config": {}}`:                                                              `the provider has no data "cloud_server"`,
		`{"kind": "data", "type": "cloud_broken", "config": {}}`:                                                              "the schema is missing or invalid",
		`{"kind": "resource", "type": "cloud_server", "config": {"nane": "a"}}`:                                               `config.nane: no such attribute or block; did you mean "name"?`,
		`{"kind": "resource", "type": "cloud_server", "config": {"rule": [{"port": "x"}]}}`:                                   "config.rule[0].port: ",
		`{"kind": "resource", "type": "cloud_server", "config": {}, "then": {"size": "x"}}`:                                   "then.size: ",
		`{"kind": "resource", "type": "cloud_server", "config": {"name": {"$unknwn": true}}}`:                                 "config.name: a key that begins with $ must be one of",
		`{"kind": "resource", "type": "cloud_server", "config": {}} {}`:                                                       "line 1: the file contains more than one JSON value",
		`{"kind": "resource", "type": "cloud_server"}`:                                                                        "config is missing",
		`{"kind": "resource", "type": "cloud_server", "state": []}`:                                                           "state is allowed only for a resource, and must be an object",
		`{"kind": "resource", "type": "cloud_server", "state": {}, "then": {}}`:                                               "then is not allowed with state",
		`{"kind": "resource", "type": "cloud_server", "state": {}, "config": {"x": 1}}`:                                       "config.x: ",
		`{"kind": "resource", "type": "cloud_server", "state": {}, "version": "1"}`:                                           "line 1: ",
		`{"kind": "resource", "type": "cloud_server", "state": {}, "from": {}}`:                                               "from needs the address of a provider, and a type",
		`{"kind": "data", "type": "cloud_server", "steps": []}`:                                                               `the provider has no data "cloud_server"`,
		`{"kind": "resource", "type": "cloud_server", "steps": []}`:                                                           "steps are allowed only for a resource, without config, then and state",
		`{"kind": "resource", "type": "cloud_server", "config": {}, "steps": [{}]}`:                                           "steps are allowed only for a resource, without config, then and state",
		`{"kind": "resource", "type": "cloud_server", "steps": [{"config": {}}]}`:                                             `steps[0].does: unknown step ""`,
		`{"kind": "resource", "type": "cloud_server", "steps": [{"does": "apply"}]}`:                                          "steps[0]: config is missing",
		`{"kind": "resource", "type": "cloud_server", "steps": [{"does": "destroy"}, {"does": "apply", "config": {"x": 1}}]}`: "steps[1].config.x: ",
	} {
		c := corpus{dir: t.TempDir()}
		name := filepath.Join(c.dir, "a.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		all, notes, err := c.load([]target{targetOf(s), broken})
		if err != nil || len(all) > 0 || len(notes) != 1 || !strings.HasPrefix(notes[0], name+" is not used: "+want) {
			t.Errorf("%s\n%v %q", text, all, notes)
		}
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	if all, notes, err := (corpus{dir: "/nowhere"}).load(nil); len(all)+len(notes) > 0 || err != nil {
		t.Error(all, notes, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.config = schema.EmptyValue()
	if err := (corpus{dir: file}).keep(s, "", ""); err == nil {
		t.Error("kept in a file")
	}
	if _, _, err := (corpus{dir: file}).load(nil); err == nil {
		t.Error("loaded from a file")
	}
}

// TestExploreWithCorpus checks that explore stores findings and accepted configurations, and tries
// them first.
func TestExploreWithCorpus(t *testing.T) {
	k := &recorder{kind: Resource, typeName: "cloud_server", schema: compiled(t, server), provider: compiled(t, providerBlock), other: "other"}
	explore := func(dir string) (*Result, []string) {
		r, err := Explore(t.Context(), InProcess(func() (tfprotov6.ProviderServer, error) { return k, nil }), Corpus(dir), Requests(100))
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return r, files
	}
	dir := t.TempDir()
	first, files := explore(dir)
	if len(first.Findings) != 1 || len(files) != 3 || len(first.Notes) > 0 {
		t.Fatalf("%v, files %q, notes %q", first.Findings, files, first.Notes)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	again, more := explore(dir)
	if len(again.Findings) != 1 || again.Findings[0].Phase != PhaseCorpus || again.Findings[0].Requests > 6 || len(more) != 4 || len(again.Notes) != 1 {
		t.Errorf("%v, files %q, notes %q", again.Findings, more, again.Notes)
	}
}
