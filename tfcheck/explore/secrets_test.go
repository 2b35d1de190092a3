package explore

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	. "github.com/objchange/objchange/internal/testcty"
)

// TestExploreShowsNoSecrets checks that the result shows no secret of the hints, in any message of
// a provider.
func TestExploreShowsNoSecrets(t *testing.T) {
	token := func(config cty.Value) string {
		if v := config.GetAttr("token"); !v.IsNull() {
			return v.AsString()
		}
		return ""
	}
	for _, secret := range []string{"hunter2", `"<hunter>"`, "test", "-----BEGIN KEY-----\n" + strings.Repeat("MIIabcd+/", 20) + "\n\"-----END KEY-----\"\n"} {
		hints := fmt.Sprintf(`{provider: {config: {token: %q}}, values: {"*.password": [%[1]q], "*.size": [5]}}`, secret)
		for what, does := range map[string]struct {
			provider func(c *cloud)
			want     string
			refused  bool
		}{
			"plans it":      {provider: func(c *cloud) { c.Other = "a" + secret + "b" }, want: `\"a(secret)`},
			"plans only it": {provider: func(c *cloud) { c.Other = secret }, want: `(secret)`},
			"panics with it": {provider: func(c *cloud) {
				c.planning = func(config cty.Value) string { panic("no " + secret + " please") }
			}, want: "panic: no (secret)"},
			"refuses it": {provider: func(c *cloud) {
				c.planning = func(config cty.Value) string { return fmt.Sprintf("bad token %q", secret) }
			}, want: `bad token \"(secret)`},
			"is refused when configured": {provider: func(c *cloud) {
				c.configuring = func(config cty.Value) string { return "bad token " + token(config) }
			}, want: "bad token (secret)", refused: true},
			"panics when configured": {provider: func(c *cloud) {
				c.configuring = func(config cty.Value) string {
					if token(config) == secret {
						panic("bad token " + secret)
					}
					return ""
				}
			}, want: "bad token (secret)", refused: true},
		} {
			t.Run(fmt.Sprintf("%s/%.10q", what, secret), func(t *testing.T) {
				c := newCloud(t, Resource, Attrs{"name": Attr(cty.String, "required"), "size": Attr(cty.Number, "optional"), "password": Attr(cty.String, "optional sensitive")})
				does.provider(c)
				r, err := c.explore(t, WithHints(readHints(hints)), Requests(40))
				if does.refused != (err != nil) {
					t.Errorf("%v", err)
				}
				text, _ := json.Marshal(r)
				shown := string(text) + fmt.Sprint(err)
				for _, f := range r.Findings {
					shown += f.String()
					if f.GoTest != "" && !strings.Contains(f.GoTest, "package provider_test\n") {
						t.Error(f.GoTest)
					}
				}
				if !strings.Contains(shown, does.want) {
					t.Errorf("%q is missing in\n%s", does.want, shown)
				}
				if secret == "test" {
					return // in the same way as package testing
				}
				for _, leak := range []string{secret[:7], secret[len(secret)-7:], "MIIabcd+/MIIabcd"} {
					if strings.Contains(shown, leak) {
						t.Errorf("%q is shown:\n%s", leak, shown)
					}
				}
			})
		}
	}
}
