package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// schemasJSON has the one resource type of the recordings that the tests make.
const schemasJSON = `{
  "format_version": "1.0",
  "provider_schemas": {
    "example.com/test/test": {
      "resource_schemas": {
        "test_thing": {
          "version": 0,
          "block": {
            "attributes": {
              "id":     {"type": "string", "computed": true},
              "size":   {"type": "number", "optional": true},
              "secret": {"type": "string", "optional": true, "sensitive": true},
              "users": {
                "optional": true,
                "nested_type": {
                  "nesting_mode": "map",
                  "attributes": {"token": {"type": "string", "optional": true, "sensitive": true}}
                }
              }
            },
            "block_types": {
              "rule": {"nesting_mode": "list", "block": {"attributes": {"port": {"type": "number", "optional": true}}}}
            }
          }
        }
      }
    }
  }
}`

var (
	thingSchema = parseThing()
	thingType   = thingSchema.ImpliedType()

	none      = cty.NullVal(thingType)
	unknownID = cty.UnknownVal(cty.String)
)

func parseThing() *objchange.Block {
	schemas, err := objchange.ParseProviderSchemas([]byte(schemasJSON))
	if err != nil {
		panic(err)
	}
	return schemas.Resource("example.com/test/test", "test_thing").Block
}

// thing returns a test_thing that has the attributes, and no others.
func thing(attrs map[string]cty.Value) cty.Value {
	values := thingSchema.EmptyValue().AsValueMap()
	maps.Copy(values, attrs)
	return cty.ObjectVal(values)
}

// sized returns a test_thing with a size and an ID.
func sized(size int64, id cty.Value) cty.Value {
	return thing(map[string]cty.Value{"size": cty.NumberIntVal(size), "id": id})
}

// A recorder makes a recording as a provider would: each of its requests is
// logged, and its fields are written to data files of its own.
type recorder struct {
	t        *testing.T
	dir      string
	provider string // its address
	log      strings.Builder
	clock    int
	requests int
}

// newRecorder returns a recorder to a new folder with schemas.
func newRecorder(t *testing.T) *recorder {
	t.Helper()
	r := &recorder{t: t, dir: t.TempDir(), provider: "example.com/test/test"}
	writeFile(t, filepath.Join(r.dir, schemasName), schemasJSON)
	return r
}

// A field is one field of a request or of its response, and its value. No
// value at all, cty.NilVal, is written as an empty file.
type field struct {
	name  string
	value cty.Value
}

// request records a request for a test_thing.
func (r *recorder) request(rpc string, fields ...field) {
	r.t.Helper()
	r.requests++
	for _, f := range fields {
		r.clock++
		r.file(rpc, f)
	}
}

// file writes the data file of a field, and logs it.
func (r *recorder) file(rpc string, f field) {
	r.t.Helper()
	name := fmt.Sprintf("%d_%s_%s", r.clock, rpc, f.name)
	content := []byte(nil)
	if f.value == cty.NilVal {
		name += ".empty"
	} else {
		var err error
		if content, err = msgpack.Marshal(f.value, thingType); err != nil {
			r.t.Fatal(err)
		}
		name += ".msgpack"
	}
	writeFile(r.t, filepath.Join(r.dir, dataName, name), string(content))
	r.logLine(rpc, `"@message": "Wrote protocol data file", "tf_proto_data_file": "/home/me/data/`+name+`"`)
}

// logLine logs a line about the latest request.
func (r *recorder) logLine(rpc, keys string) {
	fmt.Fprintf(&r.log, `{"tf_req_id": "%d", "tf_rpc": "%s", "tf_resource_type": "test_thing", `+
		`"tf_provider_addr": "%s", %s}`+"\n", r.requests, rpc, r.provider, keys)
}

func (r *recorder) upgrade(state cty.Value) {
	r.t.Helper()
	r.request("UpgradeResourceState", field{"Response_UpgradedState", state})
}

func (r *recorder) read(state cty.Value) {
	r.t.Helper()
	r.request("ReadResource", field{"Response_NewState", state})
}

func (r *recorder) plan(prior, config, proposed, planned cty.Value) {
	r.t.Helper()
	r.request("PlanResourceChange",
		field{"Request_Config", config},
		field{"Request_PriorState", prior},
		field{"Request_ProposedNewState", proposed},
		field{"Response_PlannedState", planned})
}

func (r *recorder) apply(prior, planned, applied cty.Value) {
	r.t.Helper()
	r.request("ApplyResourceChange",
		field{"Request_PlannedState", planned},
		field{"Request_PriorState", prior},
		field{"Response_NewState", applied})
}

// replay replays what was recorded.
func (r *recorder) replay() (status int, stdout, stderr string) {
	r.t.Helper()
	writeFile(r.t, filepath.Join(r.dir, logName), r.log.String())
	return runIn(r.dir)
}

// runIn runs objchange replay in the folder. In what it prints, the folder's
// path is replaced by DIR.
func runIn(dir string, flags ...string) (status int, stdout, stderr string) {
	var out, errs strings.Builder
	args := append(append([]string{"replay"}, flags...), dir)
	status = run(args, &out, &errs)
	return status, hideDir(out.String(), dir), hideDir(errs.String(), dir)
}

func hideDir(text, dir string) string {
	text = filepath.ToSlash(strings.ReplaceAll(text, dir, "DIR"))
	return strings.Replace(text, filepath.Base(dir)+"\n", "DIR\n", 1)
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
