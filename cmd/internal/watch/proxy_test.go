package watch

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// patience is the time limit for events that normally occur at once.
const patience = 30 * time.Second

// proxied serves a proxy of the raw provider. It returns a function that connects to the proxy.
func proxied(t testing.TB, protocol int, tap tap, crash func(error)) (connect func() *grpc.ClientConn, p *proxy) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	p = newProxy(launchRaw(protocol), tap, crash)
	served := make(chan error, 1)
	go func() { served <- p.serve(listener) }()
	t.Cleanup(func() {
		p.close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return func() *grpc.ClientConn { return dial(t, socket) }, p
}

// dial connects to a provider as Terraform does, but with raw messages.
func dial(t testing.TB, socket string) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient("unix:"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(encoded.Raw{}), grpc.MaxCallRecvMsgSize(math.MaxInt32)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// untapped is a tap that does nothing.
var untapped = tap{seen: func(exchanges.RPC, encoded.Caller) {}, settle: func() {}}

func noCrash(t testing.TB) func(error) {
	return func(err error) { t.Errorf("a process crashed: %v", err) }
}

func ask(ctx context.Context, conn *grpc.ClientConn, method, message string, opts ...grpc.CallOption) (string, error) {
	request, response := []byte(message), []byte(nil)
	err := conn.Invoke(ctx, "/new.Service/"+method, &request, &response, opts...)
	return string(response), err
}

// TestRPCsAreForwardedAndRecorded checks that a session forwards RPCs unchanged, in both protocols,
// although it does not know their service, and records them unchanged, with their status.
func TestRPCsAreForwardedAndRecorded(t *testing.T) {
	for _, protocol := range []int{5, 6} {
		t.Run(fmt.Sprint(protocol), func(t *testing.T) {
			s, connect, dir := recordedSession(t, protocol, false)
			conn, began := connect(), time.Now()
			t.Run("metadata", func(t *testing.T) { passesMetadata(t, conn) })
			t.Run("status", func(t *testing.T) { passesStatus(t, conn) })
			t.Run("unknown method", func(t *testing.T) {
				_, err := ask(t.Context(), conn, "Newer", "")
				if got := status.Convert(err); got.Code() != codes.Unimplemented || got.Message() != "/new.Service/Newer is new to me" {
					t.Errorf("got %v", err)
				}
			})
			t.Run("stream", func(t *testing.T) { passesStreams(t, conn) })
			t.Run("deadline", func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				if got, err := ask(ctx, conn, "Deadline", ""); err != nil || got != "true" {
					t.Errorf("%s, %v", got, err)
				}
			})
			t.Run("cancellation", func(t *testing.T) { passesCancellation(t, conn) })
			if left := notes(t, s); len(left) > 0 {
				t.Errorf("got the lines %q", left)
			}
			provider, rpcs := entries(t, dir)
			if a := provider.Schemas; len(a) != 2 || len(a[0].Response) == 0 || a[1].Status == nil || a[1].Status.Code != uint32(codes.Unimplemented) || provider.Protocol != protocol {
				t.Errorf("the provider is %+v", provider)
			}
			if diff := cmp.Diff(recordedLines, linesOf(t, rpcs, began)); diff != "" {
				t.Errorf("(-want +recorded):\n%s", diff)
			}
		})
	}
}

func passesMetadata(t *testing.T, conn *grpc.ClientConn) {
	var header, trailer metadata.MD
	ctx := metadata.AppendToOutgoingContext(t.Context(), "asks", "one", "asks", "two")
	got, err := ask(ctx, conn, "Echo", "\xff\x00not protobuf", grpc.Header(&header), grpc.Trailer(&trailer))
	if err != nil || got != "\xff\x00not protobuf" {
		t.Errorf("%q, %v", got, err)
	}
	delete(header, "content-type")
	if diff := cmp.Diff(metadata.MD{"seen": {"[one two]"}, "raw-bin": {"\x00\xff"}}, header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(metadata.MD{"seen-last": {"trailer"}}, trailer); diff != "" {
		t.Errorf("trailer (-want +got):\n%s", diff)
	}
}

func passesStatus(t *testing.T, conn *grpc.ClientConn) {
	var trailer metadata.MD
	_, err := ask(t.Context(), conn, "Fail", "why", grpc.Trailer(&trailer))
	got := status.Convert(err)
	if got.Code() != codes.ResourceExhausted || got.Message() != "not today: é" || trailer.Get("seen-last") == nil {
		t.Errorf("got %v, %v", err, trailer)
	}
	if len(got.Details()) != 1 || got.Details()[0].(*errdetails.ErrorInfo).GetReason() != "why" {
		t.Errorf("details %v", got.Details())
	}
}

func stream(t *testing.T, ctx context.Context, conn *grpc.ClientConn, method string) grpc.ClientStream {
	t.Helper()
	s, err := conn.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/new.Service/"+method)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// passesStreams checks that each message arrives before the next one is sent.
func passesStreams(t *testing.T, conn *grpc.ClientConn) {
	s := stream(t, t.Context(), conn, "Stream")
	for i := range 3 {
		sent, got := []byte{byte(i)}, []byte(nil)
		if err := s.SendMsg(&sent); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := s.RecvMsg(&got); err != nil || !bytes.Equal(got, sent) {
				t.Fatalf("got %v, %v", got, err)
			}
		}
	}
	var none []byte
	if err := s.CloseSend(); err != nil {
		t.Error(err)
	}
	if err := s.RecvMsg(&none); err == nil || err.Error() != "EOF" {
		t.Errorf("the stream ends with %v", err)
	}
}

func passesCancellation(t *testing.T, conn *grpc.ClientConn) {
	ctx, cancel := context.WithCancel(t.Context())
	s := stream(t, ctx, conn, "Hang")
	var message []byte
	if err := s.SendMsg(&message); err != nil {
		t.Fatal(err)
	}
	if err := s.RecvMsg(&message); err != nil || string(message) != "hangs" {
		t.Fatalf("%s, %v", message, err)
	}
	cancel()
	eventually(t, "the provider is cancelled", func() bool {
		got, err := ask(t.Context(), conn, "Cancelled", "")
		return err == nil && got == "1"
	})
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("condition is false: %s", what)
		}
	}
}

// TestEachConnectionHasItsProcess checks that each connection has its own process, which ends with the
// connection. A connection without RPCs has no process.
func TestEachConnectionHasItsProcess(t *testing.T) {
	connect, p := proxied(t, 6, untapped, noCrash(t))
	const connections = 12
	pids := make(chan string, connections)
	conns := make([]*grpc.ClientConn, connections)
	for i := range conns {
		conns[i] = connect()
	}
	idle := connect()
	idle.Connect()
	eventually(t, "the idle one is connected", func() bool { p.mu.Lock(); defer p.mu.Unlock(); return len(p.connections) == 1 })
	var all sync.WaitGroup
	for _, conn := range conns {
		all.Go(func() {
			for i := range 3 {
				got, err := ask(t.Context(), conn, "Count", "")
				pid, n, _ := strings.Cut(got, " ")
				if err != nil || n != fmt.Sprint(i+1) {
					t.Errorf("%q, %v", got, err)
				}
				if i == 0 {
					pids <- pid
				}
			}
		})
	}
	all.Wait()
	close(pids)
	seen := map[string]bool{}
	for pid := range pids {
		seen[pid] = true
	}
	if len(seen) != connections {
		t.Errorf("%d processes for %d connections", len(seen), connections)
	}
	for _, conn := range conns {
		conn.Close()
	}
	eventually(t, "all but the idle one are gone", func() bool { p.mu.Lock(); defer p.mu.Unlock(); return len(p.connections) == 1 })
	for pid := range seen {
		if alive(pid) {
			t.Errorf("process %s still runs", pid)
		}
	}
}

// alive reports whether the process exists.
func alive(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return true
	}
	p, err := os.FindProcess(n) // fails on Windows if the process does not exist
	return err == nil && (runtime.GOOS == "windows" || p.Signal(syscall.Signal(0)) == nil)
}

// TestProxyKeepsProcessWhileNeeded checks that after a connection closes, its process runs
// until all requests are checked.
func TestProxyKeepsProcessWhileNeeded(t *testing.T) {
	seen, checked := make(chan encoded.Caller, 1), make(chan struct{})
	connect, p := proxied(t, 6, tap{
		seen:   func(_ exchanges.RPC, ask encoded.Caller) { seen <- ask },
		settle: func() { <-checked },
	}, noCrash(t))
	conn := connect()
	if _, err := ask(t.Context(), conn, "Echo", "hello"); err != nil {
		t.Fatal(err)
	}
	schemas := <-seen
	conn.Close()
	for range 20 {
		if _, err := schemas(t.Context(), "/new.Service/Count"); err != nil {
			t.Fatalf("called after the connection was closed: %v", err)
		}
		time.Sleep(time.Millisecond)
	}
	close(checked)
	eventually(t, "the process is gone", func() bool { p.mu.Lock(); defer p.mu.Unlock(); return len(p.connections) == 0 })
}

// TestCrashReachesOnlyItsConnection checks that RPCs to a crashed provider return the status that
// gRPC returns for it, also later RPCs. Other connections are not affected.
func TestCrashReachesOnlyItsConnection(t *testing.T) {
	crashed := make(chan error, 1)
	connect, _ := proxied(t, 5, untapped, func(err error) { crashed <- err })
	conn, other := connect(), connect()
	for _, method := range []string{"Crash", "Count"} {
		if _, err := ask(t.Context(), conn, method, ""); status.Code(err) != codes.Unavailable {
			t.Errorf("%s gives %v", method, err)
		}
	}
	if got, err := ask(t.Context(), other, "Count", ""); err != nil {
		t.Errorf("another: %s, %v", got, err)
	}
	conn.Close()
	select {
	case err := <-crashed:
		if !strings.Contains(err.Error(), "exit status 2") || !strings.Contains(err.Error(), "nothing in the list") {
			t.Errorf("got the lines %v", err)
		}
	case <-time.After(patience):
		t.Error("no line was written")
	}
}

// TestClientGetsTheErrorOfAFailedLaunch checks that the client gets the error of a failed launch.
func TestClientGetsTheErrorOfAFailedLaunch(t *testing.T) {
	connect, _ := proxied(t, 4, untapped, noCrash(t))
	_, err := ask(t.Context(), connect(), "Count", "")
	if status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), "provider") {
		t.Errorf("got %v", err)
	}
}
