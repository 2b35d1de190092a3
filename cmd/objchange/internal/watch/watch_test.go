package watch

import (
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
)

// self is this test as a provider.
func self(t *testing.T) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// cloudAt is a provider with that executable.
func cloudAt(path string) map[string]Provider {
	return map[string]Provider{"acme/cloud": {Address: "acme/cloud", Path: path}}
}

// A session makes providers known beside what the variable has, can be connected to
// as Core does, and leaves nothing.
func TestSession(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv(rawProvider, "5")
	s, err := Start(t.Context(), Config{
		Dir: temp, Providers: map[string]Provider{"acme/cloud": {Address: "acme/cloud", Path: self(t)}, "acme/debugged": {Address: "acme/debugged", Path: "nowhere"}},
		Before: `{"acme/other": {}, "acme/debugged": {"Pid": 12345678901234567}}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]struct {
		ProtocolVersion, Pid int
		Addr                 struct{ Network, String string }
	}
	if err := json.Unmarshal([]byte(s.Value()), &value); err != nil {
		t.Fatal(err)
	}
	if value["acme/debugged"].Pid != 12345678901234567 {
		t.Errorf("not kept: %s", s.Value())
	}
	cloud := value["acme/cloud"]
	if info, err := os.Stat(filepath.Dir(cloud.Addr.String)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", info, err)
	}
	client := plugin.NewClient(&plugin.ClientConfig{
		Reattach: &plugin.ReattachConfig{
			Protocol: plugin.ProtocolGRPC, ProtocolVersion: cloud.ProtocolVersion, Pid: cloud.Pid, Test: true,
			Addr: &net.UnixAddr{Net: cloud.Addr.Network, Name: cloud.Addr.String},
		},
		VersionedPlugins: map[int]plugin.PluginSet{5: {"provider": rawPlugin{}}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Logger:           hclog.New(&hclog.LoggerOptions{Output: io.Discard}),
	})
	protocol, err := client.Client()
	if err != nil {
		t.Fatal(err)
	}
	if err := protocol.Ping(); err != nil {
		t.Error(err)
	}
	r := s.Report()
	if diff := cmp.Diff([]string{
		"acme/debugged runs already, as TF_REATTACH_PROVIDERS has it, and is not judged",
		"acme/other runs already, as TF_REATTACH_PROVIDERS has it, and is not judged",
	}, r.Notes); diff != "" {
		t.Errorf("(-want +told):\n%s", diff)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
