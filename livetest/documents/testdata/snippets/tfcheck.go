// Package snippet declares what the Go in tfcheck/README.md uses.
package snippet

import (
	"context"
	"errors"
	"fmt"
	"testing"

	fwprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/zclconf/go-cty/cty"
)

var (
	ctx    context.Context
	t      *testing.T
	server tfprotov6.ProviderServer
	cloud  *driver.Driver
	web    *driver.Lifecycle

	factories map[string]func() (tfprotov6.ProviderServer, error)
)

type data = map[string]any

// The package of the provider.
var provider struct {
	New func(version string) func() fwprovider.Provider
}
