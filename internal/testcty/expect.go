package testcty

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// Compiled compiles a valid schema. It returns nil for nil.
func Compiled(block *configschema.Block) *objchange.Schema {
	if block == nil {
		return nil
	}
	schema, err := objchange.Compile(block)
	if err != nil {
		panic(err)
	}
	return schema
}

// LibraryRules returns the rules that package objchange itself checks, without those of packages
// tfcheck and tfplan, which follow in the table.
func LibraryRules() []objchange.Rule {
	all := objchange.Rules()
	return all[:slices.Index(all, objchange.RuleWriteOnlyNotNull)+1]
}

// Summary writes violations as "path rule". A "?" follows violations that are not Rejected.
func Summary(vs objchange.Violations) []string {
	lines := []string{}
	for _, v := range vs {
		line := v.PathString() + " " + string(v.Rule)
		if v.Severity != objchange.Rejected {
			line += "?"
		}
		lines = append(lines, line)
	}
	return lines
}

// Expect compares violations with lines in the format of Summary.
func Expect(t *testing.T, got objchange.Violations, want ...string) {
	t.Helper()
	expectLines(t, got, Summary(got), want)
}

// ExpectPhases checks a lifecycle and compares the violations with lines in the format of Summary,
// each preceded by its phase.
func ExpectPhases(t *testing.T, l objchange.Lifecycle, want ...string) {
	t.Helper()
	found := l.Check()
	lines := Summary(found)
	for i, line := range lines {
		lines[i] = string(found[i].Phase) + ": " + line
	}
	expectLines(t, found, lines, want)
}

func expectLines(t *testing.T, found objchange.Violations, got, want []string) {
	t.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("violations (-want +got):\n%s%v", diff, found.Err())
	}
}

// ExpectRefusal expects that a function returned no value, and an InputError with the violation as
// its first problem.
func ExpectRefusal(t *testing.T, got cty.Value, err error, rule objchange.Rule, place string) {
	t.Helper()
	var unusable *objchange.InputError
	if !errors.As(err, &unusable) {
		t.Errorf("the error is %v, want an InputError", err)
		return
	}
	Expect(t, unusable.Problems[:1], place+" "+string(rule))
	if got != cty.NilVal {
		t.Errorf("got a value and an error: %#v", got)
	}
}

// tableBody matches the lines of a table in Markdown below its heading.
var tableBody = regexp.MustCompile(`(?m)^ *\| ---.*\n((?: *\|.*\n)*)`)

// TableLines returns the cells of all tables in a Markdown document, line by line, without
// headings.
func TableLines(t *testing.T, file string) (lines [][]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tableBody.FindAllSubmatch(text, -1) {
		for line := range strings.Lines(string(table[1])) {
			cells := strings.Split(strings.Trim(line, "| \n"), "|")
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

// ExportedFunctions returns the names of the exported functions of the package in the directory,
// without methods.
func ExportedFunctions(t *testing.T, dir string) (names []string) {
	t.Helper()
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pkg.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
				names = append(names, f.Name.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}
