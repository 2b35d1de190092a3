package watch

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"

	"github.com/objchange/objchange/cmd/internal/exchanges"
)

// entries returns the provider and the RPCs of a recording, in order.
func entries(t testing.TB, dir string) (provider exchanges.Provider, rpcs []exchanges.RPC) {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, exchanges.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in, err := exchanges.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for {
		e, err := in.Next()
		if err == io.EOF {
			return provider, rpcs
		}
		if err != nil {
			t.Fatal(err)
		}
		if e.Provider != nil {
			provider = *e.Provider
		} else {
			rpcs = append(rpcs, *e.RPC)
		}
	}
}

// recordedSession starts a session that is recorded in a folder.
func recordedSession(t *testing.T, protocol int, redact bool) (s *Session, connect func() *grpc.ClientConn, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	record, err := exchanges.Create(dir, redact, "")
	if err != nil {
		t.Fatal(err)
	}
	s, connect = rawSession(t, protocol, Config{Record: record})
	return s, connect, dir
}

// recordedLines are the RPCs of TestRPCsAreForwardedAndRecorded.
var recordedLines = []string{
	`/new.Service/Echo ["\xff\x00not protobuf"] ["\xff\x00not protobuf"]`,
	`/new.Service/Fail ["why"] [] ResourceExhausted`,
	`/new.Service/Newer [] [] Unimplemented`,
	`/new.Service/Stream ["\x00" "\x01" "\x02"] ["\x00" "\x00" "\x01" "\x01" "\x02" "\x02"]`,
	`/new.Service/Deadline [""] ["true"]`,
	`/new.Service/Hang [""] ["hangs"] Canceled`,
}

// linesOf returns one line for each RPC of the connection.
func linesOf(t *testing.T, rpcs []exchanges.RPC, began time.Time) (lines []string) {
	for _, r := range rpcs {
		if r.Time.Before(began.Add(-time.Second)) || r.Time.After(time.Now()) || r.Provider != "acme/cloud" || r.Connection != 1 {
			t.Errorf("%+v", r)
		}
		if r.RPC == "Cancelled" { // the number of calls varies
			continue
		}
		if r.RPC == "Newer" { // answered before the request is read
			r.Requests = nil
		}
		line := fmt.Sprintf("%s %q %q", r.Method, r.Requests, r.Responses)
		if r.Status != nil {
			line += " " + r.Status.Name
		}
		lines = append(lines, line)
	}
	return lines
}

// TestConcurrentRPCsDoNotMixLines checks that concurrent RPCs do not mix their lines.
func TestConcurrentRPCsDoNotMixLines(t *testing.T) {
	s, connect, dir := recordedSession(t, 6, true)
	const connections, calls = 5, 20
	var all sync.WaitGroup
	for range connections {
		conn := connect()
		for range calls {
			all.Go(func() { _, _ = ask(t.Context(), conn, "Count", strings.Repeat("x", 1<<16)) })
		}
	}
	all.Wait()
	if left := notes(t, s); len(left) > 0 {
		t.Errorf("got the lines %q", left)
	}
	seen := map[int]int{}
	_, rpcs := entries(t, dir)
	for _, r := range rpcs {
		seen[r.Connection]++
	}
	if diff := cmp.Diff(map[int]int{1: calls, 2: calls, 3: calls, 4: calls, 5: calls}, seen); diff != "" {
		t.Errorf("(-want +recorded):\n%s", diff)
	}
}

// TestRecordsLongStreams checks that a stream is recorded up to a limit.
func TestRecordsLongStreams(t *testing.T) {
	r := &rpcMessages{}
	for range 3 {
		r.asked(make([]byte, exchanges.MaxStream/2))
		r.answered(make([]byte, 1))
	}
	x := r.exchange("", time.Now(), 1, nil)
	if !x.Cut || len(x.Requests) != 2 || len(x.Responses) != 2 || x.Single() {
		t.Errorf("%d requests, %d responses, cut %t", len(x.Requests), len(x.Responses), x.Cut)
	}
	r = &rpcMessages{}
	r.asked(make([]byte, 2*exchanges.MaxStream))
	if x := r.exchange("", time.Now(), 1, nil); !x.Single() {
		t.Error("a single message is recorded as a stream")
	}
}
