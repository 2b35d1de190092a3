// Package sdkv2 brings providers of terraform-plugin-sdk/v2 to package objchange:
// their schemas (Resource, Identity, SchemaMap), and the types, values and paths of
// the SDK's own fork of cty, github.com/hashicorp/go-cty, to and from cty itself
// (TypeToCty, TypeFromCty, ValueToCty, ValueFromCty, PathToCty, PathFromCty). A Proposer
// proposes what Terraform Core does, as values of that fork.
//
// Values go directly from one cty to the other, not through MessagePack or JSON.
// What has no counterpart is an error, of a value an ctydata.ValueError. Nothing
// panics, and everything is safe for concurrent use.
//
// There is no way back for schemas: the SDK makes its configschema.Block, which is
// internal to it, of a schema.Resource only, and takes none from anybody. Who is to
// serve a schema of objchange beside an SDK's provider writes it with
// tfconv.SchemaTo5 and serves it through terraform-plugin-mux.
package sdkv2
