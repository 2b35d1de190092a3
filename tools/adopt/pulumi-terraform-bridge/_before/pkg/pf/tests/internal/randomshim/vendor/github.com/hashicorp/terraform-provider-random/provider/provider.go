// Package provider exports the provider to the bridge's tests, as in the bridge's repository.
package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/provider"

	internal "github.com/terraform-providers/terraform-provider-random/internal/provider"
)

// New returns a new provider, which is not configured yet.
func New() provider.Provider { return internal.New() }
