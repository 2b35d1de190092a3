package proto5server

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/objchange/objchange/tfcheck"
)

type server interface {
	tfprotov5.ProviderServer
	tfprotov5.ActionServer
	tfprotov5.ListResourceServer
}

// checked returns the server behind tfcheck, which rejects what Terraform rejects.
func checked(t *testing.T, inside *Server) server {
	t.Helper()
	return tfcheck.Server5(inside, tfcheck.Reject).(server)
}
