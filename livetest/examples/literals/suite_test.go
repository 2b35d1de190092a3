package literals_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/objchange/objchange/livetest/frameworkprovider"
	"github.com/objchange/objchange/livetest/sdkprovider"
)

func TestAccServer(t *testing.T) {
	resource.ParallelTest(t, resource.TestCase{
		// Each test creates its own factories.
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"fw": providerserver.NewProtocol6WithError(new(frameworkprovider.Provider)),
		},
		Steps: []resource.TestStep{
			{Config: `resource "fw_link" "it" { target = "there" }`},
		},
	})
}

func TestAccBucket(t *testing.T) {
	provider, _ := sdkprovider.New()
	resource.Test(t, resource.TestCase{
		Steps: []resource.TestStep{{
			ProviderFactories: map[string]func() (*schema.Provider, error){
				"sdk": func() (*schema.Provider, error) { return provider, nil },
			},
			Config: `resource "sdk_bucket" "it" { name = "logs" }`, // on one line
		}},
	})
}

func TestUnit(t *testing.T) {
	needTerraform(t)
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"fw": providerserver.NewProtocol6WithError(new(frameworkprovider.Provider)),
		},
		Steps: []resource.TestStep{
			{Config: `resource "fw_link" "it" { target = "there" }`},
		},
	})
}
