// Package snippet is what the Go in tfcheck/README.md presumes.
package snippet

import (
	"context"
	"fmt"
	"testing"

	fwprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

var (
	ctx    context.Context
	t      *testing.T
	server tfprotov6.ProviderServer
)

// The package of the provider.
var provider struct {
	New func(version string) func() fwprovider.Provider
}
