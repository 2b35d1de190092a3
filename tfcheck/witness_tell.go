package tfcheck

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// Tell tells the report of the findings and returns the response of the RPC, as it is
// on the wire, with the diagnostics that a response of Server5 or Server6 would have
// more. They come after all that there is, of which every byte stays, with fields
// that nobody knows. Without any, it is the response itself.
//
// The error says that there is no such RPC, or what cannot be sent.
func (w *Witness) Tell(method string, response []byte, report Report, found ...Finding) ([]byte, error) {
	diags := report.tell(found)
	if len(diags) == 0 {
		return response, nil
	}
	rpc, err := wire.Find(w.service, w.name(method))
	if err != nil {
		return nil, err
	}
	return rpc.AppendResponse(response, &struct{ Diagnostics []*tfprotov6.Diagnostic }{sent(diags)})
}
