package wire

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// incomplete are all fields of the messages and structs that have no other, with
// the reason.
var incomplete = map[string]string{
	"SchemaObject has no max_items": "never used by the protocol",
	"SchemaObject has no min_items": "never used by the protocol",

	"ValidateProviderConfig.Response has no PreparedConfig": "protocol 6 only validates, protocol 5 has it",

	// Each RPC has structs of its own for what the client is capable of, with
	// what the RPC is about.
	"ConfigureProviderClientCapabilities has no write_only_attributes_allowed":     "for validation alone",
	"ImportResourceStateClientCapabilities has no write_only_attributes_allowed":   "for validation alone",
	"OpenEphemeralResourceClientCapabilities has no write_only_attributes_allowed": "for validation alone",
	"PlanActionClientCapabilities has no write_only_attributes_allowed":            "for validation alone",
	"PlanResourceChangeClientCapabilities has no write_only_attributes_allowed":    "for validation alone",
	"ReadDataSourceClientCapabilities has no write_only_attributes_allowed":        "for validation alone",
	"ReadResourceClientCapabilities has no write_only_attributes_allowed":          "for validation alone",
	"ValidateResourceConfigClientCapabilities has no deferral_allowed":             "validation is never deferred",
	"ValidateResourceTypeConfigClientCapabilities has no deferral_allowed":         "validation is never deferred",
}

// Each field of each message of each RPC has its field of a struct, and the
// other way round.
func TestComplete(t *testing.T) {
	found := map[string]bool{}
	seen := map[pair]bool{}
	for _, r := range unary(t) {
		compare(r.request, r.method.Input(), seen, found)
		compare(r.response, r.method.Output(), seen, found)
	}
	want := slices.Sorted(maps.Keys(incomplete))
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(found))); diff != "" {
		t.Error(diff)
	}
}

// compare collects the fields without another in found.
func compare(typ reflect.Type, message protoreflect.MessageDescriptor, seen map[pair]bool, found map[string]bool) {
	for typ.Kind() != reflect.Struct {
		typ = typ.Elem()
	}
	key := pair{typ, message.FullName()}
	if seen[key] || converted[message.Name()] {
		return
	}
	seen[key] = true
	m := mappingOf(typ, message)
	for _, fd := range m.unread {
		found[typ.Name()+" has no "+string(fd.Name())] = true
	}
	for _, i := range m.unsent {
		name := strings.TrimPrefix(string(message.FullName()), string(message.ParentFile().Package())+".")
		found[name+" has no "+typ.Field(i).Name] = true
	}
	for _, f := range m.fields {
		fd := f.descriptor
		if fd.IsMap() {
			fd = fd.MapValue()
		}
		if fd.Message() != nil {
			compare(typ.Field(f.index).Type, fd.Message(), seen, found)
		}
	}
}

// converted are the messages that are converted as a whole.
var converted = map[protoreflect.Name]bool{"AttributePath": true, "Timestamp": true}
