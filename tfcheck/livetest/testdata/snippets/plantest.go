// Package snippet is what the Go in tfplan/plantest/README.md presumes.
package snippet

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/objchange/objchange/tfplan/plantest"
)

var testAccProtoV5ProviderFactories map[string]func() (tfprotov5.ProviderServer, error)
