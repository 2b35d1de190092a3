// Package driver sends a provider the requests that Terraform Core sends, without Terraform: in
// the same process and within milliseconds. A Driver runs resource instances through their
// lifecycle. It checks every step with package tfcheck, and checks that no change is left after
// an apply.
//
// Create a Driver with New6 or New5, or Launch a provider's executable. Call Configure, then
// Resource and the methods of Instance: Create, Update, Refresh, Import, Replace, Destroy. Client
// is a provider server at the other end of a connection.
//
// In a test, use Test6, Test5 and Driver.Lifecycle. Their methods need no contexts and return no
// errors. Expect compares actions and states with the expected values:
//
//	cloud := driver.Test6(t, factories, "cloud", nil)
//	web := cloud.Lifecycle(t, "cloud_server")
//	web.Create(config).Expect("create", map[string]any{"name": "web", "id": knownvalue.NotNull()})
//	web.Destroy().Expect("delete", nil)
//	cloud.Data(t, "cloud_image", map[string]any{"name": "debian"}).Expect(t, map[string]any{"id": "i-1"})
//	cloud.Function(t, "parse_size", "10GB").Expect(t, 10)
//
// Launch and Client are not available in builds for WebAssembly.
package driver
