// Package sdkv2 connects providers of terraform-plugin-sdk/v2 to package objchange. Resource and
// SchemaMap convert schemas. TypeToCty, TypeFromCty, ValueToCty and ValueFromCty convert
// between cty and the fork of cty that the SDK uses, github.com/hashicorp/go-cty. A Proposer returns
// the values that Terraform Core proposes, as values of that fork.
//
// Values are converted through MessagePack, so they are as the protocol carries them. A part without
// a counterpart is an error. For a value, the error is a ctydata.ValueError. No function panics, and
// all functions are safe for concurrent use.
//
// Schemas cannot be converted to the SDK, because the SDK only accepts a schema.Resource and its
// own configschema.Block is internal. To serve a schema of objchange beside an SDK's provider,
// write it with tfconv.SchemaTo6 and serve it through terraform-plugin-mux.
package sdkv2
