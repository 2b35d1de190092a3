package codec

import (
	"context"
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// A caller returns a fixed response.
type caller struct {
	response []byte
	err      error
}

func (c caller) call(context.Context, string, []byte) ([]byte, error) { return c.response, c.err }

// TestCallErrorsHaveTheReason checks that an error contains the reason: the request cannot be encoded, the
// response is malformed, or the provider returned an error.
func TestCallErrorsHaveTheReason(t *testing.T) {
	refused := errors.New("not yet")
	_, err := NewClient(Service6, caller{}.call).GetMetadata(t.Context(), nil)
	wantError(t, err, "the request cannot be sent: *tfprotov6.GetMetadataRequest does not fit tfplugin6.GetMetadata.Request")
	if _, err = NewClient(Service6, caller{err: refused}.call).GetMetadata(t.Context(), &tfprotov6.GetMetadataRequest{}); err != refused {
		t.Error(err)
	}
	_, err = NewClient(Service6, caller{response: []byte{0xff}}.call).GetMetadata(t.Context(), &tfprotov6.GetMetadataRequest{})
	wantError(t, err, "the response is malformed: it is not a protobuf message")
}
