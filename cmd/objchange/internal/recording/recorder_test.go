package recording

import (
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// schemasJSON has the types of the recordings that the tests make: test_thing
// is one as a resource, a data source and an ephemeral resource.
const schemasJSON = `{
  "format_version": "1.0",
  "provider_schemas": {
    "example.com/test/test": {
      "resource_schemas":           {"test_thing": ` + thingJSON + `},
      "data_source_schemas":        {"test_thing": ` + thingJSON + `},
      "ephemeral_resource_schemas": {"test_thing": ` + thingJSON + `}
    },
    "example.com/test/other": {
      "resource_schemas": {
        "other_thing": {"version": 0, "block": {"attributes": {"name": {"type": "string", "optional": true}}}}
      }
    }
  }
}`

const thingJSON = `{
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
}`

var (
	thingSchema = mustParse(schemasJSON).Providers["example.com/test/test"].ResourceSchemas["test_thing"].Block
	thingType   = thingSchema.ImpliedType()

	none      = cty.NullVal(thingType)
	noID      = cty.NullVal(cty.String)
	unknownID = cty.UnknownVal(cty.String)
	a         = cty.StringVal("a")
)

func mustParse(text string) *configschema.ProviderSchemas {
	schemas, err := configschema.ParseProviderSchemas([]byte(text))
	if err != nil {
		panic(err)
	}
	return schemas
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
	t        testing.TB
	schemas  string
	data     fstest.MapFS
	log      strings.Builder
	clock    int64
	requests int

	provider, typeKey, typeName string // of the requests
	legacy                      bool
}

func newRecorder(t testing.TB) *recorder {
	return &recorder{t: t, schemas: schemasJSON, data: fstest.MapFS{},
		provider: "example.com/test/test", typeKey: "tf_resource_type", typeName: "test_thing"}
}

// A field is one field of a request or of its response, and its value. No
// value at all, cty.NilVal, is written as an empty file.
type field struct {
	name  string
	value cty.Value
}

// request records a request.
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
		if content, err = msgpack.Marshal(f.value, f.value.Type()); err != nil {
			r.t.Fatal(err)
		}
		name += ".msgpack"
	}
	r.wrote(rpc, name, content)
}

// wrote writes a data file, and logs it.
func (r *recorder) wrote(rpc, name string, content []byte) {
	r.data[path.Base(name)] = &fstest.MapFile{Data: content}
	r.logLine(rpc, `"@message": "Wrote protocol data file", "tf_proto_data_file": "/home/me/data/`+name+`"`)
}

// logLine logs a line about the latest request.
func (r *recorder) logLine(rpc, keys string) {
	fmt.Fprintf(&r.log, `{"tf_req_id": "%d", "tf_rpc": "%s", "%s": "%s", "tf_provider_addr": "%s", %s}`+"\n",
		r.requests, rpc, r.typeKey, r.typeName, r.provider, keys)
}

// answered logs how many errors the response to the latest request has.
func (r *recorder) answered(rpc string, errors int) {
	r.logLine(rpc, fmt.Sprintf(`"@message": "Received downstream response", "diagnostic_error_count": %d`, errors))
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
func (r *recorder) replay() (*report.Report, error) {
	r.t.Helper()
	rec := Recording{Name: "run", Log: "run/log.jsonl", Data: r.data, Dir: "run/data", Schemas: mustParse(r.schemas), Legacy: r.legacy}
	return Replay([]Recording{rec}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(r.log.String())), nil
	})
}

// expect replays what was recorded, and compares the report, and the error if
// there is one. In it "..." stands for a message of the library.
func expect(t *testing.T, r *recorder, want string) {
	t.Helper()
	found, err := r.replay()
	got := text(found)
	if err != nil {
		got += fmt.Sprintf("error: %v\n", err)
	}
	if !matches(got, strings.TrimPrefix(want, "\n")) {
		t.Errorf("got the report\n%s\nwant%s", got, want)
	}
}

// text writes a report in short, without the objects: see TestObjects.
func text(r *report.Report) string {
	var b strings.Builder
	for _, s := range r.Subjects {
		fmt.Fprintf(&b, "%s: %s", strings.Join(slices.Delete(slices.Clone(s.Columns), 2, 3), " "), s.Status)
		if s.Reason != "" {
			fmt.Fprintf(&b, ": %s", s.Reason)
		}
		b.WriteByte('\n')
		for _, f := range s.Findings {
			fmt.Fprintf(&b, "  %s %s: %s", f.Rule, f.Path, f.Message)
			switch {
			case f.Excused:
				b.WriteString(" (excused)")
			case !f.Enforced:
				b.WriteString(" (not enforced)")
			}
			b.WriteByte('\n')
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}

// matches reports whether the text is as wanted, where "..." stands for
// anything but a line's end.
func matches(text, want string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), `\.\.\.`, `.+`)
	return regexp.MustCompile("^" + pattern + "$").MatchString(text)
}
