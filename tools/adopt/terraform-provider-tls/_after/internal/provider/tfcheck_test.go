package provider

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/objchange/objchange/tfcheck"
)

func protoV5ProviderFactories() map[string]func() (tfprotov5.ProviderServer, error) {
	// With RejectAll, one test fails for a violation that Terraform does not check: the result of a
	// data source differs from the configuration.
	return tfcheck.Factories5(uncheckedProviderFactories(), tfcheck.Reject)
}
