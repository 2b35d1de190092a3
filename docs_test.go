package objchange_test

import (
	"cmp"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/docs"
	. "github.com/objchange/objchange/internal/testcty"
)

// Tests of documents, examples and links.

// TestExamplesAreWhole checks that each example is a whole program for the documentation site:
// the file has all declarations that the example needs from the test package.
func TestExamplesAreWhole(t *testing.T) {
	files := slices.Concat(glob(t, "*_test.go"), glob(t, "configschema/*_test.go"), glob(t, "ctydata/*_test.go"))
	examples := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, example := range doc.Examples(file) {
			examples++
			if example.Play == nil || example.Output == "" {
				t.Errorf("Example%s in %s is not a complete program, or has no output", example.Name, name)
			}
		}
	}
	if err := server.Block().Validate(); err != nil || examples < 30 {
		t.Errorf("%d examples, of a server with the schema: %v", examples, err)
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestLinksToSpecification checks every link to the specification and to the rules reference, in
// code and documents: it leads to a heading.
func TestLinksToSpecification(t *testing.T) {
	known := map[string]map[string]bool{"specification": anchors(t, "docs/specification.md")}
	for _, page := range docs.Pages() {
		known["rules/"+page.Name] = anchors(t, "docs/rules/"+page.Name+".md")
	}
	links, followed := regexp.MustCompile(`\b(specification|rules/[a-z-]+)\.md#([a-z0-9-]+)`), 0
	for _, file := range files(t, ".go", ".md") {
		for _, link := range links.FindAllStringSubmatch(readText(t, file), -1) {
			if followed++; !known[link[1]][link[2]] {
				t.Errorf("%s: %s.md has no heading #%s", file, link[1], link[2])
			}
		}
	}
	if followed < 50 {
		t.Errorf("found only %d links", followed)
	}
}

// TestLinksInDocumentsExist checks every link in a document to a file or directory of the repository, and to a
// heading in it.
func TestLinksInDocumentsExist(t *testing.T) {
	withAllModules(t)
	const home = "https://github.com/objchange/objchange/blob/main/"
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	followed := 0
	for _, file := range files(t, ".md") {
		for _, found := range link.FindAllStringSubmatch(fenced.ReplaceAllString(readText(t, file), ""), -1) {
			to, anchor, _ := strings.Cut(found[1], "#")
			to, ours := strings.CutPrefix(to, home)
			switch {
			case !ours && strings.Contains(to, ":"):
				continue
			case to == "":
				to = file
			case !ours:
				to = filepath.Join(filepath.Dir(file), to)
			}
			followed++
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: (%s): %v", file, found[1], err)
			} else if anchor != "" && filepath.Ext(to) == ".md" && !anchors(t, to)[anchor] {
				t.Errorf("%s: (%s): there is no such heading", file, found[1])
			}
		}
	}
	if followed < 100 {
		t.Errorf("found only %d links", followed)
	}
}

// withAllModules skips the test if the root module is alone, as it is published.
func withAllModules(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("tfcheck/go.mod"); err != nil {
		t.Skip("without the other modules")
	}
}

// files returns the files of the repository with one of the extensions, except for the output
// of programs.
func files(t *testing.T, extensions ...string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return filepath.SkipDir
		case !d.IsDir() && slices.Contains(extensions, filepath.Ext(name)):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// anchors returns the anchors of the headings of a document. It checks that each is unique.
func anchors(t *testing.T, file string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, h := range headings.FindAllStringSubmatch(fenced.ReplaceAllString(readText(t, file), ""), -1) {
		anchor := strings.ReplaceAll(strings.ToLower(notInAnchors.ReplaceAllString(h[1], "")), " ", "-")
		if found[anchor] {
			t.Errorf("%s: two headings %q", file, h[1])
		}
		found[anchor] = true
	}
	return found
}

var (
	headings     = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fenced       = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	notInAnchors = regexp.MustCompile(`[^\w\s-]`)
)

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDocumentedVersionsAreInGoMod checks that the lowest versions in docs/compatibility.md are those in
// the go.mod files.
func TestDocumentedVersionsAreInGoMod(t *testing.T) {
	withAllModules(t)
	lines, listed := TableLines(t, "docs/compatibility.md"), 0
	require := regexp.MustCompile(`(?m)^(?:require)?\s+(\S+) v(\S+)$`)
	goes := regexp.MustCompile(`(?m)^go (\d+\.\d+)`)
	for _, module := range []string{"", "tfconv", "tfconv/framework", "tfconv/sdkv2", "tfcheck", "cmd"} {
		mod := readText(t, filepath.Join(module, "go.mod"))
		lowest := map[string]string{"Go": goes.FindStringSubmatch(mod)[1]}
		for _, r := range require.FindAllStringSubmatch(mod, -1) {
			lowest[path.Base(strings.TrimSuffix(r[1], "/v2"))] = r[2]
		}
		name := cmp.Or(module, "the root")
		for _, line := range lines {
			if strings.Trim(line[0], "`") != name {
				continue
			}
			for _, one := range strings.Split(line[1], ", ") {
				listed++
				if what, version, _ := strings.Cut(one, " "); lowest[what] != version {
					t.Errorf("%s: the page says %s, go.mod %q", name, one, lowest[what])
				}
			}
		}
	}
	if listed < 15 {
		t.Errorf("found only %d versions", listed)
	}
}

// TestFuzzingIsBounded checks that each call of go test -fuzz limits minimization and names an
// existing target.
func TestFuzzingIsBounded(t *testing.T) {
	call := regexp.MustCompile("go test [^`\\n]*-fuzz [^`\\n]*")
	target := regexp.MustCompile(`-fuzz '\^(\w+)\$'`)
	targets, err := os.ReadFile("internal/spectest/fuzz_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".ci/run", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		calls := call.FindAllString(string(text), -1)
		if len(calls) == 0 {
			t.Errorf("%s does not run a fuzz target", name)
		}
		for _, call := range calls {
			if !strings.Contains(call, "-fuzzminimizetime 10x") {
				t.Errorf("%s: the fuzz command has no time limit: %s", name, call)
			}
			if named := target.FindStringSubmatch(call); named != nil && !strings.Contains(string(targets), "func "+named[1]+"(") {
				t.Errorf("%s: the fuzz target does not exist: %s", name, call)
			}
		}
	}
}

// TestTableNamesExistingFunctions checks that the table in docs/adopting.md names functions and methods.
func TestTableNamesExistingFunctions(t *testing.T) {
	_, table, _ := strings.Cut(readText(t, "docs/adopting.md"), "| to do | function |")
	table, _, _ = strings.Cut(table, "\n\n")
	source := map[string]string{"": "*.go", "ctydata.": "ctydata/*.go", "configschema.": "configschema/*.go"}
	for dir, pattern := range source {
		source[dir] = ""
		for _, name := range glob(t, pattern) {
			source[dir] += readText(t, name)
		}
	}
	names := regexp.MustCompile("`(ctydata\\.|configschema\\.|)(?:([A-Z]\\w*)\\.)?([A-Z]\\w*)`").FindAllStringSubmatch(table, -1)
	for _, name := range names {
		receiver := `\(\w* ?\*?` + name[2] + `\) `
		if name[2] == "" {
			receiver = ""
		}
		if !regexp.MustCompile(`(?m)^func ` + receiver + name[3] + `\(`).MatchString(source[name[1]]) {
			t.Errorf("%s is not a function", name[0])
		}
	}
	if listed := strings.Count(table, "`") / 2; len(names) != listed || listed < 20 {
		t.Errorf("%d of %d names", len(names), listed)
	}
}

// TestProgramInReadmeRuns checks that the README shows the lines and the output of a program that
// runs.
func TestProgramInReadmeRuns(t *testing.T) {
	squeeze := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	program := squeeze(strings.ReplaceAll(readText(t, "example_plan_test.go"), "// ", ""))
	readme := readText(t, "README.md")
	_, section, _ := strings.Cut(readme, "## The library\n")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := regexp.MustCompile("(?s)```(?:go)?\n(.*?)```").FindAllStringSubmatch(section, -1)
	if len(blocks) != 2 || !strings.Contains(section, "(example_plan_test.go)") {
		t.Fatalf("the document has %d code blocks, or no link to the program", len(blocks))
	}
	for _, block := range blocks {
		for line := range strings.Lines(block[1]) {
			if line != "...\n" && !strings.Contains(program, squeeze(line)) {
				t.Errorf("the program does not contain %s", line)
			}
		}
	}
}
