package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A mutant is one small fault in a source file.
type mutant struct {
	file       string // relative to the root of the workspace
	line       int
	fault      string
	start, end int    // of the replaced code
	code       string // in its place
}

func (m mutant) String() string { return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.fault) }

// operators lists the faults of each binary operator: its negation, and a bound shifted by one.
var operators = map[token.Token][]token.Token{
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LSS: {token.GEQ, token.LEQ}, token.GEQ: {token.LSS, token.GTR},
	token.GTR: {token.LEQ, token.GEQ}, token.LEQ: {token.GTR, token.LSS},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD},
}

// A collector collects the mutants of one file.
type collector struct {
	name    string
	file    *token.File
	source  []byte
	mutants []mutant
}

// mutants returns all mutants of a file, in the order of the syntax tree. Some of them do not compile.
func mutants(root, path string) ([]mutant, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	name, err := filepath.Rel(root, path)
	c := &collector{name: filepath.ToSlash(name), file: files.File(file.Pos()), source: source}
	ast.Inspect(file, func(n ast.Node) bool {
		c.collect(n)
		return true
	})
	return c.mutants, err
}

func (c *collector) collect(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		for _, op := range operators[n.Op] {
			code := fmt.Sprintf("((%s) %s (%s))", c.text(n.X), op, c.text(n.Y))
			c.add(n, n.Op.String()+" -> "+op.String()+" in "+c.text(n), code)
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			c.add(n, "no ! in "+c.text(n), c.text(n.X))
		}
	case *ast.IfStmt:
		c.add(n.Cond, "always if "+c.text(n.Cond), "("+c.text(n.Cond)+") || true")
		c.add(n.Cond, "never if "+c.text(n.Cond), "("+c.text(n.Cond)+") && false")
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			c.add(n, "not "+n.Name, "!"+n.Name)
		}
	case *ast.BasicLit:
		if i, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
			c.add(n, fmt.Sprintf("%d -> %d", i, i+1), strconv.Itoa(i+1))
		}
	case *ast.BlockStmt:
		c.statements(n.List)
	case *ast.CaseClause:
		c.statements(n.Body)
	}
}

// statements removes each statement without which the code can still compile.
func (c *collector) statements(list []ast.Stmt) {
	for _, s := range list {
		assign, ok := s.(*ast.AssignStmt)
		switch s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.ReturnStmt:
			ok = true
		}
		if ok && (assign == nil || assign.Tok != token.DEFINE) {
			c.add(s, "without "+c.text(s), "if false { "+c.text(s)+" }")
		}
	}
}

func (c *collector) text(n ast.Node) string {
	return string(c.source[c.file.Offset(n.Pos()):c.file.Offset(n.End())])
}

func (c *collector) add(n ast.Node, fault, code string) {
	fault = strings.Join(strings.Fields(fault), " ")
	if len(fault) > 90 {
		fault = fault[:87] + "..."
	}
	c.mutants = append(c.mutants, mutant{
		c.name, c.file.Line(n.Pos()), fault, c.file.Offset(n.Pos()), c.file.Offset(n.End()), code,
	})
}
