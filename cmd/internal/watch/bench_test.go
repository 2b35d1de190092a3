package watch

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/grpc"

	"github.com/objchange/objchange/tfcheck/encoded"
)

const planMethod = "/tfplugin6.Provider/PlanResourceChange"

// The provider answers planMethod with a large object of ten attributes, without any work.
func init() {
	answer := encode("tfplugin6.PlanResourceChange.Response", fmt.Sprintf(`{"plannedState": {"msgpack": %q}}`, tenKilobytes()))
	rawMethods[planMethod] = func(s grpc.ServerStream, _ []byte) error { return s.SendMsg(&answer) }
}

func largeAttributes() string {
	var all []string
	for i := range 10 {
		all = append(all, fmt.Sprintf(`{"name": "a%d", "type": "InN0cmluZyI=", "optional": true}`, i)) // the type "string"
	}
	return strings.Join(all, ", ")
}

// tenKilobytes returns a packed object with ten strings.
func tenKilobytes() string {
	object := map[string]cty.Value{}
	for i := range 10 {
		object[fmt.Sprintf("a%d", i)] = cty.StringVal(strings.Repeat(fmt.Sprint(i), 1000))
	}
	return packed(cty.ObjectVal(object))
}

// packed returns the MessagePack of an object, encoded in base64.
func packed(v cty.Value) string {
	encoded, err := msgpack.Marshal(v, v.Type())
	if err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(encoded)
}

func planRequest() []byte {
	return encode("tfplugin6.PlanResourceChange.Request", fmt.Sprintf(
		`{"typeName": "raw_large", "priorState": {"msgpack": "wA=="}, "proposedNewState": {"msgpack": %[1]q}, "config": {"msgpack": %[1]q}}`, tenKilobytes()))
}

// BenchmarkCall measures a call with a 20 kB request and a 10 kB response, to a provider that does
// no work. It measures a direct call and a call through the proxy.
func BenchmarkCall(b *testing.B) {
	request := planRequest()
	for _, bench := range []struct {
		name    string
		connect func(*testing.B) grpc.ClientConnInterface
	}{
		{"alone", launched},
		{"watched", watchedConn},
	} {
		b.Run(bench.name, func(b *testing.B) {
			conn := bench.connect(b)
			for b.Loop() {
				var response []byte
				if err := conn.Invoke(b.Context(), planMethod, &request, &response, grpc.ForceCodec(encoded.Raw{})); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func launched(b *testing.B) grpc.ClientConnInterface {
	provider, err := launchRaw(6)(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { provider.Close() })
	return provider.Conn()
}

// watchedConn returns a connection to a provider through a session. It fails the benchmark if an
// answer is not checked.
func watchedConn(b *testing.B) grpc.ClientConnInterface {
	s, connect := rawSession(b, 6, Config{})
	b.Cleanup(func() {
		r := s.Report()
		if len(r.Subjects) == 0 {
			b.Error("nothing was checked")
		}
		for _, s := range r.Subjects {
			if s.Status != "checked" || len(s.Findings) > 0 {
				b.Fatalf("%+v", s)
			}
		}
	})
	return connect()
}
