package adopt

import (
	"archive/zip"
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/objchange/objchange/conformance"
)

// A tree contains files by their names.
type tree map[string]string

func (files tree) write(t *testing.T, folder string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// serve adds a version of the module to a module proxy in a folder.
func (files tree) serve(t *testing.T, proxy, module, version string) {
	t.Helper()
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file, err := w.Create(module + "@" + version + "/" + name)
		if err == nil {
			_, err = file.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	tree{
		"list": version + "\n", version + ".info": `{"Version":"` + version + `"}`,
		version + ".mod": files["go.mod"], version + ".zip": archive.String(),
	}.write(t, filepath.Join(proxy, filepath.FromSlash(module), "@v"))
}

// ours is the repository of the test. Its library adds correctly.
var ours = tree{
	"go.work":        "go 1.26.0\n\nuse ./library\n",
	"library/go.mod": "module example.com/library\n\ngo 1.26.0\n",
	"library/sum.go": "package library\n\nfunc Sum(a, b int) int { return a + b }\n",
}

// theirs is a project with its own addition, a copy of another one, a test in a folder that the
// proxy omits, and a slow test.
var theirs = tree{
	"go.mod":                "module example.com/theirs\n\ngo 1.26.0\n\nrequire example.com/helper v1.0.0\n\nreplace example.com/helper => ./third/party\n",
	"sum.go":                "package theirs\n\nimport \"example.com/theirs/copied/sum\"\n\nfunc Sum(a, b int) int {\n\treturn sum.Of(a, b)\n}\n",
	"sum_test.go":           "package theirs\n\nimport \"testing\"\n\nfunc TestSmall(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Error(\"small\")\n\t}\n}\n\nfunc TestLarge(t *testing.T) {\n\tt.Run(\"wraps\", func(t *testing.T) {\n\t\tif Sum(200, 100) != 44 {\n\t\t\tt.Error(\"does not wrap\")\n\t\t}\n\t})\n}\n",
	"copied/sum/sum.go":     "package sum\n\nfunc Of(a, b int) int { return int(byte(a + b)) }\n",
	"network/down_test.go":  "package network\n\nimport \"testing\"\n\nfunc TestDownload(t *testing.T) { t.Fatal(\"no network\") }\n",
	"helped/helped_test.go": "package helped\n\nimport (\n\t\"testing\"\n\n\t\"example.com/helper/shim\"\n)\n\nfunc TestHelped(t *testing.T) { shim.Help() }\n",
	"slow/slow_test.go":     "package slow\n\nimport (\n\t\"os/exec\"\n\t\"testing\"\n)\n\nfunc TestSlow(t *testing.T) {\n\tif err := exec.Command(\"needed\").Run(); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n",
	"needed/main.go":        "package main\n\nfunc main() {}\n",
}

const recipeText = `
module: example.com/theirs
version: v1.0.0
vendored: [{module: example.com/helper, folder: third/party}]
programs: [{package: example.com/theirs/needed}]
require: [example.com/library]
remove: [sum.go]
edit: [{files: '*_test.go', from: 'small', to: 'few'}]
unused: copied
env: {HELP: "yes"}
test: [./...]
passes: 4
slow: [slow]
`

// newRunner returns a recipe for theirs, with additional text and other files, and a runner that
// runs it.
func newRunner(t *testing.T, more string, files tree) (*runner, *recipe) {
	t.Helper()
	root := t.TempDir()
	proxy := filepath.Join(root, "proxy")
	theirs.serve(t, proxy, "example.com/theirs", "v1.0.0")
	tree{
		"go.mod":  "module example.com/helper\n\ngo 1.26.0\n",
		"help.go": "package helper\n\nimport \"os\"\n\nfunc Help() {\n\tif os.Getenv(\"HELP\") == \"\" {\n\t\tpanic(\"not helped\")\n\t}\n}\n",
	}.serve(t, proxy, "example.com/helper", "v1.0.0")
	url := filepath.ToSlash(proxy)
	t.Setenv("GOPROXY", "file://"+strings.Repeat("/", 1-min(1, strings.Count(url[:1], "/")))+url)
	t.Setenv("GOMODCACHE", filepath.Join(root, "modules"))
	t.Setenv("GONOSUMDB", "*")
	t.Setenv("GOOGLE_CREDENTIALS", "secret")
	t.Cleanup(func() {
		if _, err := command(context.Background(), "", nil, "go", "clean", "-modcache"); err != nil { // the module cache is read-only
			t.Error(err)
		}
	})

	ours.write(t, root)
	folder := filepath.Join(root, "tools", "adopt", "theirs")
	tree{
		"recipe.yaml":                      recipeText + more,
		"_before/third/party/shim/shim.go": "package shim\n\nimport \"example.com/helper\"\n\nfunc Help() { helper.Help() }\n",
		"_after/sum.go":                    "package theirs\n\nimport \"example.com/library\"\n\nfunc Sum(a, b int) int { return library.Sum(a, b) }\n",
	}.write(t, folder)
	files.write(t, folder)
	r, err := readRecipe(folder)
	if err != nil {
		t.Fatal(err)
	}
	scratch := filepath.Join(root, "scratch")
	if err := os.Mkdir(scratch, 0o755); err != nil {
		t.Fatal(err)
	}
	return &runner{root: root, scratch: scratch, log: t.Output()}, r
}

const explained = `
changes:
  - tests: [theirs.TestLarge, theirs.TestLarge/wraps]
    why: their sum has eight bits
    case: one
`

func TestRun(t *testing.T) {
	w, r := newRunner(t, strings.ReplaceAll(explained, "theirs.", "example.com/theirs."), nil)
	got, err := w.run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if got.Lines != (lines{Removed: 7, Added: 5}) || got.TestLines != (lines{1, 1}) || got.Unused != 3 {
		t.Errorf("lines %v, of tests %v, unused %d", got.Lines, got.TestLines, got.Unused)
	}
	if !slices.Equal(got.Gained, []string{"example.com/library"}) || got.Raised != nil {
		t.Errorf("gained %q, raised %q", got.Gained, got.Raised)
	}
	var outcomes []string
	for name, o := range got.After {
		outcomes = append(outcomes, name.String()+" "+got.Before[name].is+" "+o.is)
	}
	slices.Sort(outcomes)
	want := []string{
		"example.com/theirs.TestLarge pass fail", "example.com/theirs.TestLarge/wraps pass fail", "example.com/theirs.TestSmall pass pass",
		"helped.TestHelped pass pass", "network.TestDownload fail fail",
	}
	if diff := cmp.Diff(want, outcomes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	text := table([]*result{got})
	if !strings.Contains(text, "| theirs | v1.0.0 | 7 | 5 | 3 | 4 | 2 | 1 | 3 | 2 | 1 | 0 |") {
		t.Error(text)
	}
}

// TestRunFails checks that the error contains the cause.
func TestRunFails(t *testing.T) {
	for name, test := range map[string]struct {
		recipe string
		files  tree
		want   string
	}{
		"a verdict without a reason": {"", nil, "example.com/theirs.TestLarge/wraps: pass before, fail after\n"},
		"a reason without a verdict": {strings.ReplaceAll(explained, "theirs.TestLarge", "theirs.TestOther"), nil, "the recipe explains why theirs.TestOther changes, but it does not change"},
		"a file that is there":       {"", tree{"_after/needed/main.go": ""}, "the recipe must remove what _after replaces"},
		"a package that is not built": {"", tree{"_after/sum.go": "package theirs\n\nimport \"example.com/library\"\n\nfunc Sum(a, b int) { library.Sum(a, b) }\n"},
			"example.com/theirs: absent before, fail after\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w, r := newRunner(t, test.recipe, test.files)
			if _, err := w.run(t.Context(), r); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
	t.Run("tests that do not run", func(t *testing.T) {
		w, r := newRunner(t, "", nil)
		r.Passes = 5
		if _, err := w.run(t.Context(), r); err == nil || !strings.Contains(err.Error(), "only 4 tests pass, not 5") {
			t.Error(err)
		}
	})
	t.Run("recipes that do not match", func(t *testing.T) {
		w, r := newRunner(t, "", nil)
		r.Remove = []string{"old.go"}
		if _, err := w.run(t.Context(), r); err == nil || !strings.Contains(err.Error(), "change: the recipe does not match: ") {
			t.Errorf("a file that is gone: %v", err)
		}
		w, r = newRunner(t, "", nil)
		r.Edit[0].From = "gone"
		if _, err := w.run(t.Context(), r); err == nil || !strings.Contains(err.Error(), "nothing in *_test.go matches gone") {
			t.Errorf("an edit of nothing: %v", err)
		}
		w, r = newRunner(t, "", nil)
		r.Slow = []string{"gone"}
		if _, err := w.run(t.Context(), r); err == nil || !strings.Contains(err.Error(), "the package gone does not exist") {
			t.Errorf("a package that is gone: %v", err)
		}
		w, r = newRunner(t, "", tree{"_after/sum.go": "package theirs\n\nfunc Sum(a, b int) int { return a + b }\n"})
		if _, err := w.run(t.Context(), r); err == nil || !strings.Contains(err.Error(), "requires example.com/library, but nothing imports it") {
			t.Errorf("a module without a user: %v", err)
		}
	})
}

func TestRunSlow(t *testing.T) {
	w, r := newRunner(t, strings.ReplaceAll(explained, "theirs.", "example.com/theirs."), nil)
	theirs.serve(t, filepath.Join(w.root, "proxy"), "example.com/theirs", "v1.1.0")
	w.slow, w.newest = true, true
	got, err := w.run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if is := got.After[testName{"slow", "TestSlow"}].is; is != pass {
		t.Errorf("TestSlow: %q", is)
	}
	if got.Note != "" || got.Version != "v1.1.0" {
		t.Errorf("version %q, %q", got.Version, got.Note)
	}
}

func TestNewestIsNotNamed(t *testing.T) {
	w, r := newRunner(t, strings.ReplaceAll(explained, "theirs.", "example.com/theirs."), nil)
	w.newest, r.Newest = true, "main"
	got, err := w.run(t.Context(), r)
	if err != nil || got.Version != "v1.0.0" || !strings.HasPrefix(got.Note, "not the newest, because example.com/theirs@main is not found: ") {
		t.Errorf("got %q, %q, %v", got.Version, got.Note, err)
	}
}

// TestEnvironment checks that code of a project gets no credentials.
func TestEnvironment(t *testing.T) {
	w, _ := newRunner(t, "", nil)
	env, err := w.environment(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, variable := range env {
		if strings.Contains(variable, "secret") {
			t.Error(variable)
		}
	}
	if !slices.Contains(env, "HOME="+filepath.Join(w.scratch, "home")) {
		t.Errorf("HOME is another: %q", env)
	}
}

func TestReadVerdicts(t *testing.T) {
	const output = `{"Action":"run","Package":"m/a","Test":"TestOne"}
{"Action":"output","Package":"m/a","Test":"TestOne","Output":"one is wrong\n"}
a test writes this
{"Action":"fail","Package":"m/a","Test":"TestOne"}
{"Action":"skip","Package":"m/a","Test":"TestTwo"}
{"Action":"fail","Package":"m/a"}
{"ImportPath":"m/b [m/b.test]","Action":"build-output","Output":"b.go:1: wrong\n"}
{"ImportPath":"m/b [m/b.test]","Action":"build-fail"}
{"Action":"fail","Package":"m/b"}
{"Action":"pass","Package":"m/c","Test":"TestThree/tmp/a123456"}
{"Action":"pass","Package":"m/c"}
`
	got, err := readVerdicts([]byte(output), "m/")
	if err != nil {
		t.Fatal(err)
	}
	want := verdicts{
		{"a", "TestOne"}: {fail, "one is wrong\n"}, {"a", "TestTwo"}: {"skip", ""}, {"b", ""}: {fail, "b.go:1: wrong\n"}, {"c", "TestThree/tmp/aNUMBER"}: {pass, ""},
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := readVerdicts([]byte("{\"Action\"\n"), ""); err == nil {
		t.Error("no error for JSON that is cut off")
	}
}

func TestChanged(t *testing.T) {
	passes, fails := outcome{is: pass}, outcome{is: fail}
	before := verdicts{
		{"a", "TestOne"}: passes, {"a", "TestTwo"}: fails, {"b", "TestOne/x/y"}: passes, {"b", "TestTwo"}: passes, {"d", "TestOne"}: passes,
		{"f", "TestOne"}: fails, {"f", "TestOne/x"}: fails, {"f", "TestOne/x/y"}: passes,
	}
	after := verdicts{
		{"a", "TestOne"}: fails, {"a", "TestTwo"}: passes, {"b", ""}: fails, {"e", "TestOurs"}: passes, {"e", "TestOurs2"}: fails,
		{"f", "TestOne"}: fails, {"f", "TestOne/x"}: fails,
	}
	want := []verdict{
		{"a.TestOne", pass, fail, ""}, {"a.TestTwo", fail, pass, ""}, {"b", absent, fail, ""}, {"d.TestOne", pass, absent, ""},
		{"e.TestOurs2", absent, fail, ""}, {"f.TestOne/x/y", pass, absent, ""},
	}
	if got := changed(before, after); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReadRecipeErrors(t *testing.T) {
	for text, want := range map[string]string{
		"module: github.com/hashicorp/terraform\nversion: v1.0.0\n":                                                                               "must not be downloaded",
		"module: example.com/a\nversion: v1.0.0\n":                                                                                                "require, test or passes is missing",
		"module: example.com/a\nversion: latest\ntest: [./...]\nrequire: [a.com/c]\npasses: 1\n":                                                  "latest",
		"module: example.com/a\nversion: v1.0.0\ntest: [./...]\nrequire: [a.com/c]\npasses: 1\nskip: [a, b]\n":                                    "missing must say why a, b cannot be tested",
		"module: example.com/a\nversion: v1.0.0\ntest: [./...]\nrequire: [a.com/c]\npasses: 1\nremoved: [a.go]\n":                                 "removed",
		"module: example.com/a\nversion: v1.0.0\ntest: [./...]\nrequire: [a.com/c]\npasses: 1\nremove: [../a.go]\n":                               `"../a.go" is not below the project`,
		"module: example.com/a\nversion: v1.0.0\ntest: [./...]\nrequire: [a.com/c]\npasses: 1\nupgrade: [a.com/b]\n":                              "a.com/b",
		"module: example.com/a\nversion: v1.0.0\ntest: [./...]\nrequire: [a.com/c]\npasses: 1\nedit: [{files: a.go, from: '('}]\n":                "missing closing )",
		"module: example.com/a\nversion: v1.0.0\ntest: [./...]\nrequire: [a.com/c]\npasses: 1\nchanges: [{tests: [a.TestA], why: differently}]\n": "a change needs tests, why and case",
	} {
		folder := t.TempDir()
		tree{"recipe.yaml": text}.write(t, folder)
		if _, err := readRecipe(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
	if _, err := recipes(".", []string{"tls"}); err == nil || !strings.Contains(err.Error(), `there is no recipe "tls"; the recipes are pulumi-terraform-bridge, `) {
		t.Error(err)
	}
}

// TestRecipes checks that the recipes can be read, that the corpus contains their cases, and that
// the document contains their versions.
func TestRecipes(t *testing.T) {
	all, err := recipes(".", nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/adopting.md")
	if err != nil {
		t.Fatal(err)
	}
	wanted, found := map[string]bool{}, map[string]bool{}
	for _, r := range all {
		for _, c := range r.Changes {
			wanted[c.Case] = true
		}
	}
	for _, id := range regexp.MustCompile("`((?:random|edge|thin)-[0-9-]+/[^`]+)`").FindAllStringSubmatch(string(page), -1) {
		wanted[id[1]] = true
	}
	for c, err := range conformance.Select(func(id string, _ conformance.Op) bool { return wanted[id] }) {
		if err != nil {
			t.Fatal(err)
		}
		found[c.ID] = true
	}
	if !maps.Equal(found, wanted) || len(found) < 2 {
		t.Errorf("the recipes and the page name the cases %v, the corpus has %v of them", wanted, found)
	}
	for _, r := range all {
		if want := "[" + r.Name + "](../tools/adopt/" + r.Name + ") " + r.Version + " |"; !strings.Contains(string(page), want) {
			t.Errorf("docs/adopting.md has no %q", want)
		}
	}
	if len(all) < 5 {
		t.Errorf("only %d recipes", len(all))
	}
}
