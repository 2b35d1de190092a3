package sdk_test

import (
	"os/exec"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// TestAccBucket uses the same factories with Terraform. Zero values of the SDK for removed tags
// and settings are not rejected.
func TestAccBucket(t *testing.T) {
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("there is no terraform on the PATH to test with")
	}
	t.Setenv("TF_ACC", "1")
	resource.Test(t, resource.TestCase{
		ProtoV5ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: `resource "sdk_bucket" "logs" {
				name = "logs"
				tags = { env = "test" }
				settings { days = 7 }
				rule { prefix = "a" }
			}`},
			{Config: `resource "sdk_bucket" "logs" {
				name = "logs"
				rule { prefix = "b" }
			}`},
		},
	})
}
