package spectest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A recordedCall contains the values in the request and the response of one call of a provider.
type recordedCall struct {
	rpc, resourceType string
	prior, config     cty.Value // of the request
	planned           cty.Value // of the request to apply, or of the response to plan
	state             cty.Value // of the response
}

// readCalls reads the calls about resources in one recorded run of plugin protocol 5.
func readCalls(t *testing.T, dir string, schemas *configschema.ProviderSchemas) (calls []*recordedCall) {
	t.Helper()
	recording, err := os.ReadFile(filepath.Join(dir, "exchanges.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for text := range bytes.Lines(recording) {
		var line struct {
			RPC, Type           string
			Requests, Responses [][]byte
		}
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		schema, err := schemas.Resource("", line.Type)
		if err != nil || len(line.Requests) != 1 || len(line.Responses) != 1 {
			continue
		}
		value := func(message []byte, field uint64) cty.Value {
			const msgpackField = 1
			v, err := msgpack.Unmarshal(protobufField(message, field, msgpackField), schema.Block.ImpliedType())
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		call, request, response := &recordedCall{rpc: line.RPC, resourceType: line.Type}, line.Requests[0], line.Responses[0]
		switch line.RPC {
		case "UpgradeResourceState":
			call.state = value(response, 1)
		case "PlanResourceChange":
			call.prior, call.config, call.planned = value(request, 2), value(request, 4), value(response, 1)
		case "ApplyResourceChange":
			call.prior, call.planned, call.config, call.state = value(request, 2), value(request, 3), value(request, 4), value(response, 1)
		}
		calls = append(calls, call)
	}
	return calls
}

// protobufField returns the bytes of a field in a protobuf message. The path contains the numbers of
// the outer fields and of the field.
func protobufField(message []byte, path ...uint64) []byte {
	for _, number := range path {
		var found []byte
		for len(message) > 0 {
			tag, n := binary.Uvarint(message)
			content, m := binary.Uvarint(message[n:])
			message = message[n+m:]
			if tag&7 != 2 {
				continue // the field is a number
			}
			if tag>>3 == number {
				found = message[:content]
			}
			message = message[content:]
		}
		message = found
	}
	return message
}

// prepares reports whether the call planned the change that the other call applied.
func (c *recordedCall) prepares(apply *recordedCall) bool {
	return c.rpc == "PlanResourceChange" && c.resourceType == apply.resourceType &&
		c.prior.RawEquals(apply.prior) && c.config.IsNull() == apply.config.IsNull()
}

// recordedLifecycle returns the lifecycle of the resource that the call applied.
func recordedLifecycle(calls []*recordedCall, apply *recordedCall, schema *configschema.Block) objchange.Lifecycle {
	l := objchange.Lifecycle{
		Schema: compiled(schema), Prior: apply.prior, FinalConfig: apply.config, FinalPlanned: apply.planned, New: apply.state,
	}
	for _, call := range calls {
		switch {
		case call.rpc == "UpgradeResourceState" && call.resourceType == apply.resourceType && l.Upgraded == cty.NilVal:
			l.Upgraded = call.state
		case call.prepares(apply) && l.InitialPlanned == cty.NilVal:
			l.Config, l.InitialPlanned = call.config, call.planned
		}
	}
	return l
}

// TestLifecycleRecorded checks that the recorded runs of Terraform and a real provider break no
// rule.
func TestLifecycleRecorded(t *testing.T) {
	const recordings = "../../testdata/recordings/time"
	document, err := os.ReadFile(filepath.Join(recordings, "schemas.json"))
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := configschema.ParseProviderSchemas(document)
	if err != nil {
		t.Fatal(err)
	}
	actions := map[objchange.Action]int{}
	for _, run := range []string{"1-create", "3-update", "4-replace", "5-destroy"} {
		calls := readCalls(t, filepath.Join(recordings, run), schemas)
		for _, apply := range calls {
			if apply.rpc != "ApplyResourceChange" {
				continue
			}
			schema, err := schemas.Resource("", apply.resourceType)
			if err != nil {
				t.Fatal(err)
			}
			l := recordedLifecycle(calls, apply, schema.Block)
			action := objchange.PlanAction(l.Prior, l.FinalPlanned, false)
			actions[action]++
			t.Run(run+"/"+apply.resourceType+"/"+string(action), func(t *testing.T) { expectPhases(t, l) })
		}
	}
	for _, action := range []objchange.Action{objchange.ActionCreate, objchange.ActionUpdate, objchange.ActionDelete} {
		if actions[action] == 0 {
			t.Errorf("no %s was recorded", action)
		}
	}
}
