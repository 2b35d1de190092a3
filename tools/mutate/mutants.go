package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
)

// A mutant is one small change of one source file.
type mutant struct {
	File   string `json:"file"` // relative to the root of the repository
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Old    string `json:"old"`
	New    string `json:"new"`

	start, end int // the offsets of Old
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d:%d: %s -> %s", m.File, m.Line, m.Column, short(m.Old), short(m.New))
}

// operators lists the replacements of each binary operator: its negation, and a bound shifted by one.
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

// mutants returns all mutants of a file, in the order of the syntax tree.
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
	if err != nil {
		return nil, err
	}
	c := &collector{name: filepath.ToSlash(name), file: files.File(file.Pos()), source: source}
	ast.Inspect(file, func(n ast.Node) bool {
		c.collect(n)
		return true
	})
	return c.mutants, nil
}

func (c *collector) collect(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		for _, op := range operators[n.Op] {
			c.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), op.String())
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			c.add(n.OpPos, n.OpPos+1, "")
		}
	case *ast.IfStmt:
		c.condition(n.Cond)
	case *ast.Ident:
		switch n.Name {
		case "true":
			c.add(n.Pos(), n.End(), "false")
		case "false":
			c.add(n.Pos(), n.End(), "true")
		}
	case *ast.BasicLit:
		if i, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
			c.add(n.Pos(), n.End(), strconv.Itoa(i+1))
		}
	case *ast.BlockStmt:
		c.statements(n.List)
	case *ast.CaseClause:
		c.statements(n.Body)
	}
}

// condition makes a condition true and false. The operands stay, so no variable becomes unused.
func (c *collector) condition(cond ast.Expr) {
	old := c.text(cond.Pos(), cond.End())
	c.add(cond.Pos(), cond.End(), "("+old+") || true")
	c.add(cond.Pos(), cond.End(), "("+old+") && false")
}

// statements removes each statement without which the code can still compile.
func (c *collector) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.ReturnStmt, *ast.DeferStmt:
			c.add(s.Pos(), s.End(), "")
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				c.add(s.Pos(), s.End(), "")
			}
		}
	}
}

func (c *collector) text(from, to token.Pos) string {
	return string(c.source[c.file.Offset(from):c.file.Offset(to)])
}

func (c *collector) add(from, to token.Pos, replacement string) {
	position := c.file.Position(from)
	c.mutants = append(c.mutants, mutant{
		File: c.name, Line: position.Line, Column: position.Column,
		Old: c.text(from, to), New: replacement,
		start: c.file.Offset(from), end: c.file.Offset(to),
	})
}
