package framework_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// TestAccServer makes the same steps and checks as TestServer, with Terraform.
func TestAccServer(t *testing.T) {
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{
				Config: `resource "fw_server" "web" {
					name   = "web"
					region = "north"
					disks  = [{ size = 1 }]
				}`,
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction("fw_server.web", plancheck.ResourceActionCreate),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue("fw_server.web", tfjsonpath.New("name"), knownvalue.StringExact("web")),
					statecheck.ExpectKnownValue("fw_server.web", tfjsonpath.New("id"), knownvalue.NotNull()),
					statecheck.ExpectKnownValue("fw_server.web", tfjsonpath.New("disks").AtSliceIndex(0).AtMapKey("size"), knownvalue.Int64Exact(1)),
				},
			},
			{
				Config: `resource "fw_server" "web" {
					name   = "www"
					region = "north"
					disks  = [{ size = 1 }, { size = 2 }]
				}`,
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction("fw_server.web", plancheck.ResourceActionUpdate),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue("fw_server.web", tfjsonpath.New("name"), knownvalue.StringExact("www")),
					statecheck.ExpectKnownValue("fw_server.web", tfjsonpath.New("image"), knownvalue.StringExact("base")),
					statecheck.ExpectKnownValue("fw_server.web", tfjsonpath.New("disks").AtSliceIndex(1).AtMapKey("size"), knownvalue.Int64Exact(2)),
				},
			},
			{ResourceName: "fw_server.web", ImportState: true, ImportStateVerify: true},
		}, // Test destroys the object
	})
}
