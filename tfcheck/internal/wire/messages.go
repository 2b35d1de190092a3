package wire

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
)

// The names and numbers of the messages of all RPCs of tfprotov6.ProviderServer, in both
// protocols. A test compares them with the messages that terraform-plugin-go registers, and
// writes the file.
//
//go:embed messages.txt
var messagesText string

// A messageField describes a field of a message.
type messageField struct {
	number   protowire.Number
	name     string // in the form of plain
	kind     string // bool, int32, int64, enum, bytes, string, or a message
	repeated bool
	mapped   bool // a map with string keys
	presence bool // zero differs from absent
}

// messageFields contains the fields of a message.
type messageFields struct {
	byNumber map[protowire.Number]*messageField
	byName   map[string]*messageField
}

// An RPC is an RPC of the plugin protocol.
type RPC struct {
	Path              string // such as /tfplugin6.Provider/ReadResource
	request, response string
}

type protocols struct {
	rpcs     map[string]RPC // by path
	messages map[string]messageFields
}

// known parses the table. It has a line "rpc PATH REQUEST RESPONSE" for each RPC, and "message
// NAME" for each message, followed by "NUMBER NAME KIND [repeated|map|optional]" for each of its
// fields.
var known = sync.OnceValue(func() protocols {
	p := protocols{map[string]RPC{}, map[string]messageFields{}}
	var of messageFields
	for line := range strings.Lines(messagesText) {
		words := append(strings.Fields(line), "")
		switch words[0] {
		case "rpc":
			p.rpcs[words[1]] = RPC{words[1], words[2], words[3]}
		case "message":
			of = messageFields{map[protowire.Number]*messageField{}, map[string]*messageField{}}
			p.messages[words[1]] = of
		default:
			number, err := strconv.Atoi(words[0])
			if err != nil {
				panic(err) // the file is part of the program
			}
			f := &messageField{
				number: protowire.Number(number), name: plain(words[1]), kind: words[2],
				repeated: words[3] == "repeated", mapped: words[3] == "map", presence: words[3] == "optional",
			}
			of.byNumber[f.number], of.byName[f.name] = f, f
		}
	}
	return p
})

// Find returns the RPC of the service for the method of tfprotov6.ProviderServer with the name.
// The error says that the RPC does not exist.
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

// MarshalRequest returns the message for the struct of tfprotov6 that from points to. The error
// contains the path of the field that cannot be encoded, and no values.
func (r RPC) MarshalRequest(from any) ([]byte, error) { return marshal(r.request, from) }

// MarshalResponse is like MarshalRequest, for a response.
func (r RPC) MarshalResponse(from any) ([]byte, error) { return marshal(r.response, from) }

// UnmarshalRequest decodes a message into the zero struct of tfprotov6 that to points to. The
// error contains the path of the malformed field, and no values.
func (r RPC) UnmarshalRequest(encoded []byte, to any) error {
	return unmarshal(r.request, encoded, to, nil)
}

// UnmarshalResponse is like UnmarshalRequest, for a response.
func (r RPC) UnmarshalResponse(encoded []byte, to any) error {
	return unmarshal(r.response, encoded, to, nil)
}
