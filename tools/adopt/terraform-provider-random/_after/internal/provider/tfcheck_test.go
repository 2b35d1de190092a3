package provider

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/objchange/objchange/tfcheck"
)

func protoV5ProviderFactories() map[string]func() (tfprotov5.ProviderServer, error) {
	return tfcheck.Factories5(uncheckedProviderFactories(), tfcheck.RejectAll)
}
