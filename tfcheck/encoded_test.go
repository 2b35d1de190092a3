package tfcheck_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
	"github.com/objchange/objchange/tfcheck/internal/codec"
)

// A memory is a connection to a server in memory.
type memory struct {
	server  tfprotov6.ProviderServer
	service string
}

// Call sends a request to the server. It is a codec.Caller.
func (m memory) Call(ctx context.Context, path string, request []byte) ([]byte, error) {
	server := reflect.ValueOf(m.server)
	for i := range server.NumMethod() {
		rpc, err := codec.Find(m.service, server.Type().Method(i).Name)
		if err != nil || rpc.Path != path {
			continue
		}
		method := server.Method(i)
		req := reflect.New(method.Type().In(1).Elem())
		if err := rpc.Request.Unmarshal(request, req.Interface(), nil); err != nil {
			return nil, err
		}
		out := method.Call([]reflect.Value{reflect.ValueOf(ctx), req})
		if err, _ := out[1].Interface().(error); err != nil {
			return nil, err
		}
		return rpc.Response.Marshal(out[0].Interface())
	}
	return nil, fmt.Errorf("there is no %s", path)
}

func (m memory) ask(ctx context.Context, path string) ([]byte, error) { return m.Call(ctx, path, nil) }

// A checkedConn is a connection whose RPCs a Checker checks.
type checkedConn struct {
	memory
	wire   *encoded.Checker
	report func([]encoded.Result)
}

// connected returns a server at the other end of a checkedConn.
func connected(f *fake, protocol int, report func([]encoded.Result), program ...tfcheck.Program) tfprotov6.ProviderServer {
	service := codec.Service(protocol)
	p := checkedConn{memory{f, service}, must(encoded.New(protocol, append(program, "")[0])), report}
	return codec.NewClient(service, p.Call)
}

func (p checkedConn) Call(ctx context.Context, path string, request []byte) ([]byte, error) {
	response, err := p.memory.Call(ctx, path, request)
	if err != nil || !p.wire.Wants(path) {
		return response, err
	}
	seen, err := p.wire.Check(ctx, p.ask, path, request, response)
	p.report(seen)
	return response, err
}

func findings(seen []encoded.Result) (found []tfcheck.Finding) {
	for _, w := range seen {
		found = append(found, w.Findings...)
	}
	return found
}

// checkedServers returns the fake behind a checkedConn of each protocol, as servers of protocol 6.
func checkedServers(f *fake, report func([]encoded.Result), program ...tfcheck.Program) map[string]tfprotov6.ProviderServer {
	return map[string]tfprotov6.ProviderServer{
		"protocol 6": connected(f, 6, report, program...), "protocol 5": connected(f, 5, report, program...),
	}
}

// TestEncodedValuesAreReturned checks that a wire returns the values, and that it takes the schemas from the
// first response, or requests them.
func TestEncodedValuesAreReturned(t *testing.T) {
	for _, passes := range []bool{true, false} {
		f := on()
		var seen []encoded.Result
		report := func(more []encoded.Result) { seen = append(seen, more...) }
		server := connected(f, 6, report)
		asked := 1
		if passes {
			asked = 2
			for range 2 {
				must(server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{}))
			}
		}
		for range 2 {
			must(ask(server, reads))
		}
		if len(seen) != 2 || seen[1].Object() != "i-1" || seen[1].RPC != "ReadResource" || seen[1].TypeName != "test_thing" {
			t.Errorf("got findings %v", seen)
		}
		if got := strings.Count(strings.Join(f.calls, " "), "GetProviderSchema"); got != asked {
			t.Errorf("the schemas were requested %d times, want %d: %v", got, asked, f.calls)
		}
	}
}

// TestEncodedSchemas checks the schemas of the objects in an RPC and of their identities.
func TestEncodedSchemas(t *testing.T) {
	w := must(encoded.New(6, ""))
	if diff := cmp.Diff([]string{"/tfplugin6.Provider/GetProviderSchema", "/tfplugin6.Provider/GetResourceIdentitySchemas"}, w.SchemaRPCs()); diff != "" {
		t.Error(diff)
	}
	server := memory{on(), codec.Service6}
	for _, test := range []struct {
		rpc, typeName, want string
		identity            bool
	}{
		{"ReadResource", "test_thing", "", true},
		{"ReadDataSource", "test_thing", "", false},
		{"ReadResource", "test_thin", `the provider has no schema of the resource type "test_thin"; did you mean "test_thing"?`, false},
		{"StopProvider", "", "tfcheck does not check StopProvider", false},
	} {
		object, identity, err := w.Schemas(ctx, server.ask, test.rpc, test.typeName)
		switch {
		case err != nil && err.Error() != test.want, err == nil && test.want != "":
			t.Errorf("%v: %v", test, err)
		case err == nil && object.Block().Attributes["token"] == nil, (identity != nil) != test.identity:
			t.Errorf("%v: %v and %v", test, object, identity)
		}
	}
}

// TestMalformedMessageIsNoFinding checks that a malformed message is an error and not a finding.
func TestMalformedMessageIsNoFinding(t *testing.T) {
	const read = "/tfplugin6.Provider/ReadResource"
	request := must(must(codec.Find(codec.Service6, "ReadResource")).Request.Marshal(&tfprotov6.ReadResourceRequest{TypeName: "test_thing", CurrentState: dynamic(exists)}))
	for name, test := range map[string]struct {
		fake              *fake
		method            string
		request, response []byte
		want              string
	}{
		"request":  {on(), read, []byte{0xff}, nil, "ReadResource: the request is malformed"},
		"response": {on(), read, nil, []byte{0xff}, "ReadResource: "},
		"method":   {on(), "/tfplugin6.Provider/StopProvider", nil, nil, "tfcheck does not check"},
		"protocol": {on(), "/tfplugin5.Provider/ReadResource", nil, nil, "tfcheck does not check"},
		"schemas":  {&fake{fails: 1, with: errors.New("gone")}, read, request, nil, "GetProviderSchema: gone"},
	} {
		t.Run(name, func(t *testing.T) {
			w := must(encoded.New(6, ""))
			seen, err := w.Check(ctx, memory{test.fake, codec.Service6}.ask, test.method, test.request, test.response)
			if seen != nil || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got findings %v, error %v", seen, err)
			}
		})
	}
	if _, err := encoded.New(4, ""); err == nil {
		t.Error("got a checker for protocol 4")
	}
}
