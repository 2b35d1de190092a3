// Package framework converts schemas of terraform-plugin-framework to schemas of package objchange:
// resources (Resource), data sources (DataSource) and providers (Provider).
//
// The functions read the schema that the framework serves in protocol 6, so this package repeats no
// logic of the framework. The framework also checks the schema, and its findings become an error.
//
// Values need no conversion of their own. Values of the framework provide values of tftypes: the
// field Raw of tfsdk.Config, Plan and State, and the method ToTerraformValue of each attr.Value.
// Pass them to tfconv.ValueToCty.
package framework
