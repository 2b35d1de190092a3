package explore

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
)

// A networkCloud is a statefulCloud with a second type, cloud_network. A server must be in an
// existing network.
type networkCloud struct{ *statefulCloud }

func newNetworkCloud(t *testing.T) networkCloud {
	s := newStatefulCloud(t)
	s.Schema = Compiled(&configschema.Block{Attributes: Attrs{
		"name": Attr(cty.String, "required"), "id": Attr(cty.String, "computed"), "network_id": Attr(cty.String, "optional"), "size": Attr(cty.Number, "optional"),
		"tag": Attr(cty.String, "optional"),
	}})
	s.typed = func(typeName string, planned cty.Value) string {
		if planned.IsNull() || typeName == "cloud_network" {
			return ""
		}
		if id := planned.GetAttr("network_id"); id.IsNull() {
			return "network_id is required"
		} else if _, exists := s.objects[id.AsString()]; !exists {
			return "network_id: there is no such network"
		}
		return ""
	}
	return networkCloud{s}
}

func (m networkCloud) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := m.statefulCloud.GetProviderSchema(ctx, req)
	if err == nil {
		resp.ResourceSchemas["cloud_network"] = resp.ResourceSchemas["cloud_server"]
	}
	return resp, err
}

func (m networkCloud) explore(t *testing.T, opts ...Option) *Result {
	t.Helper()
	r := mustExplore(t, m, append([]Option{Requests(300), Types("cloud_server")}, opts...)...)
	if len(m.objects) > 0 || len(r.Left) > 0 {
		t.Errorf("left %v, %v", m.objects, r.Left)
	}
	return r
}

// TestNeededValuesComeFromOtherResources checks that another resource provides a value that explore cannot
// guess. The resource is found by hints or by names. Its object is created first and destroyed last.
func TestNeededValuesComeFromOtherResources(t *testing.T) {
	for _, opts := range [][]Option{
		{Apply("cloud_*")},
		{Apply("*"), WithHints(readHints("values: {cloud_server.network_id: [{from: cloud_network.id}]}"))},
	} {
		m := newNetworkCloud(t)
		m.applying = crashesInUpdate
		r := m.explore(t, opts...)
		if len(r.Types[0].Lifecycle) < 4 || len(r.Findings) != 1 {
			t.Fatalf("%+v", r)
		}
		f := r.Findings[0]
		if want := "resource \"cloud_network\" \"other\" {\n  name = \"example\"\n}\n"; !strings.Contains(f.HCL, want) || !strings.Contains(f.HCL, "network_id = cloud_network.other.id\n") {
			t.Errorf("got %s", f.HCL)
		}
		var commands []string
		for _, st := range f.Steps {
			commands = append(commands, st.Command)
		}
		if got := strings.Join(commands, ", "); got != "terraform apply -target=cloud_network.other, terraform apply, terraform apply" || f.Steps[1].HCL != "" {
			t.Errorf("%v", f.Steps)
		}
		if !strings.Contains(f.GoTest, `other1 := d.Lifecycle(t, "cloud_network").Apply(map[string]any{"name": "example"})`) ||
			!strings.Contains(f.GoTest, `"network_id": other1.State().GetAttr("id")`) {
			t.Errorf("got %s", f.GoTest)
		}
	}
}

// TestUnappliedTypesProvideNoKnownValues checks that a type that may not be applied provides no known values.
func TestUnappliedTypesProvideNoKnownValues(t *testing.T) {
	for _, opts := range [][]Option{nil, {WithHints(readHints("values: {cloud_server.network_id: [{from: cloud_network.id}]}"))}} {
		r := newNetworkCloud(t).explore(t, append(opts, Apply("cloud_server"))...)
		if typ := r.Types[0]; typ.Lifecycle != nil || !typ.Reached || !strings.Contains(typ.Unapplied, "it needs a value of cloud_network, but applying it is not allowed") {
			t.Errorf("%+v", r.Types)
		}
	}
}

// TestFailedResourcesProvideNoValues checks that a resource that cannot be created provides no
// values, after any number of tries.
func TestFailedResourcesProvideNoValues(t *testing.T) {
	m := newNetworkCloud(t)
	m.typed = func(string, cty.Value) string { return "quota exceeded" }
	s := &session.Session{Provider: serving(m), Limit: time.Second, Schemas: &session.Schemas{}, Ledger: &session.Ledger{}, Config: m.Provider.EmptyValue()}
	if err := s.Ledger.Open(""); err != nil {
		t.Fatal(err)
	}
	of := &scenario.Origin{TypeName: "cloud_network", Schema: m.Schema, Config: exploretest.ValueOf(t, m.Schema, map[string]any{"name": "a"}), Applied: true}
	for range 2 {
		if _, err := s.Provide(t.Context(), of); err == nil || err.Error() != "cloud_network, which provides a value, was not created: quota exceeded" {
			t.Error(err)
		}
	}
}

// TestNeedsShowNoSecrets checks that a secret in the configuration of another resource is not
// shown.
func TestNeedsShowNoSecrets(t *testing.T) {
	schema := Compiled(exploretest.Server)
	of := &scenario.Origin{TypeName: "cloud_network", Schema: schema, Config: exploretest.ValueOf(t, schema, map[string]any{"name": "hunter2"})}
	sc := scenario.Scenario{Kind: Resource, TypeName: "cloud_server", Schema: schema, Steps: []scenario.Step{{Config: exploretest.ValueOf(t, schema, map[string]any{"name": "a hunter2"})}},
		Needs: []*scenario.Need{{Slot: "name", Attr: "name", Value: Str("a hunter2"), Of: of}}}
	text, _ := repro.HCL(sc, repro.Naming{Hide: hints.Secrets{"hunter2": true}.Value})
	if strings.Contains(text, "hunter2") || !strings.Contains(text, "(secret)") || !strings.Contains(text, "name = cloud_network.other.name") {
		t.Error(text)
	}
}

// TestExploreSharedProvider checks that one server may be used for two types that are explored
// concurrently. It gets no request while it is configured.
func TestExploreSharedProvider(t *testing.T) {
	c := newNetworkCloud(t)
	var configuring, serving atomic.Int32
	c.request = func(name string) {
		if name != "configure" {
			serving.Add(1)
			time.Sleep(time.Millisecond)
			serving.Add(-1)
			return
		}
		if configuring.Add(1) > 1 {
			t.Error("configured twice at once")
		}
		time.Sleep(20 * time.Millisecond) // for other requests to come
		if serving.Load() > 0 {
			t.Error("configured during a request")
		}
		configuring.Add(-1)
	}
	for range 5 {
		if r := mustExplore(t, c, Requests(20)); len(r.Types) != 2 {
			t.Errorf("%+v", r)
		}
	}
}
