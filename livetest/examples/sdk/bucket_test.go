package sdk_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"

	provider "github.com/objchange/objchange/livetest/sdkprovider" // yours
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

var bucketProvider, _ = provider.New() // a *schema.Provider

// factories create the provider for all tests, including acceptance tests.
var factories = tfcheck.Factories5(map[string]func() (tfprotov5.ProviderServer, error){
	"sdk": func() (tfprotov5.ProviderServer, error) {
		return bucketProvider.GRPCProvider(), nil
	},
}, tfcheck.Reject)

func TestBucket(t *testing.T) {
	type data = map[string]any
	cloud := driver.Test5(t, factories, "sdk", nil) // nil: an empty provider block
	logs := cloud.Lifecycle(t, "sdk_bucket")

	logs.Create(data{"name": "logs", "settings": []data{{"days": 7}}}).
		Expect("create", data{"name": "logs", "id": knownvalue.NotNull(), "settings[0].days": 7})
	logs.Update(data{"name": "logs", "tags": data{"env": "test"}}).
		Expect("update", data{"settings": knownvalue.ListSizeExact(0), "tags": data{"env": "test"}})
	logs.Update(data{"name": "all-logs"}).Expect("replace", data{"name": "all-logs"})
	cloud.Lifecycle(t, "sdk_bucket").Import(logs.State().GetAttr("id").AsString()).Expect("no-op", logs.State())
	logs.Destroy().Expect("delete", nil)
}
