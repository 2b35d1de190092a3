package driver_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfconv"
)

// A joiner is a provider with the function join. Its arguments are a separator, which may be
// null, and lists of strings, which may be unknown.
type joiner struct {
	tfprotov6.ProviderServer
	result cty.Value // replaces the correct result
	calls  int
}

func (*joiner) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{Functions: map[string]*tfprotov6.Function{"join": {
		Parameters:        []*tfprotov6.FunctionParameter{{Name: "separator", Type: tftypes.String, AllowNullValue: true}},
		VariadicParameter: &tfprotov6.FunctionParameter{Name: "words", Type: tftypes.List{ElementType: tftypes.String}, AllowUnknownValues: true},
		Return:            &tfprotov6.FunctionReturn{Type: tftypes.String},
	}}}, nil
}

func (j *joiner) CallFunction(_ context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	j.calls++
	separator, err := tfconv.Decode6(req.Arguments[0], cty.String)
	if err != nil || separator.IsNull() {
		argument := int64(0)
		return &tfprotov6.CallFunctionResponse{Error: &tfprotov6.FunctionError{Text: "no separator", FunctionArgument: &argument}}, err
	}
	var words []string
	for _, argument := range req.Arguments[1:] {
		list, err := tfconv.Decode6(argument, cty.List(cty.String))
		if err != nil {
			return nil, err
		}
		for _, word := range list.Elements() {
			if !word.IsKnown() {
				word = cty.StringVal("?")
			}
			words = append(words, word.AsString())
		}
	}
	result := cty.StringVal(strings.Join(words, separator.AsString()))
	if j.result != cty.NilVal {
		result = j.result
	}
	dynamic, err := tfconv.Encode6(result, result.Type())
	return &tfprotov6.CallFunctionResponse{Result: dynamic}, err
}

func TestFunctionReturnsTheResult(t *testing.T) {
	factory := func() (tfprotov6.ProviderServer, error) { return &joiner{ProviderServer: idle}, nil }
	d := driver.Test6(t, map[string]func() (tfprotov6.ProviderServer, error){"test": factory}, "test", nil)
	d.Function(t, "join", "-", []string{"a", "b"}, []any{"c"}).Expect(t, "a-b-c")
	d.Function(t, "join", "-").Expect(t, "")
	d.Function(t, "join", "-", []any{"a", cty.UnknownVal(cty.String)}).Expect(t, "a-?")
	d.Function(t, "join", cty.UnknownVal(cty.String), []string{"a"}).Expect(t, cty.UnknownVal(cty.String)) // not called
}

func TestCallFunctionErrors(t *testing.T) {
	for _, test := range []struct {
		name      string
		arguments []any
		want      string
		kind      error
		calls     int
	}{
		{"joins", nil, `the provider has no function "joins"; did you mean "join"?`, nil, 0},
		{"join", nil, "the call is not valid: got 0 arguments for 1 parameter", new(driver.ConfigError), 0},
		{"join", []any{"-", nil}, ".argument_2", new(driver.ConfigError), 0},
		{"join", []any{[]any{}}, ".argument_1", new(driver.ConfigError), 0},
		{"join", []any{nil}, "CallFunction of join: .argument_1: no separator", new(driver.RefusedError), 1},
	} {
		t.Run(fmt.Sprint(test.name, test.arguments), func(t *testing.T) {
			j := &joiner{ProviderServer: idle}
			d, err := driver.New6(t.Context(), j)
			if err != nil {
				t.Fatal(err)
			}
			_, err = d.CallFunction(t.Context(), test.name, test.arguments...)
			if err == nil || !strings.Contains(err.Error(), test.want) || j.calls != test.calls {
				t.Errorf("%v, want %s; %d calls", err, test.want, j.calls)
			}
			if test.kind != nil && fmt.Sprintf("%T", err) != fmt.Sprintf("%T", test.kind) {
				t.Errorf("%T, want %T", err, test.kind)
			}
		})
	}
}

// TestCallFunctionFinds checks that a result without the declared type is a finding.
func TestCallFunctionFinds(t *testing.T) {
	d, err := driver.New6(t.Context(), &joiner{ProviderServer: idle, result: cty.EmptyTupleVal})
	if err != nil {
		t.Fatal(err)
	}
	run, err := d.CallFunction(t.Context(), "join", "-")
	var v *objchange.Violation
	if !errors.As(err, &v) || v.Rule != objchange.RuleTypeMismatch || len(run.Findings) != 1 || run.Result != cty.NilVal {
		t.Errorf("%v, %+v", err, run)
	}
}
