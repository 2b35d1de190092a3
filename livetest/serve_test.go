package livetest_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// TestMain turns off the logs of the SDKs. By default they log everything for the command to
// filter.
func TestMain(m *testing.M) {
	if serveAsNamed() {
		return
	}
	defer removeBuilds()
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_PROVIDER"} {
		if err := os.Setenv(name, "off"); err != nil {
			panic(err)
		}
	}
	m.Run()
}

// serve serves the provider to the real command until the test ends. It returns the value for
// TF_REATTACH_PROVIDERS.
func (p *provider) serve(t *testing.T, typeName string) string {
	t.Helper()
	name, _, _ := strings.Cut(typeName, "_")
	address := "registry.terraform.io/hashicorp/" + name
	started, ended := make(chan *plugin.ReattachConfig), make(chan struct{})
	failed := make(chan error, 1)
	go func() {
		if p.server5 != nil {
			failed <- tf5server.Serve(address, func() tfprotov5.ProviderServer { return p.server5 },
				tf5server.WithDebug(t.Context(), started, ended), tf5server.WithGoPluginLogger(hclog.NewNullLogger()))
		} else {
			failed <- tf6server.Serve(address, func() tfprotov6.ProviderServer { return p.server6 },
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
