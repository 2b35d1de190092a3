// Package driver does with a provider what Terraform Core does, without Terraform, in
// process and in milliseconds. A Driver takes resource instances through their lifecycle,
// checks every step as package tfcheck does, and checks that nothing is left to change
// after an apply.
//
// Make a Driver with New6 or New5, or Launch a provider's executable. Call Configure, then
// Resource and the methods of Instance: Create, Update, Refresh, Import, Replace, Destroy.
// Client is the provider at the other end of a connection.
//
// In a test, Test6, Test5 and Driver.Life do without errors and contexts, and Expect
// compares actions and states with what the test wants:
//
//	cloud := driver.Test6(t, factories["cloud"], nil)
//	web := cloud.Life(t, "cloud_server")
//	web.Create(config).Expect("create", map[string]any{"name": "web", "id": knownvalue.NotNull()})
//	web.Destroy().Expect("delete", nil)
//	cloud.Data(t, "cloud_image", map[string]any{"name": "debian"}).Expect(t, map[string]any{"id": "i-1"})
//	cloud.Function(t, "parse_size", "10GB").Expect(t, 10)
//
// Builds for WebAssembly have neither Launch nor Client.
package driver
