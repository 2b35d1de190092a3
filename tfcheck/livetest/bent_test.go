package livetest_test

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

// A bentServer is a server whose answers somebody changes on their way out: what
// the SDKs cannot express.
type bentServer struct {
	tfprotov6.ProviderServer
	rpc  string
	bend bend
}

// A bend changes an answer, whose type is given.
type bend func(cty.Type, *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error)

// bent returns a server that breaks one of the rules that neither SDK lets
// through.
func bent(inner tfprotov6.ProviderServer, made string, rule objchange.Rule) tfprotov6.ProviderServer {
	if m, ok := meddlers[made]; ok {
		m.ProviderServer = inner
		return m
	}
	s := bentServer{inner, plan, mistype}
	switch rule {
	case objchange.RuleInconsistentRefinement:
		s.bend = promise
	case objchange.RulePlanNullBlocks:
		s.bend = noSteps
	case objchange.RuleInconsistentNullBlocks:
		s.rpc, s.bend = apply, noSteps
	case objchange.RuleStateNullBlocks:
		s.rpc, s.bend = read, noSteps
	}
	return s
}

// promise plans a computed attribute that will begin with a word, which it will
// not. Unknown values of terraform-plugin-go promise nothing.
func promise(ty cty.Type, answer *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
	return setting("stamp", cty.UnknownVal(cty.String).Refine().StringPrefixFull("promised-").NewValue(), ty, answer)
}

// noSteps answers null where blocks would be an empty list. The framework makes
// that an empty list on its way out, and so does the SDK unless the blocks are
// computed.
func noSteps(ty cty.Type, answer *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
	return setting("step", cty.NullVal(ty.AttributeType("step")), ty, answer)
}

func setting(name string, to cty.Value, ty cty.Type, answer *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
	v, err := tfconv.Decode6(answer, ty)
	if err != nil || v.IsNull() {
		return answer, err
	}
	attrs := v.AsValueMap()
	attrs[name] = to
	return tfconv.Encode6(cty.ObjectVal(attrs), ty)
}

// mistype answers an object without attributes. The SDKs encode values by their
// schema, and fail if they cannot.
func mistype(cty.Type, *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
	return tfconv.Encode6(cty.EmptyObjectVal, cty.EmptyObject)
}

func (s bentServer) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.ProviderServer.PlanResourceChange(ctx, req)
	if err == nil {
		resp.PlannedState, err = s.answer(ctx, plan, req.TypeName, resp.PlannedState)
	}
	return resp, err
}

func (s bentServer) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := s.ProviderServer.ApplyResourceChange(ctx, req)
	if err == nil {
		resp.NewState, err = s.answer(ctx, apply, req.TypeName, resp.NewState)
	}
	return resp, err
}

func (s bentServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := s.ProviderServer.ReadResource(ctx, req)
	if err == nil {
		resp.NewState, err = s.answer(ctx, read, req.TypeName, resp.NewState)
	}
	return resp, err
}

func (s bentServer) answer(ctx context.Context, rpc, typeName string, honest *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
	if rpc != s.rpc {
		return honest, nil
	}
	all, err := s.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	schema, err := tfconv.Schema6(all.ResourceSchemas[typeName])
	if err != nil {
		return nil, err
	}
	return s.bend(schema.Block.ImpliedType(), honest)
}
