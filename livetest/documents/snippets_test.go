package documents_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// These tests compile the Go code in the documents. A snippet can use the declarations and
// imports of its file in testdata/snippets. A line "..." is ignored.

const repository = "../.."

// presumed maps the beginning of the line above the code in docs/rules to the file with the
// declarations that the code uses. In other documents, the file is guides.go.
var presumed = map[string]string{
	"terraform-plugin-framework": "framework.go",
	"SDK v2":                     "sdkv2.go",
	"terraform-plugin-go":        "plugin.go",
	"A caller":                   "library.go",
}

// A snippet is a block of Go in a document.
type snippet struct {
	file  string
	line  int    // the first line in the document
	under string // the beginning of the last line above it, up to a comma or a colon
	text  string
}

func (s snippet) String() string { return s.file + ":" + strconv.Itoa(s.line) }

// TestGoInDocumentsCompiles checks that all Go code in the documents compiles. In a diff, it checks the code
// before and after the change.
func TestGoInDocumentsCompiles(t *testing.T) {
	fset := token.NewFileSet()
	compiled := importer.ForCompiler(fset, "gc", exported(t))
	all := snippets(t, "go")
	for _, s := range snippets(t, "diff") {
		all = append(all, s.side("-"), s.side("+"))
	}
	for _, s := range all {
		if strings.HasPrefix(s.text, "package ") && slices.Contains(withFiles, s.file) {
			continue // a file: see TestFilesInDocuments
		}
		name := "guides.go"
		if strings.HasPrefix(s.file, "docs/rules/") {
			name = presumed[s.under]
		}
		if name == "" {
			t.Errorf("%s: nothing tells what Go below %q presumes", s, s.under)
			continue
		}
		for _, err := range s.compile(t, fset, compiled, filepath.Join("testdata", "snippets", name)) {
			t.Error(err)
		}
	}
}

// side returns the lines of a diff with the sign, and the lines that do not change. The other lines are
// empty, so the lines keep their numbers.
func (s snippet) side(sign string) snippet {
	lines := strings.SplitAfter(s.text, "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, sign), strings.HasPrefix(line, " "):
			lines[i] = line[1:]
		default:
			lines[i] = "\n"
		}
	}
	s.text = strings.Join(lines, "")
	return s
}

// TestTerraformInDocumentsIsFormatted checks that all configurations in the documents are valid and formatted
// like terraform fmt.
func TestTerraformInDocumentsIsFormatted(t *testing.T) {
	for _, s := range snippets(t, "hcl") {
		if _, diags := hclsyntax.ParseConfig([]byte(s.text), s.file, hcl.Pos{Line: s.line, Column: 1}); diags.HasErrors() {
			t.Error(diags)
		}
		if diff := cmp.Diff(string(hclwrite.Format([]byte(s.text))), s.text); diff != "" {
			t.Errorf("%s (-formatted +is):\n%s", s, diff)
		}
	}
}

// compile returns the errors in the snippet. Unused declarations are allowed.
func (s snippet) compile(t *testing.T, fset *token.FileSet, compiled types.Importer, presumed string) (wrong []error) {
	t.Helper()
	given, err := parser.ParseFile(fset, presumed, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	file, err := s.complete(fset, given)
	if err != nil {
		return []error{err}
	}
	check := types.Config{Importer: compiled, Error: func(err error) {
		if err, ok := err.(types.Error); !ok || !err.Soft {
			wrong = append(wrong, err)
		}
	}}
	_, _ = check.Check("snippet", fset, []*ast.File{given, file}, nil) // the errors are reported above
	return wrong
}

// complete returns a file for the snippet, which consists of declarations, statements or elements
// of a schema. The file has the required imports among the given ones.
func (s snippet) complete(fset *token.FileSet, given *ast.File) (*ast.File, error) {
	text := elided.ReplaceAllString(strings.ReplaceAll(s.text, "{ … }", "{}"), "//")
	var wrong scanner.ErrorList
	body := [2]string{"func _() {", "}"}
	if strings.Contains(text, "\treturn err\n") {
		body = [2]string{"func _() error {", "return nil }"}
	}
	for _, around := range [][2]string{{"", ""}, body, {"var _ = attributes{", "}"}} {
		parse := func(imports string) (*ast.File, error) {
			return parser.ParseFile(fset, "snippet.go", fmt.Sprintf("package snippet\n%s%s\n//line %s\n%s%s",
				imports, around[0], s, text, around[1]), 0)
		}
		file, err := parse("")
		if err == nil {
			return parse(imports(file, given))
		}
		if list := err.(scanner.ErrorList); wrong == nil || list[0].Pos.Line > wrong[0].Pos.Line { // parsed furthest
			wrong = list
		}
	}
	return nil, wrong
}

// elided matches where a snippet leaves code out.
var elided = regexp.MustCompile(`(?m)^\s*\.\.\.`)

// imports returns the code of the given imports that the file uses.
func imports(file, given *ast.File) (code string) {
	for _, spec := range given.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := filepath.Base(path)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if slices.ContainsFunc(file.Unresolved, func(id *ast.Ident) bool { return id.Name == name }) {
			code += fmt.Sprintf("import %s %q\n", name, path)
		}
	}
	return code
}

// snippets returns all code in the language in the documents of the repository.
func snippets(t *testing.T, language string) (all []snippet) {
	t.Helper()
	err := filepath.WalkDir(repository, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.IsDir() && (d.Name() == "testdata" || d.Name() == "upstream"):
			return fs.SkipDir // output of programs, and code for other projects
		case err != nil || filepath.Ext(name) != ".md":
			return err
		}
		text, err := os.ReadFile(name)
		file, _ := filepath.Rel(repository, name)
		all = append(all, snippetsIn(filepath.ToSlash(file), string(text), language)...)
		return err
	})
	if err != nil || len(all) < 5 {
		t.Fatalf("%d snippets in %s: %v", len(all), language, err)
	}
	return all
}

func snippetsIn(file, text, language string) (all []snippet) {
	var s *snippet
	under := ""
	for i, line := range strings.Split(text, "\n") {
		switch {
		case s == nil && strings.HasPrefix(strings.TrimSpace(line), "```"+language):
			s = &snippet{file: file, line: i + 2, under: under}
		case s == nil && line != "" && !strings.HasPrefix(line, "```"):
			under, _, _ = strings.Cut(line, ":")
			under, _, _ = strings.Cut(under, ", ")
		case s != nil && strings.TrimSpace(line) == "```":
			all, s = append(all, *s), nil
		case s != nil:
			s.text += line + "\n"
		}
	}
	return all
}

// exported returns a function that opens the export data of packages for the importer: the
// packages that testdata/snippets imports, and their dependencies.
func exported(t *testing.T) func(path string) (io.ReadCloser, error) {
	t.Helper()
	files, err := filepath.Glob("testdata/snippets/*.go")
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			paths[path] = true
		}
	}
	list := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, slices.Sorted(maps.Keys(paths))...)...)
	list.Env, list.Stderr = append(os.Environ(), "GOWORK="), os.Stderr // documents describe all modules of the workspace
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	export := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		export[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(export[path]) }
}
