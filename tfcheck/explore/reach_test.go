package explore

import (
	"context"
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfconv"
)

// A strict provider refuses values in the way of large providers.
type strict struct{ *cloud }

// strictValues has the refusal of each attribute, and a pattern that the accepted values match. A
// pattern "" refuses all values.
var strictValues = map[string]struct{ refusal, accepts string }{
	"network_id": {"parsing %q: parsing the Network ID: the number of segments didn't match\n\nExpected a Network ID that matched (containing 8 segments):\n\n" +
		"> /subscriptions/1234/resourceGroups/example/providers/Cloud.Network/networks/networkName\n\n" +
		"However this value was provided (which was parsed into 0 segments):\n\n> a\n\nThe following Segments are expected:\n\n" +
		"* Segment 0 - this should be the literal value \"subscriptions\"", "^/subscriptions/.*/networks/"},
	"id":      {"Invalid or unknown key: %q", ""},
	"project": {`field "project" has an invalid format: %q. Expected format: 'projects/<project-number>/<anything>'`, `^projects/\d+/.+$`},
	"code":    {"must be 24 characters and only contain characters 0-9 and a-f, got %q", "^[0-9a-f]{24}$"},
	"country": {"must consist of two capital letters, got %q", "^[A-Z]{2}$"},
}

func (s strict) ValidateResourceConfig(_ context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	config, err := tfconv.Decode6(req.Config, s.Schema.ImpliedType())
	resp := &tfprotov6.ValidateResourceConfigResponse{}
	for name, rule := range strictValues {
		v := config.GetAttr(name)
		if !v.IsKnown() || v.IsNull() || rule.accepts != "" && regexp.MustCompile(rule.accepts).MatchString(v.AsString()) {
			continue
		}
		resp.Diagnostics = append(resp.Diagnostics, &tfprotov6.Diagnostic{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: fmt.Sprintf(rule.refusal, v.AsString()),
			Attribute: tftypes.NewAttributePath().WithAttributeName(name),
		})
	}
	return resp, err
}

// TestExploreReachesInFull checks that explore learns from messages that show an accepted value, or
// describe one, also without a configuration of the provider.
func TestExploreReachesInFull(t *testing.T) {
	attributes := Attrs{"id": Attr(cty.String, "optional computed"), "network_id": Attr(cty.String, "required")}
	for _, name := range []string{"project", "code", "country"} {
		attributes[name] = Attr(cty.String, "optional")
	}
	for _, opts := range [][]Option{nil, {Unconfigured()}} {
		c, most := newCloud(t, Resource, attributes), 0
		c.planning = func(config cty.Value) string {
			set := 0
			for _, v := range config.AsValueMap() {
				if v.IsKnown() && !v.IsNull() {
					set++
				}
			}
			most = max(most, set)
			return ""
		}
		server := func() (tfprotov6.ProviderServer, error) { return strict{c}, nil }
		r, err := Explore(t.Context(), InProcess(server), append(opts, Requests(60))...)
		if err != nil || !r.Types[0].Reached || most != len(attributes)-1 {
			t.Errorf("%v: at most %d attributes were set: %+v", err, most, r.Types)
		}
	}
}
