package lawtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A recordedCall is one call of a provider that Terraform made: the values in
// its request and response, by the field they are in.
type recordedCall struct {
	rpc, resourceType string
	values            map[string]cty.Value
}

// readCalls reads the calls about resources of one recorded run. A data file
// that was written more than once is lost for all but one call, so nobody's.
func readCalls(t *testing.T, dir string, schemas *configschema.ProviderSchemas) []*recordedCall {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(dir, "log.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var calls []*recordedCall
	byID := map[string]*recordedCall{}
	for lines := bufio.NewScanner(bytes.NewReader(log)); lines.Scan(); {
		var line struct {
			File string `json:"tf_proto_data_file"`
			Type string `json:"tf_resource_type"`
			ID   string `json:"tf_req_id"`
			RPC  string `json:"tf_rpc"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		schema, err := schemas.Resource("", line.Type)
		if err != nil || !strings.HasSuffix(line.File, ".msgpack") || bytes.Count(log, []byte(line.File)) > 1 {
			continue
		}
		call := byID[line.ID]
		if call == nil {
			call = &recordedCall{line.RPC, line.Type, map[string]cty.Value{}}
			byID[line.ID] = call
			calls = append(calls, call)
		}
		data, err := os.ReadFile(filepath.Join(dir, line.File))
		if err != nil {
			t.Fatal(err)
		}
		_, field, _ := strings.Cut(strings.TrimSuffix(line.File, ".msgpack"), line.RPC+"_")
		if call.values[field], err = msgpack.Unmarshal(data, schema.Block.ImpliedType()); err != nil {
			t.Fatalf("%s: %v", line.File, err)
		}
	}
	return calls
}

// prepares reports whether a call planned what the other applied.
func (c *recordedCall) prepares(apply *recordedCall) bool {
	prior, config := c.values["Request_PriorState"], c.values["Request_Config"]
	return c.rpc == "PlanResourceChange" && c.resourceType == apply.resourceType &&
		prior != cty.NilVal && prior.RawEquals(apply.values["Request_PriorState"]) &&
		config != cty.NilVal && config.IsNull() == apply.values["Request_Config"].IsNull()
}

// applies reports whether the call applied a plan, and none of it is lost.
func (c *recordedCall) applies() bool {
	for _, field := range []string{"Request_PriorState", "Request_Config", "Request_PlannedState", "Response_NewState"} {
		if c.rpc != "ApplyResourceChange" || c.values[field] == cty.NilVal {
			return false
		}
	}
	return true
}

// recordedLifecycle is the run of the resource that the call applied.
func recordedLifecycle(calls []*recordedCall, apply *recordedCall, schema *configschema.Block) objchange.Lifecycle {
	l := objchange.Lifecycle{
		Schema: compiled(schema), Prior: apply.values["Request_PriorState"], FinalConfig: apply.values["Request_Config"],
		FinalPlanned: apply.values["Request_PlannedState"], New: apply.values["Response_NewState"],
	}
	for _, call := range calls {
		switch {
		case call.rpc == "UpgradeResourceState" && call.resourceType == apply.resourceType && l.Upgraded == cty.NilVal:
			l.Upgraded = call.values["Response_UpgradedState"]
		case call.prepares(apply) && l.InitialPlanned == cty.NilVal:
			l.Config, l.InitialPlanned = call.values["Request_Config"], call.values["Response_PlannedState"]
		}
	}
	return l
}

// What a real provider and Terraform did in real runs breaks no rule at all.
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
			if !apply.applies() {
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
