package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
)

// A mutant is one way to break the package.
type mutant struct {
	id       int
	file     string
	line     int
	function string
	was, is  string
	nth      int // of the same in the function
}

// text names a mutant without saying where it is, which changes every day.
func (m *mutant) text() string {
	text := m.file + " " + m.function + ": " + m.was + " → " + m.is
	if m.nth > 1 {
		text += " #" + strconv.Itoa(m.nth)
	}
	return text
}

//go:embed switch.go.txt
var switches []byte

// mutate finds the mutants of the files. The overlay holds, by path, the files with
// all mutants in them, which are switched by number.
func mutate(root string, patterns []string) ([]*mutant, map[string][]byte, error) {
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedExportFile | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir: root,
		ParseFile: func(fset *token.FileSet, path string, src []byte) (*ast.File, error) {
			return parser.ParseFile(fset, path, src, parser.SkipObjectResolution) // comments would end up anywhere
		},
	}, ".")
	if err != nil {
		return nil, nil, err
	}
	pkg := pkgs[0]
	if len(pkg.Errors) > 0 {
		return nil, nil, pkg.Errors[0]
	}
	mu := &mutator{pkg: pkg, named: map[string]int{}}
	overlay := map[string][]byte{}
	for i, file := range pkg.Syntax {
		path := pkg.CompiledGoFiles[i]
		if !slices.ContainsFunc(patterns, func(p string) bool { ok, _ := filepath.Match(p, filepath.Base(path)); return ok }) {
			continue
		}
		if mu.src, err = os.ReadFile(path); err != nil {
			return nil, nil, err
		}
		mu.file = filepath.Base(path)
		var out bytes.Buffer
		if err := printer.Fprint(&out, token.NewFileSet(), mu.rewrite(file)); err != nil {
			return nil, nil, err
		}
		overlay[path] = out.Bytes()
	}
	overlay[filepath.Join(filepath.Dir(pkg.CompiledGoFiles[0]), "mutate_switch.go")] = switches
	return mu.mutants, overlay, nil
}

// writeOverlay writes the files for the -overlay flag, and returns its value.
func writeOverlay(dir string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for path, content := range files {
		to := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(to, content, 0o600); err != nil {
			return "", err
		}
		replace[path] = to
	}
	index, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, "overlay.json")
	return to, os.WriteFile(to, index, 0o600)
}

// A mutator puts mutants into files.
type mutator struct {
	pkg      *packages.Package
	file     string
	src      []byte
	function string
	spans    map[ast.Node]span
	mutants  []*mutant
	named    map[string]int
}

// A span is where a node was before its parts were replaced.
type span struct {
	parent   ast.Node
	pos, end token.Pos
}

func (mu *mutator) rewrite(file *ast.File) ast.Node {
	mu.spans = map[ast.Node]span{}
	return astutil.Apply(file, func(c *astutil.Cursor) bool {
		n := c.Node()
		if n == nil {
			return true
		}
		mu.spans[n] = span{c.Parent(), n.Pos(), n.End()}
		switch n := n.(type) {
		case *ast.FuncDecl:
			mu.function = n.Name.Name
			if n.Recv != nil {
				mu.function = strings.TrimPrefix(types.ExprString(n.Recv.List[0].Type), "*") + "." + n.Name.Name
			}
		case *ast.GenDecl:
			if n.Tok != token.VAR {
				return false
			}
			if c.Parent() == file {
				mu.function = n.Specs[0].(*ast.ValueSpec).Names[0].Name
			}
		}
		return true
	}, mu.leave)
}

// leave replaces a node, of which the parts have been.
func (mu *mutator) leave(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case ast.Stmt:
		if c.Index() >= 0 && removable(n) && !mu.isEnd(c) {
			c.Replace(&ast.IfStmt{Cond: not(mu.on(n, "removed")), Body: &ast.BlockStmt{List: []ast.Stmt{n}}})
		}
	case ast.Expr:
		if tv := mu.pkg.TypesInfo.Types[n]; tv.IsValue() && isRead(c) {
			switch basic, ok := tv.Type.Underlying().(*types.Basic); {
			case !ok:
			case basic.Info()&types.IsBoolean != 0:
				c.Replace(mu.condition(c, n, tv))
			case basic.Info()&types.IsInteger != 0:
				c.Replace(mu.number(c, n, tv))
			}
		}
	}
	return true
}

// isEnd reports whether a statement is the return at the end of a function, with
// nothing to go on with.
func (mu *mutator) isEnd(c *astutil.Cursor) bool {
	_, isReturn := c.Node().(*ast.ReturnStmt)
	body, ok := c.Parent().(*ast.BlockStmt)
	if !isReturn || !ok || c.Index() != len(body.List)-1 {
		return false
	}
	_, ok = mu.spans[body].parent.(*ast.FuncDecl)
	return ok
}

func removable(stmt ast.Stmt) bool {
	switch s := stmt.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.DeferStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.ReturnStmt:
		return len(s.Results) == 0
	}
	return false
}

// isRead reports whether an expression is where values are made use of.
func isRead(c *astutil.Cursor) bool {
	switch p := c.Parent().(type) {
	case *ast.SelectorExpr:
		return c.Name() != "Sel"
	case *ast.KeyValueExpr:
		return c.Name() != "Key"
	case *ast.AssignStmt:
		return c.Name() != "Lhs"
	case *ast.RangeStmt:
		return c.Name() == "X"
	case *ast.UnaryExpr:
		return p.Op != token.AND
	case *ast.ExprStmt, *ast.DeferStmt, *ast.IncDecStmt, *ast.ArrayType:
		return false
	}
	return true
}

// condition returns a condition with the mutants where it always or never holds,
// but for those that are noticed whenever others are: a && b never holds if a never
// does, and always does only if a and b do.
func (mu *mutator) condition(c *astutil.Cursor, e ast.Expr, tv types.TypeAndValue) ast.Expr {
	if tv.Value != nil {
		return binary(mu.on(e, "not "+mu.source(e)), token.NEQ, e)
	}
	if _, ok := e.(*ast.ParenExpr); ok {
		return e
	}
	always, never := true, true
	switch p := mu.around(e).(type) {
	case *ast.BinaryExpr:
		always, never = p.Op != token.LOR, p.Op != token.LAND
	case *ast.UnaryExpr:
		always, never = false, false
	case *ast.ForStmt:
		always = false // that only runs for ever
	}
	b, ok := e.(*ast.BinaryExpr)
	if ok {
		always, never = always && b.Op != token.LAND, never && b.Op != token.LOR
		e = mu.compared(b)
	}
	if never {
		e = binary(not(mu.on(c.Node(), "false")), token.LAND, e)
	}
	if always {
		e = binary(mu.on(c.Node(), "true"), token.LOR, e)
	}
	return e
}

// around returns what an expression is part of, parentheses aside.
func (mu *mutator) around(e ast.Expr) ast.Node {
	for n := mu.spans[e].parent; ; n = mu.spans[n].parent {
		if _, ok := n.(*ast.ParenExpr); !ok {
			return n
		}
	}
}

var boundary = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}

// compared returns a comparison with the mutant that has another boundary.
func (mu *mutator) compared(b *ast.BinaryExpr) ast.Expr {
	op, ok := boundary[b.Op]
	if !ok {
		return b
	}
	on := mu.on(b, mu.withOperator(b, op))
	return binary(binary(on, token.LAND, binary(b.X, op, b.Y)), token.LOR, binary(not(on), token.LAND, b))
}

var otherSum = map[token.Token]token.Token{token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.MUL}

// number returns an integer with the mutant that is another: a sum made otherwise,
// a constant one up, a case that never is.
func (mu *mutator) number(c *astutil.Cursor, e ast.Expr, tv types.TypeAndValue) ast.Expr {
	if tv.Value == nil {
		if b, ok := e.(*ast.BinaryExpr); ok && otherSum[b.Op] != 0 {
			op := otherSum[b.Op]
			return mu.pick(e, mu.withOperator(b, op), tv, binary(b.X, op, b.Y))
		}
		return e
	}
	if _, ok := c.Parent().(*ast.CaseClause); ok {
		return mu.pick(e, "no case", tv, &ast.UnaryExpr{Op: token.XOR, X: e})
	}
	if p, ok := c.Parent().(ast.Expr); ok && mu.pkg.TypesInfo.Types[p].Value != nil || !isNumeral(e) {
		return e
	}
	return mu.pick(e, mu.source(e)+" + 1", tv, binary(e, token.ADD, &ast.BasicLit{Kind: token.INT, Value: "1"}))
}

func isNumeral(e ast.Expr) bool {
	if minus, ok := e.(*ast.UnaryExpr); ok {
		e = minus.X
	}
	_, ok := e.(*ast.BasicLit)
	return ok
}

// on notes a mutant, and returns the condition that it is on.
func (mu *mutator) on(n ast.Node, is string) ast.Expr {
	m := &mutant{
		id: len(mu.mutants) + 1, file: mu.file, line: mu.pkg.Fset.Position(mu.spans[n].pos).Line,
		function: mu.function, was: mu.source(n), is: is,
	}
	mu.mutants = append(mu.mutants, m)
	mu.named[m.text()]++
	m.nth = mu.named[m.text()]
	return call("µ", &ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(m.id)})
}

// qualifier returns what stands before a name of the package in the code.
func (mu *mutator) qualifier(p *types.Package) string {
	if p == mu.pkg.Types {
		return ""
	}
	return p.Name()
}

func (mu *mutator) pick(e ast.Expr, is string, tv types.TypeAndValue, other ast.Expr) ast.Expr {
	ty := types.TypeString(types.Default(tv.Type), mu.qualifier)
	return call("µpick["+ty+"]", mu.on(e, is).(*ast.CallExpr).Args[0], e, other)
}

// source returns the text of a node in one line.
func (mu *mutator) source(n ast.Node) string {
	return mu.text(mu.spans[n].pos, mu.spans[n].end)
}

// withOperator returns the text of an operation with another operator.
func (mu *mutator) withOperator(b *ast.BinaryExpr, op token.Token) string {
	end := b.OpPos + token.Pos(len(b.Op.String()))
	return mu.text(mu.spans[b].pos, b.OpPos) + " " + op.String() + " " + mu.text(end, mu.spans[b].end)
}

func (mu *mutator) text(pos, end token.Pos) string {
	file := mu.pkg.Fset.File(pos)
	text := strings.Join(strings.Fields(string(mu.src[file.Offset(pos):file.Offset(end)])), " ")
	if long := []rune(text); len(long) > maxText {
		return string(long[:maxText]) + "…"
	}
	return text
}

// maxText is how much of a statement is told.
const maxText = 100

func not(e ast.Expr) ast.Expr { return &ast.UnaryExpr{Op: token.NOT, X: e} }

func binary(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	return &ast.ParenExpr{X: &ast.BinaryExpr{X: x, Op: op, Y: y}}
}

func call(f string, args ...ast.Expr) ast.Expr {
	return &ast.CallExpr{Fun: ast.NewIdent(f), Args: args}
}
