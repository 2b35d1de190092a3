// Package tfconv converts between terraform-plugin-go and cty, for protocol 5 and protocol 6:
//
//   - schemas: Schema6, Block6 and IdentitySchema6 read schemas. SchemaTo6 writes them.
//   - types: TypeToCty, TypeFromCty
//   - values: ValueToCty, ValueFromCty
//   - paths: PathToCty, PathFromCty
//   - encoded values: Decode6, Encode6
//
// A [Proposer] returns the values that Terraform Core proposes, as values of tftypes. ProposedNew6
// does the same in one call.
//
// A value, type, path or schema without a counterpart is an error. For a value, the error is an
// [*ctydata.ValueError] with the path.
//
// Of terraform-plugin-go, the package imports only the packages of types. It does not import
// go-plugin, gRPC or mux.
package tfconv
