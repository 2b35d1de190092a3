// Package snippet declares what the Go in README.md and docs/plans.md uses.
package snippet

import (
	"fmt"
	"io"

	fwprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfplan"
	"github.com/zclconf/go-cty/cty"
)

var (
	block                  *configschema.Block
	prior, config, planned cty.Value
	schemas                *configschema.ProviderSchemas
	plan, state            io.Reader
)

// The package of the provider.
var provider struct {
	New func(version string) func() fwprovider.Provider
}
