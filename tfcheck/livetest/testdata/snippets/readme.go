// Package snippet is what the Go in README.md presumes.
package snippet

import (
	"fmt"

	fwprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/zclconf/go-cty/cty"
)

var (
	block                  *configschema.Block
	prior, config, planned cty.Value
)

// The package of the provider.
var provider struct {
	New func(version string) func() fwprovider.Provider
}
