//go:build !wasm

package tfcheck

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/protobuf/reflect/protoreflect"

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
	var more any = &struct{ Diagnostics []*tfprotov6.Diagnostic }{sent6(diags)}
	if w.service == wire.Service5 {
		more = &struct{ Diagnostics []*tfprotov5.Diagnostic }{sent5(diags)}
	}
	return wire.Append(protoreflect.FullName(w.service), w.name(method), response, more)
}
