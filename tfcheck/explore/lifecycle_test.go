package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// A statefulCloud is a cloud whose objects exist until they are destroyed, even if the provider
// crashes.
type statefulCloud struct {
	*cloud
	applying     func(prior, planned cty.Value) (refused string) // called before the change
	half         func(planned cty.Value) (refused string)        // called when the object exists
	respond      func(planned cty.Value, resp *tfprotov6.ApplyResourceChangeResponse)
	readsNothing bool // reads return no object

	mu      sync.Mutex
	last    int
	objects map[string]cty.Value
}

func newStatefulCloud(t *testing.T) *statefulCloud {
	attributes := maps.Clone(nameAndSize)
	attributes["id"] = Attr(cty.String, "computed")
	return &statefulCloud{cloud: newCloud(t, Resource, attributes), objects: map[string]cty.Value{}}
}

func (s *statefulCloud) explore(t *testing.T, ctx context.Context, opts ...Option) (*Result, error) {
	t.Helper()
	return Explore(ctx, serving(s), append([]Option{Requests(200), Apply("cloud_*")}, opts...)...)
}

func (s *statefulCloud) mustExplore(t *testing.T, opts ...Option) *Result {
	t.Helper()
	return mustExplore(t, s, append([]Option{Requests(200), Apply("cloud_*")}, opts...)...)
}

func (s *statefulCloud) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.cloud.PlanResourceChange(ctx, req)
	if prior := s.decoded(req.PriorState); err == nil && !prior.IsNull() && resp.PlannedState != nil {
		resp.PlannedState = s.encoded(with(s.decoded(resp.PlannedState), "id", prior.GetAttr("id")))
	}
	return resp, err
}

func with(object cty.Value, name string, v cty.Value) cty.Value {
	fields := object.AsValueMap()
	fields[name] = v
	return cty.ObjectVal(fields)
}

func (s *statefulCloud) ApplyResourceChange(_ context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.request("apply")
	prior, planned := s.decoded(req.PriorState), s.decoded(req.PlannedState)
	if s.applying != nil {
		if refused := s.applying(prior, planned); refused != "" {
			return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Diagnostics: errorOf(refused)}, nil
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var diags []*tfprotov6.Diagnostic
	if planned.IsNull() {
		delete(s.objects, prior.GetAttr("id").AsString())
	} else {
		if !planned.GetAttr("id").IsKnown() {
			s.last++
			planned = with(planned, "id", Str(fmt.Sprint("id-", s.last)))
		}
		s.objects[planned.GetAttr("id").AsString()] = planned
		if s.half != nil {
			diags = errorOf(s.half(planned))
		}
	}
	//lint:ignore SA1019 tolerates whatever a random schema leads to
	resp := &tfprotov6.ApplyResourceChangeResponse{NewState: s.encoded(planned), Diagnostics: diags, UnsafeToUseLegacyTypeSystem: true}
	if s.respond != nil {
		s.respond(planned, resp)
	}
	return resp, nil
}

func (s *statefulCloud) read(id string) *tfprotov6.DynamicValue {
	s.mu.Lock()
	defer s.mu.Unlock()
	object, exists := s.objects[id]
	if !exists || s.readsNothing {
		object = cty.NullVal(s.Schema.ImpliedType())
	}
	return s.encoded(object)
}

func (s *statefulCloud) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	s.request("read")
	return &tfprotov6.ReadResourceResponse{NewState: s.read(s.decoded(req.CurrentState).GetAttr("id").AsString())}, nil
}

func (s *statefulCloud) ImportResourceState(_ context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	s.request("import")
	imported := []*tfprotov6.ImportedResource{{TypeName: s.TypeName, State: s.read(req.ID)}}
	return &tfprotov6.ImportResourceStateResponse{ImportedResources: imported}, nil
}

func (s *statefulCloud) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	s.request("upgrade")
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
}

// protected refuses to destroy an object.
func protected(_, planned cty.Value) string {
	if planned.IsNull() {
		return "it is protected"
	}
	return ""
}

// crashesInUpdate panics if an object is updated.
func crashesInUpdate(prior, planned cty.Value) string {
	if !prior.IsNull() && !planned.IsNull() {
		panic("update")
	}
	return ""
}

// TestLifecycleTakesEachStepOnce checks that a lifecycle takes each kind of step once and leaves no objects.
func TestLifecycleTakesEachStepOnce(t *testing.T) {
	s, file := newStatefulCloud(t), filepath.Join(t.TempDir(), "left.tfstate")
	r := s.mustExplore(t, StateFile(file))
	for _, want := range []string{"create", "import", "update", "replace", "destroy"} {
		if !slices.Contains(r.Types[0].Lifecycle, want) {
			t.Errorf("%s is missing in %q", want, r.Types[0].Lifecycle)
		}
	}
	if len(s.objects) > 0 || len(r.Left) > 0 || len(r.Findings) > 0 || r.Types[0].Unapplied != "" {
		t.Errorf("left %v, %+v", s.objects, r)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the state file is left: %v", err)
	}
	if s.last < 4 || r.Types[0].Requests > 220 {
		t.Errorf("%d objects with %d requests", s.last, r.Types[0].Requests)
	}
}

// TestOnlySelectedTypesAreApplied checks that only the types that match a pattern of Apply are applied.
func TestOnlySelectedTypesAreApplied(t *testing.T) {
	s := newStatefulCloud(t)
	r, err := Explore(t.Context(), serving(s), Requests(100))
	if err != nil || s.last != 0 || r.Types[0].Lifecycle != nil {
		t.Errorf("%v, %d, %+v", err, s.last, r)
	}
}

// TestExploreLearnsFromApply checks that explore learns from refusals of apply, and destroys objects that
// were created in part.
func TestExploreLearnsFromApply(t *testing.T) {
	allowed := Num(7)
	for name, refuse := range map[string]func(s *statefulCloud){
		"before": func(s *statefulCloud) {
			s.applying = func(_, planned cty.Value) string {
				if !planned.IsNull() && !planned.GetAttr("size").RawEquals(allowed) {
					return `expected size to be one of [7 8], got 1`
				}
				return ""
			}
		},
		"half-way": func(s *statefulCloud) {
			s.half = func(planned cty.Value) string {
				if !planned.GetAttr("size").RawEquals(allowed) {
					return `expected size to be one of [7 8], got 1`
				}
				return ""
			}
		},
	} {
		s := newStatefulCloud(t)
		refuse(s)
		r := s.mustExplore(t)
		if !slices.Contains(r.Types[0].Lifecycle, "create") || len(s.objects) > 0 || len(r.Left) > 0 || len(r.Findings) > 0 {
			t.Errorf("%s: left %v, %+v", name, s.objects, r)
		}
	}
	s := newStatefulCloud(t)
	s.applying = func(_, _ cty.Value) string { return "quota exceeded" }
	if r := s.mustExplore(t); r.Types[0].Unapplied != "quota exceeded" || r.Types[0].Lifecycle != nil || len(r.Left) > 0 {
		t.Errorf("%+v", r)
	}
}

// TestRemainingObjectsAreListed checks that objects that cannot be destroyed are listed, and that their state
// is stored in a form that Terraform reads.
func TestRemainingObjectsAreListed(t *testing.T) {
	s, file := newStatefulCloud(t), filepath.Join(t.TempDir(), "left.tfstate")
	s.applying = protected
	r := s.mustExplore(t, StateFile(file))
	if len(r.Left) == 0 || len(r.Left) != len(s.objects) || r.Left[0].Why != "it is protected" || r.Left[0].Type != "cloud_server" {
		t.Errorf("%+v, %d objects", r.Left, len(s.objects))
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode() != 0o600 {
		t.Fatalf("%v, %v", err, info)
	}
	text := must(os.ReadFile(file))
	var state struct {
		Resources []struct {
			Provider  string
			Instances []driver.StateObject
		}
	}
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	if len(state.Resources) != len(r.Left) || state.Resources[0].Provider != `provider["registry.terraform.io/hashicorp/cloud"]` ||
		!strings.Contains(string(state.Resources[0].Instances[0].Attributes), r.Left[0].ID) {
		t.Errorf("%s", text)
	}
	for range 2 { // a refused exploration does not change the file
		if _, err := s.explore(t, t.Context(), StateFile(file)); err == nil || !strings.Contains(err.Error(), "an earlier exploration left objects") {
			t.Errorf("%v", err)
		}
	}
	if again := must(os.ReadFile(file)); string(again) != string(text) {
		t.Errorf("%s", again)
	}
}

// TestLifecycleListsWhatExists checks that each object that still exists at the end is listed with
// any response of the provider, and that their number is limited.
func TestLifecycleListsWhatExists(t *testing.T) {
	creates := func(f func(resp *tfprotov6.ApplyResourceChangeResponse)) func(s *statefulCloud) {
		return func(s *statefulCloud) {
			s.respond = func(planned cty.Value, resp *tfprotov6.ApplyResourceChangeResponse) {
				if !planned.IsNull() {
					f(resp)
				}
			}
		}
	}
	null := &tfprotov6.DynamicValue{MsgPack: []byte{0xc0}}
	for name, c := range map[string]struct {
		fault func(s *statefulCloud)
		most  int
		state bool // the state is known
	}{
		"it returns null":    {creates(func(resp *tfprotov6.ApplyResourceChangeResponse) { resp.NewState = null }), 2 * maxLeft, false},
		"it returns nothing": {creates(func(resp *tfprotov6.ApplyResourceChangeResponse) { resp.NewState = nil }), 2 * maxLeft, false},
		"it returns garbage": {creates(func(resp *tfprotov6.ApplyResourceChangeResponse) {
			resp.NewState = &tfprotov6.DynamicValue{MsgPack: []byte("garbage")}
		}), 2 * maxLeft, false},
		"it returns an unreadable state and an error": {creates(func(resp *tfprotov6.ApplyResourceChangeResponse) {
			resp.NewState, resp.Diagnostics = &tfprotov6.DynamicValue{MsgPack: []byte("garbage")}, errorOf("timeout")
		}), 2 * maxLeft, false},
		"nothing is read":                       {func(s *statefulCloud) { s.readsNothing = true }, 0, true},
		"nothing is read and nothing destroyed": {func(s *statefulCloud) { s.readsNothing, s.applying = true, protected }, 4, true},
		"a replacement crashes": {func(s *statefulCloud) {
			s.half = func(planned cty.Value) string {
				if s.last%2 == 0 {
					panic("every other object")
				}
				return ""
			}
		}, 2 * maxLeft, false},
	} {
		s := newStatefulCloud(t)
		c.fault(s)
		r := s.mustExplore(t)
		if len(r.Left) != len(s.objects) || len(s.objects) > c.most || c.most > 0 && (len(r.Left) == 0 || (r.Left[0].State != nil) != c.state) {
			t.Errorf("%s: %d objects exist, and these are listed: %+v", name, len(s.objects), r.Left)
		}
	}
}

// TestObjectsAfterCrashAreListed checks that the report lists an object that may exist after a crash during its
// creation, and that an object is destroyed after a later crash.
func TestObjectsAfterCrashAreListed(t *testing.T) {
	s := newStatefulCloud(t)
	s.applying = crashesInUpdate
	r := s.mustExplore(t)
	if len(r.Findings) != 1 || r.Findings[0].Rule != objchange.RuleCrash || len(r.Findings[0].Steps) != 2 || len(s.objects) > 0 || len(r.Left) > 0 {
		t.Errorf("left %v, %+v", s.objects, r)
	}
	s = newStatefulCloud(t)
	s.half = func(planned cty.Value) string {
		if !planned.GetAttr("tag").IsNull() {
			panic("tag")
		}
		return ""
	}
	if r = s.mustExplore(t); len(r.Findings) != 1 || len(s.objects) == 0 || len(r.Left) != len(s.objects) || r.Left[0].State != nil {
		t.Errorf("left %v, %+v", s.objects, r)
	}
}

// TestInterruptedLifecycleLeavesNoObjects checks that interrupted explorations leave no objects, except for
// objects that a crash loses. These objects are listed.
func TestInterruptedLifecycleLeavesNoObjects(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	times := 200
	if testing.Short() {
		times = 40
	}
	for i := range times {
		crashes := i%2 == 1
		s, file := newStatefulCloud(t), filepath.Join(t.TempDir(), "left.tfstate")
		ctx, cancel := context.WithCancel(t.Context())
		requests, end := 0, 1+rng.IntN(300)
		s.half = func(planned cty.Value) string {
			switch {
			case planned.GetAttr("tag").IsNull():
				return ""
			case crashes && s.last%2 == 0:
				panic("tag")
			}
			return "it is not ready"
		}
		s.request = func(string) {
			if requests++; requests == end {
				cancel()
			}
		}
		r, err := s.explore(t, ctx, StateFile(file))
		if _, missing := os.Stat(file); len(s.objects) != len(r.Left) || len(r.Left) > 0 && !crashes || !os.IsNotExist(missing) || err != nil && requests < end {
			t.Fatalf("interrupted at request %d of %d: left %v, %v, %v, %v", end, requests, s.objects, r.Left, missing, err)
		}
		cancel()
	}
}

// TestLifecycleIsMinimal checks that a finding that the last step alone shows has one step, however
// long the lifecycle was.
func TestLifecycleIsMinimal(t *testing.T) {
	s := newStatefulCloud(t)
	s.respond = func(planned cty.Value, resp *tfprotov6.ApplyResourceChangeResponse) {
		if !planned.IsNull() && planned.GetAttr("size").RawEquals(Num(70)) {
			//lint:ignore SA1019 tolerates nothing
			resp.UnsafeToUseLegacyTypeSystem = false
			resp.NewState = s.encoded(with(planned, "name", Str("other")))
		}
	}
	e := &explorer{o: options{limit: time.Minute}, provider: serving(s), config: s.Provider.EmptyValue(), ledger: &session.Ledger{}}
	if err := e.ledger.Open("cloud"); err != nil {
		t.Fatal(err)
	}
	var steps []scenario.Step
	for size := range 70 {
		steps = append(steps, scenario.Step{Does: scenario.Applies, Config: exploretest.ValueOf(t, s.Schema, map[string]any{"name": "a", "size": size + 1})})
	}
	worker := e.session()
	target := scenario.Target{Kind: Resource, Name: "cloud_server", Schema: &catalog.Schema{Compiled: s.Schema, Type: s.Schema.ImpliedType()}}
	p := e.prober(worker, resultOf(target))
	sc := p.scenario(PhaseLife, steps...)
	o, err := worker.Run(t.Context(), sc)
	all := p.candidates(sc, o)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	before := worker.Requests
	small, err := p.shrink(t.Context(), worker, all[0], false)
	if err != nil || len(small.broken.Scenario.Steps) > 1 || worker.Requests-before > 100 {
		t.Errorf("%d steps after %d requests, %v", len(small.broken.Scenario.Steps), worker.Requests-before, err)
	}
}

// TestTypesListLimitedPhases checks that a type lists the phases that ended because of the limit of requests.
func TestTypesListLimitedPhases(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	for requests, want := range map[int][]Phase{4: {PhaseOne}, 40: {PhaseOne, PhaseUnknown}, 2000: nil} {
		if r := c.mustExplore(t, Requests(requests)); !slices.Equal(r.Types[0].Limited, want) {
			t.Errorf("%d: %q", requests, r.Types[0].Limited)
		}
	}
	for requests, want := range map[int][]Phase{80: {PhaseOne, PhaseUnknown, PhaseLife}, 2000: nil} {
		if r := newStatefulCloud(t).mustExplore(t, Requests(requests)); !slices.Equal(r.Types[0].Limited, want) {
			t.Errorf("%d with a lifecycle: %q", requests, r.Types[0].Limited)
		}
	}
}
