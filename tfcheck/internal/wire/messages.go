package wire

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
)

// The names and numbers of the messages that are read from bytes: those of the RPCs that
// are judged, or have schemas. A test holds them to what terraform-plugin-go registers,
// which comes with gRPC and net/http. By protobuf's own runtime WebAssembly would be a
// fifth larger, and begin a quarter of a second later.
//
//go:embed messages.txt
var messagesText string

// A messageField is one of a message.
type messageField struct {
	name     string // in the form of plain
	kind     string // bool, int32, int64, enum, bytes, string, or a message
	repeated bool
	mapped   bool // by strings
	presence bool // it may be there and zero
}

// messageFields are those of a message by their numbers.
type messageFields map[protowire.Number]*messageField

// An RPC is one whose messages are read.
type RPC struct {
	Path              string // as /tfplugin6.Provider/ReadResource
	request, response string
}

type protocols struct {
	rpcs     map[string]RPC // by path
	messages map[string]messageFields
}

// known reads the table: a line "rpc PATH REQUEST RESPONSE" for each RPC, "message NAME"
// for each message, and after that "NUMBER NAME KIND [repeated|map|optional]" for each of
// its fields.
var known = sync.OnceValue(func() protocols {
	p := protocols{map[string]RPC{}, map[string]messageFields{}}
	var of messageFields
	for line := range strings.Lines(messagesText) {
		words := append(strings.Fields(line), "")
		switch words[0] {
		case "rpc":
			p.rpcs[words[1]] = RPC{words[1], words[2], words[3]}
		case "message":
			of = messageFields{}
			p.messages[words[1]] = of
		default:
			number, err := strconv.Atoi(words[0])
			if err != nil {
				panic(err) // the file is part of the program
			}
			of[protowire.Number(number)] = &messageField{
				name: plain(words[1]), kind: words[2],
				repeated: words[3] == "repeated", mapped: words[3] == "map", presence: words[3] == "optional",
			}
		}
	}
	return p
})

// Find returns the RPC that the method of a ProviderServer with the given name serves.
// The error says that it is not one of those that are read.
func Find(service, name string) (RPC, error) {
	if other, ok := named5[name]; ok && service == Service5 {
		name = other
	}
	path := "/" + service + "/" + name
	rpc, ok := known().rpcs[path]
	if !ok {
		return RPC{}, fmt.Errorf("%s is not known", path)
	}
	return rpc, nil
}

// UnmarshalRequest fills the zero struct that to points to with what is on the wire of a
// request, as FromProto does. The error says which field makes no sense, and where; no
// value is in it.
func (r RPC) UnmarshalRequest(encoded []byte, to any) error { return unmarshal(r.request, encoded, to) }

// UnmarshalResponse does so for a response.
func (r RPC) UnmarshalResponse(encoded []byte, to any) error {
	return unmarshal(r.response, encoded, to)
}
