// Package wire carries the requests and responses of tfprotov5 and tfprotov6 to
// a provider and back, in the protobuf messages of the plugin protocol. Struct
// fields and message fields are matched by name, so one mechanism serves every
// message of both protocols.
//
// The messages that a witness sees are read without their Go types, which come
// with gRPC and net/http: from bytes, by the names and numbers in messages.txt.
package wire

import (
	"fmt"
	"reflect"
	"strings"
)

// The services of the plugin protocol.
const (
	Service5 = "tfplugin5.Provider"
	Service6 = "tfplugin6.Provider"
)

// named5 holds the methods of tfprotov5.ProviderServer that protocol 5 itself
// calls otherwise.
var named5 = map[string]string{
	"ConfigureProvider": "Configure",
	"GetProviderSchema": "GetSchema",
	"StopProvider":      "Stop",
}

// renamed holds the struct fields that the protocol calls otherwise, in the form
// of plain. All others have the same name in both.
var renamed = map[string]string{
	"UnsafeToUseLegacyTypeSystem": "legacytypesystem",
}

// fieldName returns what a message calls a field of a struct, in the form of plain.
func fieldName(f reflect.StructField) string {
	if name, ok := renamed[f.Name]; ok {
		return name
	}
	return plain(f.Name)
}

// plain makes one name of TypeName and type_name, of StateIDs and state_ids.
func plain(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// recovered turns a panic into an error. Reflection panics when a field of a
// struct has another type than its namesake, tftypes when a type is incomplete.
func recovered[M ~string](err *error, structure any, message M) {
	if recover() != nil {
		*err = fmt.Errorf("%T does not fit %s", structure, message)
	}
}
