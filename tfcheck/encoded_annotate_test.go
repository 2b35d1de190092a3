package tfcheck_test

import (
	"bytes"
	"strings"
	"testing"

	_ "github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server" // registers the messages of protocol 5
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server" // registers the messages of protocol 6
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// newer is a field that no message has yet.
var newer = protowire.AppendString(protowire.AppendTag(nil, 500, protowire.BytesType), "new")

// TestAnnotate checks that diagnostics are appended, and that all other bytes are unchanged: the
// provider's diagnostics in their order, and unknown fields.
func TestAnnotate(t *testing.T) {
	rejected := tfcheck.Finding{
		RPC: "ReadResource", TypeName: "test_thing", Side: tfcheck.SideResponse, Severity: tfcheck.Rejected,
		Violations: objchange.Violations{{Rule: objchange.RuleStateUnknown, Message: "one", Enforced: true}},
	}
	unchecked := rejected
	unchecked.Severity, unchecked.Violations = tfcheck.Unchecked, objchange.Violations{{Rule: objchange.RuleStateNullBlocks, Message: "two"}}
	for protocol, service := range map[int]string{5: "tfplugin5", 6: "tfplugin6"} {
		w := must(encoded.New(protocol, ""))
		own := must(must(wire.Find(service+".Provider", "ReadResource")).AppendResponse(nil, &tfprotov6.ReadResourceResponse{NewState: dynamic(exists), Private: []byte("p"), Diagnostics: []*tfprotov6.Diagnostic{
			{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: "first"}, {Severity: tfprotov6.DiagnosticSeverityWarning, Summary: "second"},
		}}))
		response := bytes.Join([][]byte{newer, own, newer}, nil)
		before := bytes.Clone(response)
		for name, test := range map[string]struct {
			report tfcheck.Report
			want   string
		}{
			"nobody":    {nil, "first, second"},
			"untouched": {new(tfcheck.Collector).Report, "first, second"},
			"warned":    {tfcheck.Warn, "first, second, Provider violates a rule: state-null-blocks"},
			"rejected":  {tfcheck.Reject, "first, second, Provider produced invalid object"},
		} {
			annotated, err := w.Annotate("/"+service+".Provider/ReadResource", response, test.report, rejected, unchecked)
			if err != nil || !bytes.Equal(response, before) || !bytes.HasPrefix(annotated, before) {
				t.Fatalf("%d, %s: %v, %q of %q", protocol, name, err, annotated, before)
			}
			m := must(protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(service + ".ReadResource.Response"))).New()
			if err := proto.Unmarshal(annotated, m.Interface()); err != nil {
				t.Fatal(err)
			}
			if got := summaries(m); got != test.want {
				t.Errorf("%d, %s: %q", protocol, name, got)
			}
			if got := m.GetUnknown(); !bytes.Equal(got, append(bytes.Clone(newer), newer...)) {
				t.Errorf("%d, %s: %q is left of the unknown fields", protocol, name, got)
			}
		}
		_, err := w.Annotate("/"+service+".Provider/Nothing", nil, rejectAll, rejected)
		if err == nil || !strings.HasSuffix(err.Error(), "/Nothing is not known") {
			t.Errorf("%d: %v", protocol, err)
		}
	}
}

// summaries returns the summaries of the diagnostics in a message.
func summaries(m protoreflect.Message) string {
	var all []string
	list := m.Get(m.Descriptor().Fields().ByName("diagnostics")).List()
	for i := range list.Len() {
		d := list.Get(i).Message()
		all = append(all, d.Get(d.Descriptor().Fields().ByName("summary")).String())
	}
	return strings.Join(all, ", ")
}
