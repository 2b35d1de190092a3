package proto6server

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/tfcheck"
)

type server interface {
	tfprotov6.ProviderServer
	tfprotov6.ActionServer
	tfprotov6.ListResourceServer
	tfprotov6.StateStoreServer
}

// checked returns the server behind tfcheck, which rejects what Terraform rejects.
func checked(t *testing.T, inside *Server) server {
	t.Helper()
	return tfcheck.Server6(inside, tfcheck.Reject).(server)
}
