package wire

import (
	"context"
	"errors"
	"net"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/tfcheck/internal/testprovider"
)

type answer func(ctx context.Context, rpc string, request any) (any, error)

// dial serves both protocols in memory, with the servers of terraform-plugin-go,
// and answers every call with what handle says.
func dial(t *testing.T, handle answer) *grpc.ClientConn {
	t.Helper()
	t.Setenv("TF_LOG_SDK_PROTO", "off")
	server := grpc.NewServer()
	five := &tf5server.GRPCProviderPlugin{Name: "example.com/test/test", GRPCProvider: func() tfprotov5.ProviderServer {
		return &testprovider.Server5{Answer: handle}
	}}
	six := &tf6server.GRPCProviderPlugin{Name: "example.com/test/test", GRPCProvider: func() tfprotov6.ProviderServer {
		return &testprovider.Server6{Answer: handle}
	}}
	if err := errors.Join(five.GRPCServer(nil, server), six.GRPCServer(nil, server)); err != nil {
		t.Fatal(err)
	}
	listener := bufconn.Listen(1 << 20)
	served := make(chan error)
	go func() { served <- server.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:memory",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return conn
}

// A server of terraform-plugin-go gets each request as it was sent, and its
// response arrives as it was answered.
func TestCall(t *testing.T) {
	var name string
	var request, response any
	conn := dial(t, func(_ context.Context, rpc string, got any) (any, error) {
		name, request = rpc, got
		return response, nil
	})
	for _, r := range unary(t) {
		if !serves(r) {
			continue
		}
		t.Run(r.String(), rapid.MakeCheck(func(rt *rapid.T) {
			sent := generated(rt, reflect.PointerTo(r.request), 4)
			answered := generated(rt, reflect.PointerTo(r.response), 4)
			unset(sent.Elem(), "SourceIdentitySchemaVersion") // which these servers do not read
			if !deferrable(sent.Elem()) {
				unset(answered.Elem(), "Deferred")
			}
			response = answered.Interface()
			got := reflect.New(r.response)
			if err := Call(t.Context(), conn, r.service, r.name, sent.Interface(), got.Interface()); err != nil {
				rt.Fatal(err)
			}
			if name != r.name {
				rt.Fatalf("%s was called", name)
			}
			if diff := cmp.Diff(sent.Interface(), request, cmpopts.EquateEmpty()); diff != "" {
				rt.Fatalf("request: %s", diff)
			}
			if diff := cmp.Diff(answered.Interface(), got.Interface()); diff != "" {
				rt.Fatalf("response: %s", diff)
			}
		}))
	}
}

// serves reports whether the RPC is one of tfprotov5.ProviderServer or
// tfprotov6.ProviderServer.
func serves(r rpc) bool {
	_, found := servers[r.service][0].MethodByName(r.name)
	return found
}

// The servers of terraform-plugin-go add a diagnostic to what is deferred without
// being allowed to.
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

func TestCallErrors(t *testing.T) {
	ctx := t.Context()
	conn := dial(t, func(context.Context, string, any) (any, error) {
		return nil, status.Error(codes.Unimplemented, "not yet")
	})
	for name, tc := range map[string]struct {
		method            string
		request, response any
		code              codes.Code
		want              string
	}{
		"no method": {"Nothing", &tfprotov6.GetMetadataRequest{}, &tfprotov6.GetMetadataResponse{}, codes.Unknown, "service tfplugin6.Provider has no Nothing"},
		"nil":       {"GetMetadata", nil, &tfprotov6.GetMetadataResponse{}, codes.Unknown, "the request cannot be sent: not a pointer to a struct, or nil"},
		"status":    {"GetMetadata", &tfprotov6.GetMetadataRequest{}, &tfprotov6.GetMetadataResponse{}, codes.Unimplemented, "rpc error: code = Unimplemented desc = not yet"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Call(ctx, conn, Service6, tc.method, tc.request, tc.response)
			wantError(t, err, tc.want)
			if got := status.Code(err); got != tc.code {
				t.Errorf("code %s, want %s", got, tc.code)
			}
		})
	}
	empty := dial(t, func(context.Context, string, any) (any, error) { return nil, nil })
	err := Call(ctx, empty, Service6, "GetMetadata", &tfprotov6.GetMetadataRequest{}, nil)
	wantError(t, err, "the response makes no sense: not a pointer to a struct, or nil")
}
