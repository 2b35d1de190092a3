package codec

import (
	"context"
	"errors"
	"net"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server" // registers the messages of protocol 5
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"pgregory.net/rapid"
)

// answer returns a pointer to the response for a request.
type answer func(request any) (any, error)

// A server returns answers.
type server struct {
	tfprotov6.ProviderServer // nil
	answer                   answer
}

func reply[R any](s server, request any) (*R, error) {
	response, err := s.answer(request)
	if err != nil {
		return nil, err
	}
	return response.(*R), nil
}

func (s server) GetMetadata(_ context.Context, req *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	return reply[tfprotov6.GetMetadataResponse](s, req)
}

func (s server) GetProviderSchema(_ context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return reply[tfprotov6.GetProviderSchemaResponse](s, req)
}

func (s server) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return reply[tfprotov6.ReadResourceResponse](s, req)
}

func (s server) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return reply[tfprotov6.PlanResourceChangeResponse](s, req)
}

// dial serves protocol 6 in memory, with the server of terraform-plugin-go. handle returns the
// response for each call.
func dial(t *testing.T, handle answer) *grpc.ClientConn {
	t.Helper()
	t.Setenv("TF_LOG_SDK_PROTO", "off")
	served := make(chan error)
	transport := grpc.NewServer()
	six := &tf6server.GRPCProviderPlugin{Name: "example.com/test/test", GRPCProvider: func() tfprotov6.ProviderServer {
		return server{answer: handle}
	}}
	if err := six.GRPCServer(nil, transport); err != nil {
		t.Fatal(err)
	}
	listener := bufconn.Listen(1 << 20)
	go func() { served <- transport.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:memory",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		transport.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return conn
}

// TestCall checks that a server of terraform-plugin-go receives each request unchanged, and that
// the client receives its response unchanged.
func TestCall(t *testing.T) {
	var request, response any
	conn := dial(t, func(got any) (any, error) {
		request = got
		return response, nil
	})
	for _, r := range all(t, Service6) {
		if !slices.Contains([]string{"GetMetadata", "GetProviderSchema", "ReadResource", "PlanResourceChange"}, r.name) {
			continue // both services have the same table of messages
		}
		t.Run(r.name, rapid.MakeCheck(func(rt *rapid.T) {
			sent, answered := generated(rt, reflect.PointerTo(r.request), 4), generated(rt, reflect.PointerTo(r.response), 4)
			clear5(answered, false)
			unset(sent.Elem(), "SourceIdentitySchemaVersion") // these servers do not read it
			if !deferrable(sent.Elem()) {
				unset(answered.Elem(), "Deferred")
			}
			response = answered.Interface()
			method := reflect.ValueOf(NewClient(Service6, Connection(conn))).MethodByName(r.name)
			out := method.Call([]reflect.Value{reflect.ValueOf(t.Context()), sent})
			if err, _ := out[1].Interface().(error); err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(sent.Interface(), request, cmpopts.EquateEmpty()); diff != "" {
				rt.Fatalf("request: %s", diff)
			}
			if diff := cmp.Diff(answered.Interface(), out[0].Interface()); diff != "" {
				rt.Fatalf("response: %s", diff)
			}
		}))
	}
}

// deferrable reports whether the request allows deferral. The servers of terraform-plugin-go add
// a diagnostic to a deferred response if the request does not allow deferral.
func deferrable(request reflect.Value) bool {
	capabilities := request.FieldByName("ClientCapabilities")
	if !capabilities.IsValid() || capabilities.IsNil() {
		return false
	}
	allowed := capabilities.Elem().FieldByName("DeferralAllowed")
	return allowed.IsValid() && allowed.Bool()
}

func unset(structure reflect.Value, field string) {
	if f := structure.FieldByName(field); f.IsValid() {
		f.SetZero()
	}
}

// TestCallErrors checks that the error contains the name of the RPC and the reason: the request
// cannot be encoded, the response is malformed, or the provider returned an error.
func TestCallErrors(t *testing.T) {
	client := NewClient(Service6, Connection(dial(t, func(any) (any, error) {
		return nil, status.Error(codes.Unimplemented, "not yet")
	})))
	_, err := client.GetMetadata(t.Context(), nil)
	wantError(t, err, "GetMetadata: the request cannot be sent: not a pointer to a struct, or nil")
	_, err = client.GetMetadata(t.Context(), &tfprotov6.GetMetadataRequest{})
	wantError(t, err, "GetMetadata: rpc error: code = Unimplemented desc = not yet")
	if status.Code(errors.Unwrap(err)) != codes.Unimplemented {
		t.Errorf("%v has no status", err)
	}
	_, err = NewClient(Service6, garbage{}).GetMetadata(t.Context(), &tfprotov6.GetMetadataRequest{})
	wantError(t, err, "GetMetadata: the response is malformed: "+"it is not a protobuf message")
}

type garbage struct{}

func (garbage) Call(context.Context, string, []byte) ([]byte, error) { return []byte{0xff}, nil }
