package provider

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/objchange/objchange/tfcheck"
)

func protoV5ProviderFactories() map[string]func() (tfprotov5.ProviderServer, error) {
	// With RejectAll, one test fails for what Terraform does not check: a data source whose result
	// has another value than the configuration.
	return tfcheck.Factories5(uncheckedProviderFactories(), tfcheck.Reject)
}
