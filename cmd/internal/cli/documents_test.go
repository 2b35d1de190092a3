package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// TestRequestWithoutDocumentHasNote checks the note for requests without a document.
func TestRequestWithoutDocumentHasNote(t *testing.T) {
	of := func(rpc string) encoded.Result { return encoded.Result{Exchange: tfcheck.Exchange{RPC: rpc}} }
	for name, test := range map[string]struct {
		s       report.Subject
		results []encoded.Result
		want    string
	}{
		"skipped": {
			report.Subject{RPC: "ReadResource", Type: "a", Number: 2, Reason: "no schema"}, nil,
			"ReadResource a #2: no document: no schema",
		},
		"not a resource": {
			report.Subject{RPC: "OpenEphemeralResource", Number: 1}, []encoded.Result{of("OpenEphemeralResource")},
			"OpenEphemeralResource - #1: no document: documents do not support OpenEphemeralResource",
		},
		"no import": {
			report.Subject{RPC: "ImportResourceState", Type: "a", Number: 1}, []encoded.Result{of("ImportResourceState")},
			"ImportResourceState a #1: no document: the provider imported no object",
		},
		"no value": {
			report.Subject{
				RPC: "ReadResource", Type: "a", Number: 1,
				Findings: []report.Finding{{Rule: objchange.RuleTypeMismatch, Message: "must be an object"}},
			},
			[]encoded.Result{of("ReadResource")},
			"ReadResource a #1: no document: a value cannot be decoded: must be an object",
		},
	} {
		documents, notes := documentsOf(&document.Packer{}, test.s, test.results)
		if diff := cmp.Diff([]string{test.want}, notes); diff != "" || len(documents) > 0 {
			t.Errorf("%s: %s %s", name, documents, diff)
		}
	}
}
