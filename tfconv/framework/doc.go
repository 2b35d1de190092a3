// Package framework brings schemas of terraform-plugin-framework to package
// objchange: of resources (Resource, Identity), data sources (DataSource),
// ephemeral resources (EphemeralResource) and providers (Provider).
//
// A schema is what the framework itself serves of it by protocol 6, so nothing of
// the framework is repeated here. Its own checks of a schema are made, too, and
// what they find is an error.
//
// Values need no package of their own: those of the framework give one of tftypes
// (Raw of tfsdk.Config, Plan and State, and ToTerraformValue of any attr.Value),
// which tfconv.ValueToCty takes.
package framework
