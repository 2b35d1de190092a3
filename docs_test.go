package objchange_test

import (
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
)

// Documents, examples and links, held to the code.

// Every example is a whole program on the documentation site, and runs there: what
// it needs of the test package is in its own file.
func TestExamplesAreWhole(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, example := range doc.Examples(file) {
			examples++
			if example.Play == nil || example.Output == "" {
				t.Errorf("Example%s in %s does not run by itself", example.Name, name)
			}
		}
	}
	if err := server.Validate(); err != nil || examples < 30 {
		t.Errorf("%d examples, of a server with the schema: %v", examples, err)
	}
}

// TestLegacySDKProse holds what the rule book says of the legacy SDK to the code:
// a rule is excused in the phases that its table names, and nowhere else.
func TestLegacySDKProse(t *testing.T) {
	excused := map[string][]string{} // the phases, by the beginning of rules
	for _, line := range tableLines(t, ruleBook) {
		if rules, ok := strings.CutSuffix(line[0], "-…*"); ok {
			excused[strings.TrimPrefix(rules, "*")] = strings.Split(line[len(line)-1], ", ")
		}
	}
	if len(excused) != 2 {
		t.Fatalf("the book excuses %v", excused)
	}
	for _, rule := range objchange.Rules() {
		beginning, _, _ := strings.Cut(string(rule), "-")
		for _, phase := range []objchange.Phase{objchange.PhaseConfig, objchange.PhaseUpgrade, objchange.PhaseImport,
			objchange.PhaseRead, objchange.PhasePlan, objchange.PhaseReplan, objchange.PhaseApply} {
			says := slices.Contains(excused[beginning], string(phase))
			if does := rule.Law().ExcusedIn(phase); does != says {
				t.Errorf("%s in phase %s: the book says %t, the code %t", rule, phase, says, does)
			}
		}
	}
}

// TestLawAnchors follows every link to the law, in code and documents: to a rule
// or to a heading.
func TestLawAnchors(t *testing.T) {
	anchors := map[string]bool{}
	book, err := os.ReadFile(ruleBook)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headings.FindAllStringSubmatch(string(book), -1) {
		anchor := strings.ReplaceAll(strings.ToLower(regexp.MustCompile(`[^\w\s-]`).ReplaceAllString(h[1], "")), " ", "-")
		if anchors[anchor] {
			t.Errorf("two headings %q", h[1])
		}
		anchors[anchor] = true
	}
	check := func(file string, links *regexp.Regexp) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range links.FindAllStringSubmatch(string(text), -1) {
			if !anchors[link[1]] {
				t.Errorf("%s: the law has no anchor #%s", file, link[1])
			}
		}
	}
	check(ruleBook, regexp.MustCompile(`\]\(#([^)]*)\)`))
	fromElsewhere := regexp.MustCompile(`semantics\.md#([a-z0-9-]+)`)
	err = filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case !d.IsDir() && slices.Contains([]string{".go", ".md"}, filepath.Ext(file)):
			check(file, fromElsewhere)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// tableLines returns the lines of all tables of a document, cell by cell,
// without the headings.
func tableLines(t *testing.T, file string) (lines [][]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	inTable := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case !strings.HasPrefix(line, "|"):
			inTable = false
		case strings.HasPrefix(line, "| ---"):
			inTable = true
		case inTable:
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			lines = append(lines, cells)
		}
	}
	if len(lines) == 0 {
		t.Fatalf("no table in %s", file)
	}
	return lines
}

// TestFuzzingIsBounded: wherever fuzzing is called, making inputs smaller is limited,
// and a target that is named is there.
func TestFuzzingIsBounded(t *testing.T) {
	call := regexp.MustCompile("go test [^`\\n]*-fuzz [^`\\n]*")
	target := regexp.MustCompile(`-fuzz '\^(\w+)\$'`)
	targets, err := os.ReadFile("fuzz_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".ci/run", "docs/architecture.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		calls := call.FindAllString(string(text), -1)
		if len(calls) == 0 {
			t.Errorf("%s calls no fuzzing", name)
		}
		for _, call := range calls {
			if !strings.Contains(call, "-fuzzminimizetime 10x") {
				t.Errorf("%s: no limit: %s", name, call)
			}
			if named := target.FindStringSubmatch(call); named != nil && !strings.Contains(string(targets), "func "+named[1]+"(") {
				t.Errorf("%s: no such target: %s", name, call)
			}
		}
	}
}
