package report_test

import (
	"bytes"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
)

const canary = "canary"

// TestFormatsKeepSecrets checks that no format shows a sensitive value. It uses every thirtieth
// recorded case, whose sensitive text it replaces with a canary, forwards and backwards.
func TestFormatsKeepSecrets(t *testing.T) {
	r := &report.Report{Command: "check"}
	some := func(id string, op conformance.Op) bool {
		return op != conformance.OpComputed && crc32.ChecksumIEEE([]byte(id))%30 == 0
	}
	found := 0
	for c, err := range conformance.Select(some) {
		if err != nil {
			t.Fatal(err)
		}
		in := map[string]cty.Value{}
		for name, v := range c.In {
			in[name] = withSecrets(t, c.Schema.Block, v)
		}
		schema, err := objchange.Compile(c.Schema.Block)
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range []objchange.Lifecycle{
			{Prior: in["prior"], Config: in["config"], InitialPlanned: in["planned"]},
			{Prior: in["config"], Config: in["planned"], InitialPlanned: in["prior"]},
			{InitialPlanned: in["initial"], FinalPlanned: in["final"]},
			{InitialPlanned: in["planned"], New: in["applied"]},
			{InitialPlanned: in["applied"], New: in["planned"]},
		} {
			run.Schema = schema
			d := document.Document{Name: "case", Lifecycle: run}
			s := d.Subject()
			found += len(s.Findings)
			r.Subjects = append(r.Subjects, s)
		}
	}
	if found < 1500 {
		t.Errorf("only %d findings were read", found)
	}
	for _, format := range report.Formats() {
		each := len(r.Subjects)
		if format == report.Markdown { // it omits findings beyond its limit
			each = 1000
		}
		for part := range slices.Chunk(r.Subjects, each) {
			got := write(t, &report.Report{Command: "check", Subjects: part}, format, report.FailOnAll)
			if at := bytes.Index(got, []byte(canary)); at >= 0 {
				t.Fatalf("%s shows a secret: %s", format, got[max(0, at-200):min(len(got), at+200)])
			}
		}
	}
}

// withSecrets adds the canary to all text at and below sensitive paths, including keys.
func withSecrets(t *testing.T, schema *configschema.Block, v cty.Value) cty.Value {
	t.Helper()
	secret := func(path cty.Path) bool {
		for i := range path {
			if a := schema.AttributeByPath(path[:i+1]); a != nil && (a.Sensitive || a.WriteOnly) {
				return true
			}
		}
		return false
	}
	v, err := cty.Transform(v, func(path cty.Path, v cty.Value) (cty.Value, error) {
		switch ty := v.Type(); {
		case v.IsNull() || !v.IsKnown() || !secret(path):
		case ty == cty.String:
			return cty.StringVal(canary + v.AsString()), nil
		case ty.IsMapType() && v.LengthInt() > 0:
			keyed := map[string]cty.Value{}
			for key, elem := range v.AsValueMap() {
				keyed[canary+key] = elem
			}
			return cty.MapVal(keyed), nil
		}
		return v, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}
