package explain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/print"
)

// maxCode is the maximum length of the code of a value in a sentence.
const maxCode = 100

// shown converts two values of a message to the form of findings. Terraform writes values as Go code.
// Other text, such as "(sensitive value)", stays unchanged. If values look the same when they are
// shortened, the result shows their difference.
func shown(was, now string) (string, string) {
	a, okA := parseValue(was)
	b, okB := parseValue(now)
	if okA && okB && was != now && print.Value(a) == print.Value(b) {
		d := print.Differ(a, b)
		return d.Texts()
	}
	text := func(code string, v cty.Value, ok bool) string {
		if ok {
			return print.Value(v)
		}
		return words.Short(code, maxCode)
	}
	return text(was, a, okA), text(now, b, okB)
}

// parseValue returns the value of a Go expression of package cty.
func parseValue(code string) (v cty.Value, ok bool) {
	if !strings.HasPrefix(code, "cty.") {
		return cty.NilVal, false
	}
	defer func() { ok = recover() == nil }() // valueOf panics for any other code
	expr, err := parser.ParseExpr(code)
	return valueOf(expr), err == nil
}

// values has the values that the names of constants and of functions of cty determine.
var values = map[string]cty.Value{
	"True": cty.True, "False": cty.False, "Zero": cty.Zero, "DynamicVal": cty.DynamicVal,
	"EmptyObjectVal": cty.EmptyObjectVal, "EmptyTupleVal": cty.EmptyTupleVal,
	"PositiveInfinity": cty.PositiveInfinity, "NegativeInfinity": cty.NegativeInfinity, "NilVal": cty.NilVal,
	"NullVal": cty.NullVal(cty.DynamicPseudoType), "UnknownVal": cty.DynamicVal,
	"ListValEmpty": cty.EmptyTupleVal, "SetValEmpty": cty.EmptyTupleVal, "MapValEmpty": cty.EmptyObjectVal,
}

// valueOf returns the value of an expression. Types do not matter for messages: lists and sets
// become tuples, and maps become objects. It panics if the expression is no value.
func valueOf(expr ast.Expr) cty.Value {
	switch expr := expr.(type) {
	case *ast.BasicLit:
		if expr.Kind == token.STRING {
			return cty.StringVal(stringOf(expr))
		}
		return cty.MustParseNumberVal(expr.Value)
	case *ast.UnaryExpr:
		return valueOf(expr.X).Negate()
	case *ast.CompositeLit:
		return composed(expr)
	case *ast.SelectorExpr:
		if v, ok := values[expr.Sel.Name]; ok {
			return v
		}
	case *ast.CallExpr:
		function := expr.Fun.(*ast.SelectorExpr)
		if id, ok := function.X.(*ast.Ident); !ok || id.Name != "cty" {
			return valueOf(function.X) // refinements and marks do not change the shown value
		}
		if v, ok := values[function.Sel.Name]; ok {
			return v
		}
		if function.Sel.Name == "MustParseNumberVal" {
			return cty.MustParseNumberVal(stringOf(expr.Args[0]))
		}
		return valueOf(expr.Args[0])
	}
	panic("not a value of cty")
}

// composed returns the value of a literal of a map or a slice.
func composed(lit *ast.CompositeLit) cty.Value {
	if _, isMap := lit.Type.(*ast.MapType); !isMap {
		var elements []cty.Value
		for _, elt := range lit.Elts {
			elements = append(elements, valueOf(elt))
		}
		return cty.TupleVal(elements)
	}
	fields := map[string]cty.Value{}
	for _, elt := range lit.Elts {
		kv := elt.(*ast.KeyValueExpr)
		fields[stringOf(kv.Key)] = valueOf(kv.Value)
	}
	return cty.ObjectVal(fields)
}

func stringOf(expr ast.Expr) string {
	text, err := strconv.Unquote(expr.(*ast.BasicLit).Value)
	if err != nil {
		panic(err)
	}
	return text
}

// goPath converts a path as Go code of cty to the form of findings.
func goPath(code string) (path string) {
	for _, m := range goStep.FindAllStringSubmatch(code, -1) {
		if key, _ := shown(m[2], ""); key != "" {
			path += "[" + key + "]"
		} else {
			path += "." + m[1]
		}
	}
	return path
}

// goStep matches a step to an attribute, or to an element with a number or a string as its key.
var goStep = regexp.MustCompile(`GetAttrStep\{Name:"([^"]*)"\}` +
	`|IndexStep\{Key:(cty\.\w+\((?:"(?:[^"\\]|\\.)*"|[^()"])*\))\}`)
