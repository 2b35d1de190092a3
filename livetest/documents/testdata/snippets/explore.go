// Package snippet is what the Go in docs/explore.md presumes.
package snippet

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/tfcheck/explore"
)

var testAccProtoV6ProviderFactories map[string]func() (tfprotov6.ProviderServer, error)
