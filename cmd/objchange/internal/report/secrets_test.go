package report_test

import (
	"bytes"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/show"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
)

const canary = "canary"

// No format shows what is sensitive: every third recorded case is judged, forwards
// and backwards, with the canary wherever its schema says so, and reported some
// thousand at a time. In short, every thirtieth.
func TestFormatsKeepSecrets(t *testing.T) {
	texts, shown := 0, 0
	r := &report.Report{Command: "check"}
	tell := func() {
		for _, format := range report.Formats() {
			for _, s := range r.Subjects {
				texts += len(s.Findings)
			}
			if got := write(t, r, report.Format(format), report.FailOnAll); bytes.Contains(got, []byte(canary)) {
				t.Fatalf("%s shows a secret:\n%s", format, around(got))
			}
		}
		r.Subjects = nil
	}
	each := 3
	if testing.Short() {
		each = 30
	}
	eachCase(t, each, func(block *configschema.Block, in map[string]cty.Value) {
		schema, err := objchange.Compile(block)
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
			r.Subjects = append(r.Subjects, d.Subject())
		}
		if len(r.Subjects) > 1000 {
			tell()
		}
		if before, after := in["prior"], in["planned"]; after != cty.NilVal && before != cty.NilVal {
			var b bytes.Buffer
			if err := show.Change(&b, show.Plain{}, show.Resource{Address: "a.b", Schema: schema, Before: before, After: after}); err != nil {
				t.Fatal(err)
			}
			if shown++; bytes.Contains(b.Bytes(), []byte(canary)) {
				t.Fatalf("a change shows a secret:\n%s", around(b.Bytes()))
			}
		}
	})
	tell()
	if texts < 300_000/each || shown == 0 {
		t.Errorf("only %d texts and %d changes were read", texts, shown)
	}
	t.Logf("%d texts, %d changes", texts, shown)
}

// around is the canary with what stands beside it.
func around(text []byte) []byte {
	at := bytes.Index(text, []byte(canary))
	return text[max(0, at-200):min(len(text), at+200)]
}

// eachCase visits every so manieth recorded case, with secrets.
func eachCase(t *testing.T, each int, visit func(*configschema.Block, map[string]cty.Value)) {
	t.Helper()
	cases := 0
	for c, err := range conformance.Cases() {
		if err != nil {
			t.Fatal(err)
		}
		if cases++; cases%each != 0 || c.Op == conformance.OpComputed {
			continue
		}
		in := map[string]cty.Value{}
		for name, v := range c.In {
			in[name] = withSecrets(t, c.Schema.Block, v)
		}
		visit(c.Schema.Block, in)
	}
}

// withSecrets puts the canary into all text at and below what is sensitive, keys
// included.
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
