package watch

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// A test process with this variable is a provider with the given protocol. It has none of the RPCs
// of the protocol, but the RPCs of an unknown service, see rawMethods.
const rawProvider = "OBJCHANGE_TEST_RAW_PROVIDER"

func TestMain(m *testing.M) {
	if protocol, err := strconv.Atoi(os.Getenv(rawProvider)); err == nil {
		serveRaw(protocol)
		return
	}
	os.Exit(m.Run())
}

// launchRaw returns a function that launches this test as a provider.
func launchRaw(protocol int) func(context.Context) (*driver.Plugin, error) {
	return func(ctx context.Context) (*driver.Plugin, error) {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		return driver.Launch(ctx, self, driver.WithEnv(fmt.Sprintf("%s=%d", rawProvider, protocol)))
	}
}

var asked, cancelled atomic.Int64

// rawMethods are the RPCs of the raw provider by path. Each gets the first message of the client.
var rawMethods = map[string]func(grpc.ServerStream, []byte) error{
	"/new.Service/Echo": func(s grpc.ServerStream, message []byte) error {
		sent, _ := metadata.FromIncomingContext(s.Context())
		s.SetTrailer(metadata.Pairs("seen-last", "trailer"))
		if err := s.SendHeader(metadata.Pairs("seen", fmt.Sprint(sent["asks"]), "raw-bin", "\x00\xff")); err != nil {
			return err
		}
		return s.SendMsg(&message)
	},
	"/new.Service/Stream": func(s grpc.ServerStream, message []byte) error {
		for {
			for range 2 {
				if err := s.SendMsg(&message); err != nil {
					return err
				}
			}
			if s.RecvMsg(&message) != nil {
				return nil
			}
		}
	},
	"/new.Service/Fail": func(s grpc.ServerStream, message []byte) error {
		s.SetTrailer(metadata.Pairs("seen-last", "trailer"))
		failed, err := status.New(codes.ResourceExhausted, "not today: é").WithDetails(&errdetails.ErrorInfo{Reason: string(message)})
		if err != nil {
			return err
		}
		return failed.Err()
	},
	"/new.Service/Count": func(s grpc.ServerStream, _ []byte) error {
		return say(s, fmt.Sprintf("%d %d", os.Getpid(), asked.Add(1)))
	},
	"/new.Service/Cancelled": func(s grpc.ServerStream, _ []byte) error { return say(s, fmt.Sprint(cancelled.Load())) },
	"/new.Service/Hang": func(s grpc.ServerStream, _ []byte) error {
		if err := say(s, "hangs"); err != nil {
			return err
		}
		<-s.Context().Done()
		cancelled.Add(1)
		return s.Context().Err()
	},
	"/new.Service/Deadline": func(s grpc.ServerStream, _ []byte) error {
		at, ok := s.Context().Deadline()
		return say(s, fmt.Sprint(ok && time.Until(at) > 59*time.Minute && time.Until(at) <= time.Hour))
	},
	"/new.Service/Crash": func(grpc.ServerStream, []byte) error { panic("nothing in the list") },
}

func say(s grpc.ServerStream, text string) error {
	message := []byte(text)
	return s.SendMsg(&message)
}

func serveRaw(protocol int) {
	provider := plugin.PluginSet{"provider": rawPlugin{}}
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			MagicCookieKey: "TF_PLUGIN_MAGIC_COOKIE", MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{protocol: provider},
		Logger:           hclog.NewNullLogger(),
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts, grpc.ForceServerCodec(mixedCodec{}), grpc.MaxRecvMsgSize(1<<30),
				grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error {
					name, _ := grpc.MethodFromServerStream(s)
					method, ok := rawMethods[name]
					if !ok {
						return status.Error(codes.Unimplemented, name+" is new to me")
					}
					var message []byte
					if err := s.RecvMsg(&message); err != nil {
						return err
					}
					return method(s, message)
				}))...)
		},
	})
}

type rawPlugin struct{ plugin.NetRPCUnsupportedPlugin }

func (rawPlugin) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error { return nil }

func (rawPlugin) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, nil
}

// mixedCodec is a codec for raw messages and for the messages of go-plugin.
type mixedCodec struct{ encoded.Raw }

func (m mixedCodec) Marshal(v any) ([]byte, error) {
	if message, ok := v.(proto.Message); ok {
		return proto.Marshal(message)
	}
	return m.Raw.Marshal(v)
}

func (m mixedCodec) Unmarshal(data []byte, v any) error {
	if message, ok := v.(proto.Message); ok {
		return proto.Unmarshal(data, message)
	}
	return m.Raw.Unmarshal(data, v)
}
