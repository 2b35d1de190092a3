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

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/witness"
)

const planMethod = "/tfplugin6.Provider/PlanResourceChange"

// The provider plans a large thing, of ten attributes, and has nothing to do for it.
func init() {
	answer := encoded("tfplugin6.PlanResourceChange.Response", fmt.Sprintf(`{"plannedState": {"msgpack": %q}}`, tenKilobytes()))
	rawMethods[planMethod] = func(s grpc.ServerStream, _ []byte) error { return s.SendMsg(&answer) }
}

func largeAttributes() string {
	var all []string
	for i := range 10 {
		all = append(all, fmt.Sprintf(`{"name": "a%d", "type": "InN0cmluZyI=", "optional": true}`, i)) // "string"
	}
	return strings.Join(all, ", ")
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

func planRequest() []byte {
	return encoded("tfplugin6.PlanResourceChange.Request", fmt.Sprintf(
		`{"typeName": "raw_large", "priorState": {"msgpack": "wA=="}, "proposedNewState": {"msgpack": %[1]q}, "config": {"msgpack": %[1]q}}`, tenKilobytes()))
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

func launched(b *testing.B) *driver.Plugin {
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
	witness, err := witness.New(6, tfcheck.Terraform)
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
	t := tap{wants: witness.Wants, seen: func(r *rpc) { r.address, r.witness = "acme/raw", witness; j.see(r) }}
	connect, _ := proxied(b, 6, t, noCrash(b))
	conn := connect()
	b.Cleanup(j.settle) // while the process is there, which the judge asks for schemas
	return conn
}
