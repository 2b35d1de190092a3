// Package tfconv converts between terraform-plugin-go and cty, for protocol 5 and 6:
//
//   - schemas: Schema6, Block6 and IdentitySchema6 read them, SchemaTo6, BlockTo6 and
//     IdentitySchemaTo6 write them
//   - types: TypeToCty, TypeFromCty
//   - values: ValueToCty, ValueFromCty
//   - paths: PathToCty, PathFromCty
//   - encoded values: Decode6, Encode6
//
// A [Proposer] returns what Terraform Core proposes, as values of tftypes. ProposedNew6
// does the same in one call.
//
// A value, type, path or schema without a counterpart is an error. For a value, it is
// an [*ctydata.ValueError] with the place.
//
// Of terraform-plugin-go, the package imports only types: no go-plugin, gRPC or mux.
package tfconv

//go:generate go test -run ^TestFilesForProtocol5AreGenerated$ . -update
