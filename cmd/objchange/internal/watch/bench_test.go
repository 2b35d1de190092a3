package watch

import (
	"context"
	"encoding/base64"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/objchange/objchange/tfcheck"
)

const (
	schemaMethod = "/tfplugin6.Provider/GetProviderSchema"
	planMethod   = "/tfplugin6.Provider/PlanResourceChange"
)

// The provider has answers to two RPCs of Terraform's, and nothing else to do.
func init() {
	answers := map[string]string{
		schemaMethod: fmt.Sprintf(`{"resourceSchemas": {"raw_thing": {"block": {"attributes": [%s]}}}}`, strings.Join(attributes(), ", ")),
		planMethod:   fmt.Sprintf(`{"plannedState": {"msgpack": %q}}`, tenKilobytes()),
	}
	for method, answer := range answers {
		encoded := wireOf(protoreflect.FullName("tfplugin6."+path.Base(method)+".Response"), answer)
		rawMethods[method] = func(s grpc.ServerStream, _ []byte) error { return s.SendMsg(&encoded) }
	}
}

func attributes() (all []string) {
	for i := range 10 {
		all = append(all, fmt.Sprintf(`{"name": "a%d", "type": "InN0cmluZyI=", "optional": true}`, i)) // "string"
	}
	return all
}

// tenKilobytes are MessagePack of an object of ten strings.
func tenKilobytes() string {
	object := map[string]cty.Value{}
	for i := range 10 {
		object[fmt.Sprintf("a%d", i)] = cty.StringVal(strings.Repeat(fmt.Sprint(i), 1000))
	}
	v := cty.ObjectVal(object)
	encoded, err := msgpack.Marshal(v, v.Type())
	if err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(encoded)
}

// wireOf encodes a message of the protocol.
func wireOf(name protoreflect.FullName, json string) []byte {
	kind, err := protoregistry.GlobalTypes.FindMessageByName(name)
	if err != nil {
		panic(err)
	}
	message := kind.New().Interface()
	if err := protojson.Unmarshal([]byte(json), message); err != nil {
		panic(err)
	}
	encoded, err := proto.Marshal(message)
	if err != nil {
		panic(err)
	}
	return encoded
}

func planRequest() []byte {
	return wireOf("tfplugin6.PlanResourceChange.Request", fmt.Sprintf(
		`{"typeName": "raw_thing", "priorState": {"msgpack": "wA=="}, "proposedNewState": {"msgpack": %[1]q}, "config": {"msgpack": %[1]q}}`, tenKilobytes()))
}

// BenchmarkCall is a call of 20 kB that is answered with 10 kB, by a provider that does
// nothing: as Core makes it, and through what watch puts between.
func BenchmarkCall(b *testing.B) {
	request := planRequest()
	for _, bench := range []struct {
		name    string
		connect func(*testing.B) grpc.ClientConnInterface
	}{
		{"alone", func(b *testing.B) grpc.ClientConnInterface { return launched(b).Conn() }},
		{"watched", watchedConn},
	} {
		b.Run(bench.name, func(b *testing.B) {
			conn := bench.connect(b)
			for b.Loop() {
				var response []byte
				if err := conn.Invoke(b.Context(), planMethod, &request, &response, grpc.ForceCodec(raw{})); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func launched(b *testing.B) *tfcheck.Plugin {
	provider, err := launchRaw(6)(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { provider.Close() })
	return provider
}

// watchedConn is a connection to a provider all whose answers are judged, without
// one left out.
func watchedConn(b *testing.B) grpc.ClientConnInterface {
	witness, err := tfcheck.NewWitness(6)
	if err != nil {
		b.Fatal(err)
	}
	j := newJudge()
	b.Cleanup(func() {
		r := j.report()
		if len(r.Subjects) == 0 {
			b.Error("nothing was judged")
		}
		for _, s := range r.Subjects {
			if s.Status != "judged" || len(s.Findings) > 0 {
				b.Fatalf("%+v", s)
			}
		}
	})
	connect, _ := proxied(b, 6, tap{
		wants: witness.Wants,
		seen:  func(r *rpc) { j.see(passed{rpc: r, address: "acme/raw", witness: witness}) },
	}, noCrash(b))
	return connect()
}
