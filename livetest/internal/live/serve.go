package live

import (
	"encoding/json"
	"flag"
	"io"
	"log"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// lessGC is the percentage of garbage that the tests, and the programs that they start, collect.
const lessGC = 400

// parallel is the number of tests that run at the same time. Tests wait for the command most of the
// time: a processor is busy with one run of the command for a fifth of its duration.
const parallel = 8

// Main runs the tests of a package without the logs of the SDKs, and with less garbage collection,
// which takes a third of the time. By default, the SDKs log everything for the command to filter.
func Main(m *testing.M) {
	if err := flag.Set("test.parallel", strconv.Itoa(parallel)); err != nil {
		panic(err)
	}
	debug.SetGCPercent(lessGC)
	log.SetOutput(io.Discard) // of SDK v2
	env := map[string]string{"TF_LOG_SDK": "off", "TF_LOG_PROVIDER": "off", "GOGC": strconv.Itoa(lessGC)}
	for name, value := range env {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	m.Run()
}

// serve serves the provider to the real command until the test ends. It returns the value for
// TF_REATTACH_PROVIDERS.
func (p *Provider) serve(t *testing.T, typeName string) string {
	t.Helper()
	name, _, _ := strings.Cut(typeName, "_")
	address := "registry.terraform.io/hashicorp/" + name
	started, ended := make(chan *plugin.ReattachConfig), make(chan struct{})
	failed := make(chan error, 1)
	go func() {
		if p.Server5 != nil {
			failed <- tf5server.Serve(address, func() tfprotov5.ProviderServer { return p.Server5 },
				tf5server.WithDebug(t.Context(), started, ended), tf5server.WithGoPluginLogger(hclog.NewNullLogger()))
		} else {
			failed <- tf6server.Serve(address, func() tfprotov6.ProviderServer { return p.Server6 },
				tf6server.WithDebug(t.Context(), started, ended), tf6server.WithGoPluginLogger(hclog.NewNullLogger()))
		}
	}()
	select {
	case err := <-failed:
		t.Fatal("serving the provider: ", err)
	case config := <-started:
		t.Cleanup(func() { <-ended }) // the test's context ends before
		return reattach(t, address, config)
	}
	return ""
}

func reattach(t *testing.T, address string, config *plugin.ReattachConfig) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{address: map[string]any{
		"Protocol": config.Protocol, "ProtocolVersion": config.ProtocolVersion, "Pid": config.Pid, "Test": true,
		"Addr": map[string]string{"Network": config.Addr.Network(), "String": config.Addr.String()},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
