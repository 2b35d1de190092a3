package mux_test

import (
	"os/exec"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// TestAccFactoriesServeBothProviders uses the same factories with Terraform.
func TestAccFactoriesServeBothProviders(t *testing.T) {
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("there is no terraform on the PATH to test with")
	}
	t.Setenv("TF_ACC", "1")
	const both = `
		provider "cloud" {}
		resource "fw_link" "there" {
			provider = cloud
			target   = "there"
		}
		resource "sdk_bucket" "logs" {
			provider = cloud
			name     = "logs"`
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: both + "\ntags = { env = \"test\" }\n}"},
			{Config: both + "\n}"},
		},
	})
}
