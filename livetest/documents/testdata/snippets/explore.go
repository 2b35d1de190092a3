// Package snippet declares what the Go in docs/explore.md uses.
package snippet

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/tfcheck/explore"
)

var testAccProtoV6ProviderFactories map[string]func() (tfprotov6.ProviderServer, error)
