// Package opa adds functions to Rego that check plans of Terraform. Both return the report of
// [tfplan.Check] as an object:
//
//	objchange.check(plan, schemas)
//	objchange.check_applied(plan, schemas, state)
//
// To add the functions, import the package. A document that cannot be used ends the evaluation with
// an error.
package opa

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfplan"
)

// init registers the functions for all policies of the process. The report depends only on the
// arguments. OPA may therefore cache it for other calls (Memoize), and may call the functions early
// (not Nondeterministic).
func init() {
	rego.RegisterBuiltin2(
		&rego.Function{Name: "objchange.check", Decl: types.NewFunction(types.Args(types.A, types.A), types.A), Memoize: true},
		func(_ rego.BuiltinContext, plan, schemas *ast.Term) (*ast.Term, error) {
			return check(schemas, plan, nil)
		},
	)
	rego.RegisterBuiltin3(
		&rego.Function{Name: "objchange.check_applied", Decl: types.NewFunction(types.Args(types.A, types.A, types.A), types.A), Memoize: true},
		func(_ rego.BuiltinContext, plan, schemas, state *ast.Term) (*ast.Term, error) {
			return check(schemas, plan, state)
		},
	)
}

// check returns the report of [tfplan.Check] as a Rego object. The state may be nil.
//
// Its errors halt the evaluation. For any other error of a function, OPA uses an undefined result,
// and a rule that denies plans by such a result would not deny any plan.
func check(schemas, plan, state *ast.Term) (*ast.Term, error) {
	report, err := report(schemas, plan, state)
	if err != nil {
		return nil, rego.NewHaltError(err)
	}
	value, err := ast.InterfaceToValue(report)
	return ast.NewTerm(value), err
}

func report(schemas, plan, state *ast.Term) (*tfplan.Report, error) {
	schemasText, err := text(schemas)
	if err != nil {
		return nil, err
	}
	parsed, err := configschema.ParseProviderSchemas(schemasText)
	if err != nil {
		return nil, fmt.Errorf("schemas: %w", err)
	}
	planText, err := text(plan)
	if err != nil {
		return nil, err
	}
	var applied io.Reader
	if state != nil {
		stateText, err := text(state)
		if err != nil {
			return nil, err
		}
		applied = bytes.NewReader(stateText)
	}
	return tfplan.Check(parsed, bytes.NewReader(planText), applied)
}

// text returns the term as JSON. Numbers keep all their digits.
func text(term *ast.Term) ([]byte, error) {
	value, err := ast.JSON(term.Value)
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}
