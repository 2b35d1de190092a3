// Package wire writes and reads the requests and responses of tfprotov6 as the protobuf
// messages of the plugin protocol, and calls providers with them. Struct fields and
// message fields are matched by name, so one mechanism serves every message. The
// messages of protocol 5 have the same fields, and are written and read as those of
// protocol 6.
//
// The messages are read and written by the names and numbers in messages.txt, without
// the generated Go types: those come with gRPC and net/http, which the builds for
// WebAssembly do without.
package wire

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// The services of the plugin protocol.
const (
	Service5 = "tfplugin5.Provider"
	Service6 = "tfplugin6.Provider"
)

// Service returns the service of protocol 5, or that of protocol 6 for any other.
func Service(protocol int) string {
	if protocol == 5 {
		return Service5
	}
	return Service6
}

// named5 are the methods of tfprotov6.ProviderServer that have another name in protocol 5.
var named5 = map[string]string{
	"ConfigureProvider":          "Configure",
	"GetProviderSchema":          "GetSchema",
	"StopProvider":               "Stop",
	"ValidateProviderConfig":     "PrepareProviderConfig",
	"ValidateResourceConfig":     "ValidateResourceTypeConfig",
	"ValidateDataResourceConfig": "ValidateDataSourceConfig",
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

// structOf returns the struct that the pointer leads to.
func structOf(pointer any) (reflect.Value, error) {
	v := reflect.ValueOf(pointer)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return v, errors.New("not a pointer to a struct, or nil")
	}
	return v.Elem(), nil
}

// recovered turns a panic into an error. Reflection panics when a field of a
// struct has another type than its namesake, tftypes when a type is incomplete.
func recovered(err *error, structure any, message string) {
	if recover() != nil {
		*err = fmt.Errorf("%T does not fit %s", structure, message)
	}
}
