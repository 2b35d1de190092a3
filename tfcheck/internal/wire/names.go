// Package wire encodes and decodes the requests and responses of tfprotov6 as protobuf messages
// of the plugin protocol, and calls providers with them. It matches struct fields and message
// fields by name, so the same code handles all messages. The messages of protocol 5 have the same
// fields, and are handled like messages of protocol 6.
//
// The package uses the names and numbers in messages.txt instead of the generated Go types. The
// generated types depend on gRPC and net/http, which builds for WebAssembly avoid.
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

// Service returns the service of protocol 5, or the service of protocol 6 for all other versions.
func Service(protocol int) string {
	if protocol == 5 {
		return Service5
	}
	return Service6
}

// named5 lists the methods of tfprotov6.ProviderServer that have another name in protocol 5.
var named5 = map[string]string{
	"ConfigureProvider":          "Configure",
	"GetProviderSchema":          "GetSchema",
	"StopProvider":               "Stop",
	"ValidateProviderConfig":     "PrepareProviderConfig",
	"ValidateResourceConfig":     "ValidateResourceTypeConfig",
	"ValidateDataResourceConfig": "ValidateDataSourceConfig",
}

// renamed lists the struct fields that have another name in messages, in the form of plain. All
// others have the same name.
var renamed = map[string]string{
	"UnsafeToUseLegacyTypeSystem": "legacytypesystem",
}

// fieldName returns the name of a struct field in messages, in the form of plain.
func fieldName(f reflect.StructField) string {
	if name, ok := renamed[f.Name]; ok {
		return name
	}
	return plain(f.Name)
}

// plain returns the same name for TypeName and type_name, and for StateIDs and state_ids.
func plain(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// structOf returns the struct that the pointer points to.
func structOf(pointer any) (reflect.Value, error) {
	v := reflect.ValueOf(pointer)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return v, errors.New("not a pointer to a struct, or nil")
	}
	return v.Elem(), nil
}

// recovered converts a panic to an error. Reflection panics if a struct field and a message field
// with the same name have different types. tftypes panics if a type is incomplete.
func recovered(err *error, structure any, message string) {
	if recover() != nil {
		*err = fmt.Errorf("%T does not fit %s", structure, message)
	}
}
