package mux_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6muxserver"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"

	"github.com/objchange/objchange/livetest/frameworkprovider" // yours
	"github.com/objchange/objchange/livetest/sdkprovider"       // yours
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

var (
	oldProvider, _ = sdkprovider.New() // a *schema.Provider
	newProvider    = new(frameworkprovider.Provider)
)

// factories create the provider for all tests, including acceptance tests.
var factories = tfcheck.Factories6(map[string]func() (tfprotov6.ProviderServer, error){
	"cloud": func() (tfprotov6.ProviderServer, error) {
		ctx := context.Background()
		old, err := tf5to6server.UpgradeServer(ctx, oldProvider.GRPCProvider)
		if err != nil {
			return nil, err
		}
		both, err := tf6muxserver.NewMuxServer(ctx,
			func() tfprotov6.ProviderServer { return old },
			providerserver.NewProtocol6(newProvider),
		)
		if err != nil {
			return nil, err
		}
		return both.ProviderServer(), nil
	},
}, tfcheck.Reject)

func TestResourcesOfBothServersLive(t *testing.T) {
	type data = map[string]any
	cloud := driver.Test6(t, factories, "cloud", nil) // nil: an empty provider block
	for typeName, config := range map[string]data{
		"fw_link":    {"target": "there"},
		"sdk_bucket": {"name": "logs"},
	} {
		cloud.Lifecycle(t, typeName).Create(config).Expect("create", data{"id": knownvalue.NotNull()}).
			Update(config).Expect("no-op", data{}).
			Destroy().Expect("delete", nil)
	}
}
