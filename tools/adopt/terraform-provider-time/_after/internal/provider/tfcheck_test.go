package provider

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/tfcheck"

	"github.com/hashicorp/terraform-provider-time/internal/clock"
)

func protoV5ProviderFactories() map[string]func() (tfprotov5.ProviderServer, error) {
	return tfcheck.Factories5(uncheckedV5ProviderFactories(), tfcheck.RejectAll)
}

func protoV6ProviderFactories() map[string]func() (tfprotov6.ProviderServer, error) {
	return tfcheck.Factories6(uncheckedV6ProviderFactories(), tfcheck.RejectAll)
}

func protoV5ProviderFactoriesTestProvider(testClock clock.Clock) map[string]func() (tfprotov5.ProviderServer, error) {
	return tfcheck.Factories5(uncheckedV5ProviderFactoriesTestProvider(testClock), tfcheck.RejectAll)
}
