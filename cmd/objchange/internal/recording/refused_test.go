package recording

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/tfcheck"
)

// Of what tfcheck refused it is told what that was. What else an error says are a
// provider's own words, and in a log nothing tells the secrets in them.
func TestRefused(t *testing.T) {
	r := newRecorder(t)
	fails := func(summaries ...string) {
		r.apply(none, sized(1, unknownID), sized(1, a))
		r.answered("ApplyResourceChange", len(summaries))
		for _, summary := range summaries {
			r.logLine("ApplyResourceChange", fmt.Sprintf(`"@message": "Response contains error diagnostic", "diagnostic_summary": %q, "diagnostic_detail": "hunter2"`, summary))
		}
	}
	for _, summary := range refusals(t) {
		fails(summary)
	}
	fails("Out of hunter2")
	fails("Provider broke its contract: hunter2")
	fails("Provider broke its contract: plan-not-config of hunter2")
	fails("Out of hunter2", "Provider broke its contract: plan-not-config", "Provider broke its contract: state-unknown")
	r.apply(none, sized(1, unknownID), sized(1, a)) // only warned
	r.answered("ApplyResourceChange", 0)
	r.logLine("ApplyResourceChange", `"@message": "Response contains warning diagnostic", "diagnostic_summary": "Provider broke its contract: plan-not-config"`)

	const failed = "ApplyResourceChange test_thing create: failed: "
	expect(t, r, "\n"+
		failed+"tfcheck refused the response: state-unknown\n"+
		failed+"tfcheck refused the request: type-mismatch\n"+
		failed+"the provider returned an error\n"+
		failed+"the provider returned an error\n"+
		failed+"the provider returned an error\n"+
		failed+"tfcheck refused the response: plan-not-config\n"+
		"ApplyResourceChange test_thing create: judged\n")
}

// refusals are the summaries of what tfcheck makes of a wrong response and of a wrong
// request.
func refusals(t *testing.T) (summaries []string) {
	t.Helper()
	server := tfcheck.Server6(reader{}, tfcheck.Reject)
	for _, state := range []string{`{"size": 1}`, `{"size": "hunter2"}`} {
		resp, err := server.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
			TypeName: "test_thing", CurrentState: &tfprotov6.DynamicValue{JSON: []byte(state)},
		})
		if err != nil || len(resp.Diagnostics) == 0 {
			t.Fatal("tfcheck refuses nothing:", err)
		}
		summaries = append(summaries, resp.Diagnostics[len(resp.Diagnostics)-1].Summary)
	}
	return summaries
}

// A reader reads unknown things.
type reader struct{ tfprotov6.ProviderServer }

func (reader) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	size := &tfprotov6.SchemaAttribute{Name: "size", Type: tftypes.Number, Optional: true, Computed: true}
	return &tfprotov6.GetProviderSchemaResponse{ResourceSchemas: map[string]*tfprotov6.Schema{
		"test_thing": {Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{size}}},
	}}, nil
}

func (reader) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	if string(req.CurrentState.JSON) != `{"size": 1}` {
		return &tfprotov6.ReadResourceResponse{NewState: &tfprotov6.DynamicValue{JSON: []byte(`{"size": 1}`)}}, nil
	}
	unknown := []byte("\x81\xa4size\xd4\x00\x00")
	return &tfprotov6.ReadResourceResponse{NewState: &tfprotov6.DynamicValue{MsgPack: unknown}}, nil
}
