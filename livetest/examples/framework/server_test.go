package framework_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"

	provider "github.com/objchange/objchange/livetest/frameworkprovider" // yours
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// factories create the provider for all tests, including acceptance tests.
var factories = tfcheck.Factories6(map[string]func() (tfprotov6.ProviderServer, error){
	"fw": providerserver.NewProtocol6WithError(new(provider.Provider)),
}, tfcheck.Reject)

func TestServer(t *testing.T) {
	type data = map[string]any
	cloud := driver.Test6(t, factories, "fw", nil) // nil: an empty provider block
	web := cloud.Lifecycle(t, "fw_server")

	web.Create(data{"name": "web", "region": "north", "disks": []data{{"size": 1}}}).
		Expect("create", data{"name": "web", "id": knownvalue.NotNull(), "disks[0].size": 1})
	web.Update(data{"name": "www", "region": "north", "disks": []data{{"size": 1}, {"size": 2}}}).
		Expect("update", data{"name": "www", "image": "base", "disks[1].size": 2})
	cloud.Lifecycle(t, "fw_server").Import(web.State().GetAttr("id").AsString()).Expect("no-op", web.State())
	web.Destroy().Expect("delete", nil)
}
