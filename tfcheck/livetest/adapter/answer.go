package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/tfconv"
)

// answer is what the framework makes of the case. A panic is an answer as well, since
// one process answers all cases.
func answer(c *conformance.Case) (o conformance.Outcome) {
	defer func() {
		if problem := recover(); problem != nil {
			o = failed(fmt.Errorf("panic: %v", problem))
		}
	}()
	if c.Op != conformance.OpComputed {
		return conformance.UnsupportedOutcome("the framework only plans")
	}
	server, _, err := serve(c.Schema.Block)
	if err != nil {
		return conformance.UnsupportedOutcome(err.Error())
	}
	planned, err := plan(server, c.In, c.Schema.Block.ImpliedType())
	if err != nil {
		return failed(err)
	}
	return conformance.ValueOutcome(planned)
}

// serve returns the server of a provider that has a resource of the schema, and what it
// serves as the schema. The framework judges a schema only where that is asked for, so an
// error is a refusal of ours, or what the framework finds wrong.
func serve(b *configschema.Block) (tfprotov6.ProviderServer, *tfprotov6.Schema, error) {
	schema, err := schemaOf(b)
	if err != nil {
		return nil, nil, err
	}
	server := providerserver.NewProtocol6(aProvider{thing{schema: schema}})()
	served, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, nil, err
	}
	return server, served.ResourceSchemas[typeName], found(served.Diagnostics)
}

// plan asks the server for the plan of what is proposed.
func plan(server tfprotov6.ProviderServer, in map[string]cty.Value, ty cty.Type) (cty.Value, error) {
	sent := map[string]*tfprotov6.DynamicValue{}
	for name, v := range in {
		var err error
		if sent[name], err = tfconv.Encode6(v, ty); err != nil {
			return cty.NilVal, fmt.Errorf("%s: %w", name, err)
		}
	}
	response, err := server.PlanResourceChange(context.Background(), &tfprotov6.PlanResourceChangeRequest{
		TypeName:         typeName,
		PriorState:       sent["prior"],
		Config:           sent["config"],
		ProposedNewState: sent["proposed"],
	})
	if err != nil {
		return cty.NilVal, err
	}
	if err := found(response.Diagnostics); err != nil {
		return cty.NilVal, err
	}
	return tfconv.Decode6(response.PlannedState, ty)
}

func failed(err error) conformance.Outcome {
	return conformance.ErrorsOutcome(conformance.Problem{Message: err.Error()})
}

// found returns the errors among diagnostics as one, in a line.
func found(diagnostics []*tfprotov6.Diagnostic) error {
	var texts []string
	for _, d := range diagnostics {
		if d.Severity != tfprotov6.DiagnosticSeverityError {
			continue
		}
		text := d.Summary + ": " + d.Detail
		if path, err := tfconv.PathToCty(d.Attribute); err == nil && len(path) > 0 {
			text = objchange.PathString(path) + ": " + text
		}
		texts = append(texts, strings.Join(strings.Fields(text), " "))
	}
	if texts == nil {
		return nil
	}
	return errors.New(strings.Join(texts, "; "))
}
