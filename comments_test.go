package objchange_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

var (
	word      = regexp.MustCompile(`\w+`)
	camel     = regexp.MustCompile(`^[A-Za-z]\w*[a-z0-9][A-Z]\w*$`)
	qualified = regexp.MustCompile(`\b([a-z]\w*)\.([A-Z]\w*)`)
	code      = regexp.MustCompile(`(?m)^\t.*$`)
	subject   = regexp.MustCompile(`^(?:A |An |The )?(\w+)`)
)

// TestCommentsNameWhatExists checks that Go comments contain no names that exist nowhere in the
// repository, and that the comment of a function or type begins with its name.
func TestCommentsNameWhatExists(t *testing.T) {
	withAllModules(t)
	fset, parsed := token.NewFileSet(), []*ast.File{}
	known := map[string]bool{"WebAssembly": true, "JavaScript": true, "GitHub": true, "OpenSSH": true, "GiB": true}
	packages := map[string]map[string]bool{} // the identifiers in the packages of each name
	for _, name := range files(t, ".go") {
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if packages[file.Name.Name] == nil {
			packages[file.Name.Name] = map[string]bool{}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				known[n.Name], packages[file.Name.Name][n.Name] = true, true
			case *ast.BasicLit: // names in the protocol and in code for other languages
				for _, w := range word.FindAllString(n.Value, -1) {
					known[w] = true
				}
			}
			return true
		})
		parsed = append(parsed, file)
	}
	for _, file := range parsed {
		for _, comment := range file.Comments {
			text, at := code.ReplaceAllString(comment.Text(), ""), fset.Position(comment.Pos())
			for _, w := range word.FindAllString(text, -1) {
				if camel.MatchString(w) && !known[w] {
					t.Errorf("%s: there is no %s", at, w)
				}
			}
			for _, q := range qualified.FindAllStringSubmatch(text, -1) {
				if ours := packages[q[1]]; ours != nil && !ours[q[2]] {
					t.Errorf("%s: there is no %s", at, q[0])
				}
			}
		}
		for _, decl := range file.Decls {
			name, doc := "", (*ast.CommentGroup)(nil)
			switch d := decl.(type) {
			case *ast.FuncDecl:
				name, doc = d.Name.Name, d.Doc
			case *ast.GenDecl:
				if spec, ok := d.Specs[0].(*ast.TypeSpec); ok && len(d.Specs) == 1 {
					name, doc = spec.Name.Name, d.Doc
				}
			}
			if found := subject.FindStringSubmatch(doc.Text()); found != nil && found[1] != name &&
				name != "" && name != "init" && name != "TestMain" && !strings.HasPrefix(name, "Example") {
				t.Errorf("%s: the comment of %s begins with %s", fset.Position(doc.Pos()), name, found[0])
			}
		}
	}
}
