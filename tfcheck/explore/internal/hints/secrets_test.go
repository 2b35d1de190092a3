package hints

import (
	"testing"

	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

func TestSecretsOfHintsAreHidden(t *testing.T) {
	schema := Compiled(exploretest.Server)
	hints := testHints(t, `
provider: {config: {token: tok-1234, region: eu-central}, env: {CLOUD_KEY: k3y-in-the-environment, SHORT: seven77}}
values: {"cloud_server.name": [not-secret], "*.password": [hunter2, abc, 12345]}`)
	s := hints.Secrets(Compiled(exploretest.ProviderBlock).Block(), []scenario.Target{{Kind: scenario.Resource, Name: "cloud_server", Schema: &catalog.Schema{Compiled: schema, Type: schema.ImpliedType()}}})
	for text, want := range map[string]string{
		"tok-1234 eu-central":               "(secret) eu-central",
		"key=k3y-in-the-environment.":       "key=(secret).",
		"y-in-the-environ…":                 "(secret)…",
		"seven77 abc not-secret":            "seven77 abc not-secret",
		"hunter2hunter2 hunter 12345 \xffx": "(secret)(secret) hunter (secret) \xffx",
		"":                                  "",
	} {
		if got := s.Hide(text); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
	if none := (*Hints)(nil).Secrets(nil, nil); none.Hide("hunter2") != "hunter2" {
		t.Error("something is hidden")
	}
}
