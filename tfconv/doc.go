// Package tfconv converts between the types of terraform-plugin-go and those of
// cty and package objchange: schemas (Schema6, Block6, IdentitySchema6 read them;
// SchemaTo6, BlockTo6, IdentitySchemaTo6 write them), types (TypeToCty,
// TypeFromCty), values (ValueToCty, ValueFromCty), paths (PathToCty, PathFromCty)
// and what crosses the protocol (Decode6, Encode6), for protocol 5 and 6 and both
// ways. ProposedNew5 and ProposedNew6 propose as Core does, from values of tftypes.
// What has no counterpart is an error, of a value an ctydata.ValueError.
//
// It needs terraform-plugin-go's types only, nothing of go-plugin, gRPC or mux.
package tfconv

//go:generate go run ../internal/mirror proposed6.go schema6.go schema_to6.go value6.go
