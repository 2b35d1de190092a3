package survey

import (
	"strings"
	"testing"
)

func TestSDK(t *testing.T) {
	const plugin = "github.com/hashicorp/terraform-plugin-"
	tests := map[string]struct {
		linked []string
		want   SDK
	}{
		"legacy":                        {[]string{"sdk", "go"}, SDKv1},
		"legacy, version 2":             {[]string{"sdk/v2", "go"}, SDKv2},
		"version 2, with another's mux": {[]string{"sdk/v2", "go", "mux"}, SDKv2},
		"framework":                     {[]string{"framework", "go"}, Framework},
		"framework, with the functions": {[]string{"framework", "sdk/v2", "go"}, Framework},
		"both":                          {[]string{"framework", "sdk/v2", "mux", "go"}, Mux},
		"neither":                       {[]string{"go"}, Other},
	}
	for name, test := range tests {
		linked := map[string]bool{}
		for _, path := range test.linked {
			linked[plugin+path] = true
		}
		if got := sdkAmong(linked); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestRequirementsOfCore(t *testing.T) {
	const refused = "it requires github.com/hashicorp/terraform, but the source of that module must not be downloaded"
	tests := map[string]struct{ mod, failed string }{
		"none":         {"module a\n\nrequire github.com/hashicorp/terraform-plugin-go v0.31.0\n", ""},
		"a line":       {"module a\n\nrequire github.com/hashicorp/terraform v0.12.0\n", refused},
		"in a block":   {"module a\n\nrequire (\n\tgithub.com/hashicorp/terraform v0.12.0 // indirect\n)\n", refused},
		"in quotes":    {"module a\n\nrequire \"github.com/hashicorp/terraform\" v0.12.0\n", refused},
		"by replacing": {"module a\n\nreplace example.com/b => github.com/opentofu/opentofu v1.0.0\n", "it requires github.com/opentofu/opentofu, but the source of that module must not be downloaded"},
	}
	for name, test := range tests {
		if failed := text(checkClean(test.mod)); failed != test.failed {
			t.Errorf("%s: failed: %s\nwant: %s", name, failed, test.failed)
		}
	}
}

func TestExecutableName(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/a/terraform-provider-b":        "terraform-provider-b",
		"github.com/a/terraform-provider-b/v3":     "terraform-provider-b",
		"github.com/a/mono/terraform-provider-b-c": "terraform-provider-b-c",
	} {
		if got := strings.TrimSuffix(executableName(path), ".exe"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
