package explain

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/print"
)

// shown converts a value of a message to the form of findings. Terraform writes values as Go code.
// Other text, such as "(sensitive value)", stays unchanged.
func shown(code, inText string) string {
	if v, err := parseValue(code); strings.HasPrefix(code, "cty.") && err == nil {
		return print.Value(v)
	}
	return words.Short(inText, maxCode)
}

// apart returns two values that look the same when they are shortened, in a form that shows their
// difference.
func apart(was, now string) (string, string) {
	a, errA := parseValue(was)
	b, errB := parseValue(now)
	if errA != nil || errB != nil {
		return was, now
	}
	d := print.Differ(a, b)
	return d.Texts()
}

var errNoValue = errors.New("not a value of cty")

// parseValue returns the value of a Go expression of package cty.
func parseValue(code string) (v cty.Value, err error) {
	defer func() {
		if recover() != nil { // such as elements of different types
			err = errNoValue
		}
	}()
	expr, err := parser.ParseExpr(code)
	if err != nil {
		return cty.NilVal, err
	}
	return valueOf(expr)
}

var constants = map[string]cty.Value{
	"True": cty.True, "False": cty.False, "Zero": cty.Zero, "DynamicVal": cty.DynamicVal,
	"EmptyObjectVal": cty.EmptyObjectVal, "EmptyTupleVal": cty.EmptyTupleVal,
	"PositiveInfinity": cty.PositiveInfinity, "NegativeInfinity": cty.NegativeInfinity, "NilVal": cty.NilVal,
}

func valueOf(expr ast.Expr) (cty.Value, error) {
	switch expr := expr.(type) {
	case *ast.SelectorExpr:
		if v, ok := constants[expr.Sel.Name]; ok && isCty(expr.X) {
			return v, nil
		}
	case *ast.CallExpr:
		fun, ok := expr.Fun.(*ast.SelectorExpr)
		switch {
		case !ok:
		case isCty(fun.X) && len(expr.Args) == 1:
			return made(fun.Sel.Name, expr.Args[0])
		default: // a method: refinements and marks do not change the shown value
			return valueOf(fun.X)
		}
	}
	return cty.NilVal, errNoValue
}

// made returns the result of a function of cty for its argument.
func made(function string, arg ast.Expr) (cty.Value, error) {
	switch function {
	case "StringVal":
		s, err := stringOf(arg)
		return cty.StringVal(s), err
	case "NumberIntVal", "NumberUIntVal", "NumberFloatVal", "MustParseNumberVal", "NumberVal":
		return numberOf(arg)
	case "ObjectVal", "MapVal":
		parts, err := fieldsOf(arg)
		if err != nil {
			return cty.NilVal, err
		}
		if function == "MapVal" {
			return cty.MapVal(parts), nil
		}
		return cty.ObjectVal(parts), nil
	case "ListVal", "SetVal", "TupleVal":
		parts, err := elementsOf(arg)
		if err != nil {
			return cty.NilVal, err
		}
		return map[string]func([]cty.Value) cty.Value{"ListVal": cty.ListVal, "SetVal": cty.SetVal, "TupleVal": cty.TupleVal}[function](parts), nil
	}
	ty, err := typeOf(arg)
	if err != nil {
		return cty.NilVal, err
	}
	switch function {
	case "NullVal":
		return cty.NullVal(ty), nil
	case "UnknownVal":
		return cty.UnknownVal(ty), nil
	case "ListValEmpty":
		return cty.ListValEmpty(ty), nil
	case "SetValEmpty":
		return cty.SetValEmpty(ty), nil
	case "MapValEmpty":
		return cty.MapValEmpty(ty), nil
	}
	return cty.NilVal, errNoValue
}

func isCty(expr ast.Expr) bool {
	id, ok := expr.(*ast.Ident)
	return ok && id.Name == "cty"
}

func stringOf(expr ast.Expr) (string, error) {
	if lit, ok := expr.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		return strconv.Unquote(lit.Value)
	}
	return "", errNoValue
}

func numberOf(expr ast.Expr) (cty.Value, error) {
	sign, text := "", ""
	if minus, ok := expr.(*ast.UnaryExpr); ok && minus.Op == token.SUB {
		sign, expr = "-", minus.X
	}
	if lit, ok := expr.(*ast.BasicLit); ok {
		text = strings.Trim(lit.Value, `"`)
	}
	f, _, err := big.ParseFloat(sign+text, 10, 512, big.ToNearestEven)
	if err != nil {
		return cty.NilVal, err
	}
	return cty.NumberVal(f), nil
}

// fieldsOf returns the values in a map literal.
func fieldsOf(expr ast.Expr) (map[string]cty.Value, error) {
	lit, ok := expr.(*ast.CompositeLit)
	if !ok {
		return nil, errNoValue
	}
	parts := map[string]cty.Value{}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return nil, errNoValue
		}
		key, err := stringOf(kv.Key)
		if err == nil {
			parts[key], err = valueOf(kv.Value)
		}
		if err != nil {
			return nil, err
		}
	}
	return parts, nil
}

func elementsOf(expr ast.Expr) (parts []cty.Value, err error) {
	lit, ok := expr.(*ast.CompositeLit)
	if !ok {
		return nil, errNoValue
	}
	for _, elt := range lit.Elts {
		v, err := valueOf(elt)
		if err != nil {
			return nil, err
		}
		parts = append(parts, v)
	}
	return parts, nil
}

var primitives = map[string]cty.Type{
	"String": cty.String, "Number": cty.Number, "Bool": cty.Bool, "DynamicPseudoType": cty.DynamicPseudoType,
	"EmptyObject": cty.EmptyObject, "EmptyTuple": cty.EmptyTuple,
}

// typeOf returns the type of a Go expression of package cty.
func typeOf(expr ast.Expr) (cty.Type, error) {
	switch expr := expr.(type) {
	case *ast.SelectorExpr:
		if ty, ok := primitives[expr.Sel.Name]; ok && isCty(expr.X) {
			return ty, nil
		}
	case *ast.CallExpr:
		fun, ok := expr.Fun.(*ast.SelectorExpr)
		if !ok || len(expr.Args) == 0 {
			break
		}
		return typeMade(fun.Sel.Name, expr.Args[0])
	}
	return cty.NilType, errNoValue
}

func typeMade(function string, arg ast.Expr) (cty.Type, error) {
	switch function {
	case "Object", "ObjectWithOptionalAttrs", "Tuple":
		lit, ok := arg.(*ast.CompositeLit)
		if !ok {
			break
		}
		fields, elems := map[string]cty.Type{}, []cty.Type{}
		for _, elt := range lit.Elts {
			kv, isField := elt.(*ast.KeyValueExpr)
			if isField {
				elt = kv.Value
			}
			ty, err := typeOf(elt)
			if err != nil {
				return cty.NilType, err
			}
			elems = append(elems, ty)
			if isField {
				key, err := stringOf(kv.Key)
				if err != nil {
					return cty.NilType, err
				}
				fields[key] = ty
			}
		}
		if function == "Tuple" {
			return cty.Tuple(elems), nil
		}
		return cty.Object(fields), nil
	}
	elem, err := typeOf(arg)
	if err != nil {
		return cty.NilType, err
	}
	switch function {
	case "List":
		return cty.List(elem), nil
	case "Set":
		return cty.Set(elem), nil
	case "Map":
		return cty.Map(elem), nil
	}
	return cty.NilType, errNoValue
}

// goPath converts a path as Go code of cty to the form of findings.
func goPath(code string) (string, bool) {
	expr, err := parser.ParseExpr(code)
	lit, ok := expr.(*ast.CompositeLit)
	if err != nil || !ok {
		return "", false
	}
	var path cty.Path
	for _, elt := range lit.Elts {
		step, ok := elt.(*ast.CompositeLit)
		if !ok || len(step.Elts) != 1 {
			return "", false
		}
		kv, ok := step.Elts[0].(*ast.KeyValueExpr)
		if !ok {
			return "", false
		}
		if s, err := stringOf(kv.Value); err == nil {
			path = append(path, cty.GetAttrStep{Name: s})
		} else if v, err := valueOf(kv.Value); err == nil {
			path = append(path, cty.IndexStep{Key: v})
		} else {
			return "", false
		}
	}
	return objchange.PathString(path), true
}
