package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/objchange/objchange/cmd/objchange/internal/cli"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/configschema"
)

// fields are what documents call the fields of requests and responses.
var fields = map[string]string{
	"PlanResourceChange_Request_PriorState":       "prior",
	"PlanResourceChange_Request_Config":           "config",
	"PlanResourceChange_Request_ProposedNewState": "proposed",
	"PlanResourceChange_Response_PlannedState":    "initial_planned",
	"ApplyResourceChange_Request_PriorState":      "prior",
	"ApplyResourceChange_Request_PlannedState":    "initial_planned",
	"ApplyResourceChange_Response_NewState":       "new",
}

// recordedDocuments are the plans and applies of a recorded run as documents, one
// a line: those of which each data file is that of one request alone.
func recordedDocuments(t *testing.T, dir, schemasName string) string {
	t.Helper()
	text, err := os.ReadFile(schemasName)
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := configschema.ParseProviderSchemas(text)
	if err != nil {
		t.Fatal(err)
	}
	type request struct {
		rpc, typeName string
		files         map[string]string // by field of the document
	}
	var order []*request
	byID, writes := map[string]*request{}, map[string]int{}
	log, err := os.Open(filepath.Join(dir, "log.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for lines := bufio.NewScanner(log); lines.Scan(); {
		var line struct {
			Message string `json:"@message"`
			File    string `json:"tf_proto_data_file"`
			ID      string `json:"tf_req_id"`
			RPC     string `json:"tf_rpc"`
			Type    string `json:"tf_resource_type"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		file := filepath.Base(line.File)
		_, field, _ := strings.Cut(strings.TrimSuffix(file, ".msgpack"), "_")
		if line.Message != "Wrote protocol data file" || fields[field] == "" {
			continue
		}
		writes[file]++
		if byID[line.ID] == nil {
			byID[line.ID] = &request{line.RPC, line.Type, map[string]string{}}
			order = append(order, byID[line.ID])
		}
		byID[line.ID].files[fields[field]] = file
	}

	var documents strings.Builder
	for i, r := range order {
		resource, err := schemas.Resource("", r.typeName)
		if err != nil {
			t.Fatal(err)
		}
		schema := resource.Block
		values := map[string]any{
			"name":   fmt.Sprintf("%d %s %s", i+1, r.rpc, r.typeName),
			"schema": map[string]string{"file": schemasName, "type": r.typeName},
		}
		whole := true
		for field, file := range r.files {
			if writes[file] > 1 {
				whole = false
				break
			}
			encoded, err := os.ReadFile(filepath.Join(dir, "data", file))
			if err != nil {
				t.Fatal(err)
			}
			value, err := msgpack.Unmarshal(encoded, schema.ImpliedType())
			if err != nil {
				t.Fatal(err)
			}
			text, err := document.Encode(schema, value)
			if err != nil {
				t.Fatal(err)
			}
			values[field] = json.RawMessage(text)
		}
		if line, err := json.Marshal(values); err != nil {
			t.Fatal(err)
		} else if whole {
			documents.Write(append(line, '\n'))
		}
	}
	return documents.String()
}

// The recorded runs as documents, given to each command that reads those, in
// each format: what is printed is in testdata/recorded.
func TestRecordedDocuments(t *testing.T) {
	golden, err := filepath.Abs("../../testdata/recorded")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(repository)
	runs, err := filepath.Glob("testdata/recordings/time/*/log.jsonl")
	if err != nil || len(runs) != 5 {
		t.Fatal("not the five runs:", runs, err)
	}
	commands := [][]string{{"check", "--print", "changes", "-"}}
	for _, format := range report.Formats() {
		commands = append(commands, []string{"check", "--format", format, "-"})
	}
	for _, log := range runs {
		dir := filepath.Dir(log)
		documents := recordedDocuments(t, dir, "testdata/recordings/time/schemas.json")
		for _, command := range commands {
			name := filepath.Base(dir) + "." + command[2]
			if command[1] == "--format" {
				name = filepath.Base(dir) + ".check." + command[2]
			}
			t.Run(name, func(t *testing.T) { compareOutput(t, filepath.Join(golden, name), documents, command...) })
		}
	}
}

func compareOutput(t *testing.T, golden, input string, args ...string) {
	t.Helper()
	var out, errOut strings.Builder
	if status := cli.Run(args, strings.NewReader(input), &out, &errOut); status != 0 {
		t.Errorf("exit status %d: %s", status, &errOut)
	}
	got := withoutHelp(out.String())
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the output is not that in %s; it is\n%s", golden, got)
	}
}
