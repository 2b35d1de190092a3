package watch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
)

// rawSession starts a session with the raw provider as acme/cloud.
func rawSession(t testing.TB, protocol int, c Config) (s *Session, connect func() *grpc.ClientConn) {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(rawProvider, fmt.Sprint(protocol))
	c.Dir = t.TempDir()
	c.Providers = map[string]Provider{"acme/cloud": {Address: "acme/cloud", Path: name}, "acme/debugged": {Address: "acme/debugged", Path: "nowhere"}}
	c.Before = `{"acme/debugged": {"Pid": 12345678901234567}}`
	if s, err = Start(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return s, func() *grpc.ClientConn { return dial(t, address(t, s, "acme/cloud")) }
}

// address returns the socket of a provider's proxy.
func address(t testing.TB, s *Session, provider string) string {
	t.Helper()
	var value map[string]struct {
		Pid  int
		Addr struct{ String string }
	}
	if err := json.Unmarshal([]byte(s.Value()), &value); err != nil || value["acme/debugged"].Pid != 12345678901234567 {
		t.Fatalf("%v: %s", err, s.Value())
	}
	return value[provider].Addr.String
}

// notes returns the notes of a session, except the note about the provider that runs already.
func notes(t *testing.T, s *Session) []string {
	t.Helper()
	all := s.Report().Notes
	if diff := cmp.Diff([]string{"acme/debugged already runs (see TF_REATTACH_PROVIDERS), so it is not checked"}, all[:1]); diff != "" {
		t.Errorf("(-want +told):\n%s", diff)
	}
	return all[1:]
}

// TestSessionAddsItsProviders checks that a session adds its providers to the value of the variable,
// that only this user has access to their sockets, that messages may be large, and that no files remain.
func TestSessionAddsItsProviders(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	s, connect := rawSession(t, 5, Config{})
	large := strings.Repeat("x", 70<<20)
	if got, err := ask(t.Context(), connect(), "Echo", large); err != nil || got != large {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	if info, err := os.Stat(filepath.Dir(address(t, s, "acme/cloud"))); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", info, err)
	}
	if left := notes(t, s); len(left) > 0 {
		t.Errorf("got the lines %q", left)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("remaining files: %v, %v", left, err)
	}
}
