package explore

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfconv"
)

// A cloud is a provider with one type. It has no faults, except the faults that a test adds.
type cloud struct {
	*exploretest.Recorder
	planning    func(config cty.Value) (refused string)
	configuring func(config cty.Value) (refused string)
	request     func(name string) // called first
	Other       string            // planned instead of any name
	reading     atomic.Int32
}

func newCloud(t testing.TB, kind Kind, attributes Attrs) *cloud {
	schema := Compiled(&configschema.Block{Attributes: attributes})
	recorder := &exploretest.Recorder{Kind: kind, TypeName: "cloud_server", Schema: schema, Provider: Compiled(exploretest.ProviderBlock)}
	return &cloud{Recorder: recorder.Serve(), request: func(string) {}}
}

func (c *cloud) explore(t *testing.T, opts ...Option) (*Result, error) {
	t.Helper()
	return Explore(t.Context(), serving(c), append([]Option{Requests(120)}, opts...)...)
}

func (c *cloud) mustExplore(t *testing.T, opts ...Option) *Result {
	t.Helper()
	return mustExplore(t, c, append([]Option{Requests(120)}, opts...)...)
}

func mustExplore(t *testing.T, server tfprotov6.ProviderServer, opts ...Option) *Result {
	t.Helper()
	r, err := Explore(t.Context(), serving(server), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func serving(server tfprotov6.ProviderServer) Provider {
	return InProcess(func() (tfprotov6.ProviderServer, error) { return server, nil })
}

func errorOf(text string) []*tfprotov6.Diagnostic {
	if text == "" {
		return nil
	}
	return []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: text}}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (c *cloud) decoded(v *tfprotov6.DynamicValue) cty.Value {
	return must(tfconv.Decode6(v, c.Schema.ImpliedType()))
}

func (c *cloud) encoded(v cty.Value) *tfprotov6.DynamicValue {
	return must(tfconv.Encode6(v, c.Schema.ImpliedType()))
}

func (c *cloud) ConfigureProvider(_ context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	c.request("configure")
	resp := &tfprotov6.ConfigureProviderResponse{}
	if c.configuring != nil {
		resp.Diagnostics = errorOf(c.configuring(must(tfconv.Decode6(req.Config, c.Provider.ImpliedType()))))
	}
	return resp, nil
}

func (c *cloud) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	c.request("plan")
	if c.planning != nil {
		if refused := c.planning(c.decoded(req.Config)); refused != "" {
			return &tfprotov6.PlanResourceChangeResponse{Diagnostics: errorOf(refused)}, nil
		}
	}
	resp, err := c.Recorder.PlanResourceChange(ctx, req)
	if err == nil && c.Other != "" {
		if planned := c.decoded(resp.PlannedState); !planned.IsNull() && planned.GetAttr("name").IsKnown() && !planned.GetAttr("name").IsNull() {
			resp.PlannedState = c.encoded(with(planned, "name", Str(c.Other)))
		}
	}
	return resp, err
}

// ReadDataSource returns null, which breaks a rule.
func (c *cloud) ReadDataSource(context.Context, *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	c.request("data")
	c.reading.Add(1)
	return &tfprotov6.ReadDataSourceResponse{State: c.encoded(cty.NullVal(c.Schema.ImpliedType()))}, nil
}

var nameAndSize = Attrs{"name": Attr(cty.String, "required"), "size": Attr(cty.Number, "optional"), "tag": Attr(cty.String, "optional")}

// ifNegative calls a function in each plan with a negative size.
func (c *cloud) ifNegative(call func()) {
	c.planning = func(config cty.Value) string {
		if v := config.GetAttr("size"); v.IsKnown() && !v.IsNull() && v.AsBigFloat().Sign() < 0 {
			call()
		}
		return ""
	}
}

// TestCrashIsReportedOnce checks that a crash is reported once, with the smallest configuration, and does
// not end the exploration.
func TestCrashIsReportedOnce(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	c.ifNegative(func() { panic("negative") })
	r := c.mustExplore(t)
	if len(r.Findings) != 1 || len(r.Unstable) != 0 || r.Findings[0].Rule != objchange.RuleCrash {
		t.Fatalf("%v", r)
	}
	f := r.Findings[0]
	if want := "resource \"cloud_server\" \"example\" {\n  name = \"a\"\n  size = -1\n}\n"; f.HCL != want {
		t.Errorf("got %s", f.HCL)
	}
	if !strings.HasPrefix(f.Detail, "panic: negative\n") || !r.Types[0].Reached || r.Types[0].Requests < 100 {
		t.Errorf("%+v", r)
	}
}

// TestMessageIsAboutShownConfiguration checks that the message is about the configuration that is shown.
func TestMessageIsAboutShownConfiguration(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	c.Other = "other"
	r := c.mustExplore(t)
	if len(r.Findings) != 1 || r.Findings[0].Message != `planned "other", but the configuration has "a"` || !strings.Contains(r.Findings[0].HCL, `name = "a"`) {
		t.Errorf("%v", r.Findings)
	}
}

// TestUnstableFindingIsMarked checks that a finding that does not happen again is unstable.
func TestUnstableFindingIsMarked(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	var once atomic.Bool
	c.ifNegative(func() {
		if once.CompareAndSwap(false, true) {
			panic("once")
		}
	})
	if r := c.mustExplore(t); len(r.Findings) != 0 || len(r.Unstable) != 1 {
		t.Errorf("%v", r)
	}
}

// TestExploreCrashInSeveralFunctions checks that a provider that crashes in another function each
// time has one finding, which is stable.
func TestExploreCrashInSeveralFunctions(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	var crashes atomic.Int32
	c.ifNegative(func() {
		if crashes.Add(1)%2 == 0 {
			panic("here")
		}
		panic(errors.New("runtime error: there"))
	})
	r := c.mustExplore(t)
	if len(r.Findings) != 1 || len(r.Unstable) != 0 || r.Findings[0].Message != "the provider crashes in several functions" {
		t.Errorf("%+v %+v", r.Findings, r.Unstable)
	}
}

// TestHangingProviderIsNoFinding checks that a provider that hangs is not a finding, and delays the exploration by
// at most two requests, each of which is sent twice.
func TestHangingProviderIsNoFinding(t *testing.T) { synctest.Test(t, testHangingProviderIsNoFinding) }

func testHangingProviderIsNoFinding(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	c.planning = func(config cty.Value) string {
		if tag := config.GetAttr("tag"); tag.IsKnown() && !tag.IsNull() {
			<-t.Context().Done()
		}
		return ""
	}
	r := c.mustExplore(t, TimeLimit(200*time.Millisecond))
	if len(r.Findings) != 0 || !r.Types[0].Reached {
		t.Errorf("%v", r)
	}
	if want := []string{"resource cloud_server is not explored further: 2 requests took too long"}; !slices.Equal(r.Notes, want) {
		t.Errorf("%q", r.Notes)
	}
}

// TestSlowRequestIsTriedAgain checks that a request that takes too long once does not change the result.
func TestSlowRequestIsTriedAgain(t *testing.T) { synctest.Test(t, testSlowRequestIsTriedAgain) }

func testSlowRequestIsTriedAgain(t *testing.T) {
	explored := func(hang bool) *Result {
		c := newCloud(t, Resource, nameAndSize)
		var plans atomic.Int32
		c.planning = func(cty.Value) string {
			if plans.Add(1) == 7 && hang {
				<-t.Context().Done()
			}
			return ""
		}
		return c.mustExplore(t, TimeLimit(300*time.Millisecond))
	}
	if diff := gocmp.Diff(explored(false), explored(true)); diff != "" { // also in the number of requests
		t.Error(diff)
	}
}

// TestUnconfiguredProviderIsExplored checks that a provider that refuses each configuration is explored without
// one on demand, and that crashes are then not reported.
func TestUnconfiguredProviderIsExplored(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	c.Other = "other"
	c.configuring = func(cty.Value) string { return "login failed" }
	c.ifNegative(func() { panic("not configured") })
	if _, err := c.explore(t); err == nil || !strings.Contains(err.Error(), "login failed\nThe provider has no network") {
		t.Errorf("%v", err)
	}
	r := c.mustExplore(t, Unconfigured())
	if len(r.Findings) != 1 || r.Findings[0].Rule == objchange.RuleCrash || !r.Types[0].Reached || !strings.HasPrefix(r.Notes[0], "the provider was not configured") {
		t.Errorf("%+v", r)
	}
	if _, err := c.explore(t, Unconfigured(), Apply("*")); err == nil || !strings.Contains(err.Error(), "apply: ") {
		t.Errorf("%v", err)
	}
}

// TestExploreConfigureLimit checks that the time for the provider's own configuration is limited. Explore
// reports progress and names what may help.
func TestExploreConfigureLimit(t *testing.T) { synctest.Test(t, testExploreConfigureLimit) }

func testExploreConfigureLimit(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	c.configuring = func(cty.Value) string {
		<-t.Context().Done()
		return ""
	}
	var progress []int
	note := func(p Progress) { progress = append(progress, p.Configuring) }
	_, err := c.explore(t, TimeLimit(time.Hour), OnProgress(note))
	const want = "no configuration was accepted within 1m0s\nThe provider has no network"
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "hints") ||
		!slices.Equal(progress, []int{1, 0}) {
		t.Errorf("%v, progress %v", err, progress)
	}
}

// TestExploreCompletesHints checks that explore finds the values that the configuration in the hints
// lacks.
func TestExploreCompletesHints(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	c.configuring = func(config cty.Value) string {
		switch {
		case !config.GetAttr("token").RawEquals(Str("mine")):
			return "token is wrong"
		case config.GetAttr("region").IsNull() || config.GetAttr("region").AsString() != "eu-7":
			return `region must be one of ["eu-7"]`
		}
		return ""
	}
	if r := c.mustExplore(t, WithHints(readHints("provider: {config: {token: mine}}"))); !r.Types[0].Reached {
		t.Errorf("%+v", r)
	}
}

// TestIgnoredFindingDoesNotCount checks that a finding that the factory ignores does not count.
func TestIgnoredFindingDoesNotCount(t *testing.T) {
	c, known := newCloud(t, Resource, nameAndSize), tfcheck.Ignore("plan-not-config:cloud_*", "issue 7")
	c.Other = "other"
	factories := tfcheck.Factories6(map[string]func() (tfprotov6.ProviderServer, error){
		"cloud": func() (tfprotov6.ProviderServer, error) { return c, nil },
	}, tfcheck.Reject, known)
	r, err := Explore(t.Context(), InProcess(factories["cloud"]), Requests(120))
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Known != "issue 7" || !known.Used() {
		t.Errorf("%v, %+v, used: %v", err, r, known.Used())
	}
}

// A schemaless is a provider whose GetProviderSchema returns nothing.
type schemaless struct {
	tfprotov6.ProviderServer
	request func(context.Context)
}

func (s schemaless) GetProviderSchema(ctx context.Context, _ *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	s.request(ctx)
	return nil, nil
}

// TestSchemaIsLimitedInTime checks that GetProviderSchema is limited in time, and that the error of a panic
// does not contain the text of the panic.
func TestSchemaIsLimitedInTime(t *testing.T) { synctest.Test(t, testSchemaIsLimitedInTime) }

func testSchemaIsLimitedInTime(t *testing.T) {
	for want, request := range map[string]func(context.Context){
		"GetProviderSchema: the provider did not respond: a request took longer than 20ms": func(context.Context) { <-t.Context().Done() },
		"GetProviderSchema: the provider crashes":                                          func(context.Context) { panic("the token is tok-1234") },
	} {
		_, err := Explore(t.Context(), serving(schemaless{request: request}), TimeLimit(20*time.Millisecond))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "tok-1234") {
			t.Errorf("%v", err)
		}
	}
}

// TestDataIsReadOnlyIfAllowed checks that data sources are read only if the hints allow it.
func TestDataIsReadOnlyIfAllowed(t *testing.T) {
	c := newCloud(t, Data, nameAndSize)
	if r := c.mustExplore(t); len(r.Findings) != 0 || c.reading.Load() != 0 || !r.Types[0].Reached {
		t.Errorf("%v, read %d times", r, c.reading.Load())
	}
	r := c.mustExplore(t, WithHints(readHints("read: [cloud_*]")))
	if len(r.Findings) != 1 || r.Findings[0].Rule != objchange.RuleDataNull || !strings.HasPrefix(r.Findings[0].HCL, `data "cloud_server" "example" {`) {
		t.Errorf("%v", r.Findings)
	}
}

// TestExploreLearnsProviderConfiguration checks that explore learns from resources which values the provider's
// configuration lacks, and reports crashes with that configuration.
func TestExploreLearnsProviderConfiguration(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	var region atomic.Value
	region.Store("")
	c.configuring = func(config cty.Value) string {
		region.Store("")
		if v := config.GetAttr("region"); !v.IsNull() {
			region.Store(v.AsString())
		}
		return ""
	}
	c.planning = func(cty.Value) string {
		if region.Load() != "eu01" {
			return `no region was provided, available regions are: [eu01]`
		}
		return ""
	}
	if r := c.mustExplore(t); !r.Types[0].Reached || len(r.Findings) != 0 {
		t.Errorf("%+v", r)
	}
	hints := WithHints(readHints("provider: {config: {token: mine}}"))
	if r := c.mustExplore(t, hints); r.Types[0].Reached {
		t.Errorf("a configuration of the hints was changed: %+v", r)
	}
	region.Store("")
	c.configuring = func(config cty.Value) string {
		if config.GetAttr("region").IsNull() {
			panic("no region")
		}
		region.Store(config.GetAttr("region").AsString())
		return ""
	}
	c.planning = nil
	r := c.mustExplore(t)
	if len(r.Findings) != 1 || !strings.HasPrefix(r.Findings[0].HCL, "provider \"cloud\" {\n}\n\nresource \"cloud_server\" \"example\" {\n") {
		t.Errorf("%v", r.Findings)
	}
	c.configuring = func(cty.Value) string { panic("no token") }
	r, err := c.explore(t)
	if err == nil || len(r.Findings) != 1 || r.Findings[0].Rule != objchange.RuleCrash || r.Findings[0].Places[0] != (Place{Configuration, "cloud", ""}) {
		t.Errorf("%v, %+v", err, r)
	}
	if reached, of := r.Reached(); reached != 0 || of != 0 {
		t.Errorf("%d of %d", reached, of)
	}
}

// TestRunFailsForEachCause checks that Run fails with a subtest for each cause, logs tolerated and known
// findings, and escapes characters that a terminal interprets.
func TestRunFailsForEachCause(t *testing.T) {
	const inside = "EXPLORE_TEST_RUN"
	c := newCloud(t, Resource, nameAndSize)
	no, name := func(cty.Value) string { return "no\x1b[2J\u200b" }, "cloud"
	factory := func() (tfprotov6.ProviderServer, error) { return c, nil }
	switch os.Getenv(inside) {
	case "faulty":
		c.Other = "other" // tolerated, because this provider uses the legacy type system
		c.ifNegative(func() { panic("negative") })
	case "refuses":
		c.planning = no
	case "refuses to start":
		c.configuring = no
	case "misspelt":
		name = "clod"
	case "no factory":
		factory = nil
	}
	if os.Getenv(inside) != "" {
		Run(t, map[string]func() (tfprotov6.ProviderServer, error){"cloud": factory}, name, Requests(120))
		return
	}
	for does, wants := range map[string][]string{
		"faulty": {
			"--- FAIL: TestRunFailsForEachCause/crash/cloud_server ", "--- PASS: TestRunFailsForEachCause/plan-not-config/cloud_server ",
			"the provider crashes [crash]\n", "panic: negative", "size = -1", "func TestCloudServerCrash", "in goroutine …\n",
			"see: objchange explain crash",
		},
		"refuses":          {"--- PASS: TestRunFailsForEachCause ", `no\x1b[2J\u200b`},
		"refuses to start": {"--- FAIL: TestRunFailsForEachCause ", `no\x1b[2J\u200b`},
		"misspelt":         {"--- FAIL: TestRunFailsForEachCause ", `no factory has the name "clod"; the names are ["cloud"]`},
		"no factory":       {"--- FAIL: TestRunFailsForEachCause ", "the provider factory is nil"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRunFailsForEachCause$", "-test.v")
		cmd.Env = append(os.Environ(), inside+"="+does)
		out, err := cmd.CombinedOutput()
		if failed := strings.HasPrefix(wants[0], "--- FAIL"); (err != nil) != failed {
			t.Errorf("%s: %v", does, err)
		}
		for _, want := range wants {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: %q is missing in\n%s", does, want, out)
			}
		}
	}
}

// TestFindingTextIsEscapedAndShort checks that the text of a finding is escaped and has at most 60 lines.
func TestFindingTextIsEscapedAndShort(t *testing.T) {
	f := Finding{Message: "a\x1b[2J\u200b", Rule: objchange.RuleCrash, Severity: objchange.Rejected, HCL: "b\n\tc\u202e"}
	if got := f.String(); !strings.HasPrefix(got, `a\x1b[2J\u200b [crash]`) || !strings.Contains(got, "b\n\tc\\u202e") {
		t.Errorf("%s", got)
	}
	f.GoTest, f.Detail = strings.Repeat("line\n", 40), strings.Repeat("frame\n", 40)
	if got := f.String(); strings.Count(got, "\n") > 60 || !strings.Contains(got, "line\n") || !strings.Contains(got, "42 more lines are in the result") {
		t.Errorf("%s", got)
	}
}

// TestPatternsWithoutMatchAreErrors checks that patterns without a common match and the pattern "" are errors.
func TestPatternsWithoutMatchAreErrors(t *testing.T) {
	m := large{newCloud(t, Resource, nameAndSize)}
	for _, test := range []struct {
		types, apply string
		want         string
	}{
		{"", "*", "types: must be a pattern; use * for any name"},
		{"*", "", "apply: must be a pattern; use * for any name"},
		{"cloud_*", "cloud_net", "apply: no resource type matches \"cloud_net\""},
		{"cloud_server_*", "cloud_network_*", "apply: no explored type matches the patterns"},
	} {
		_, err := Explore(t.Context(), serving(m), Types(test.types), Apply(test.apply))
		if err == nil || err.Error() != test.want {
			t.Errorf("--type %q --apply %q: %v", test.types, test.apply, err)
		}
	}
	if len(m.Kept) > 0 {
		t.Errorf("planned %v", m.Kept)
	}
}

// TestExploreReplaysInNewProcess checks that a fault that needs many requests to one process is not
// a finding of one request.
func TestExploreReplaysInNewProcess(t *testing.T) {
	server := func() (tfprotov6.ProviderServer, error) {
		c := newCloud(t, Resource, nameAndSize)
		c.Other = "other"
		var plans atomic.Int32
		c.planning = func(config cty.Value) string {
			if plans.Add(1) > 2 && !config.GetAttr("tag").IsNull() {
				panic("tired")
			}
			return ""
		}
		return c, nil
	}
	r, err := Explore(t.Context(), InProcess(server), Requests(120))
	if err != nil || len(r.Unstable) != 1 || len(r.Findings) != 1 || r.Findings[0].Rule == objchange.RuleCrash {
		t.Errorf("%v, %+v", err, r)
	}
}

// An eager provider counts its processes and the requests for its schemas, which are optional.
type eager struct {
	*cloud
	schemas *atomic.Int32
}

func (e eager) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	e.schemas.Add(1)
	resp, err := e.cloud.GetProviderSchema(ctx, req)
	resp.ServerCapabilities = &tfprotov6.ServerCapabilities{GetProviderSchemaOptional: true}
	return resp, err
}

// TestFindingTakesOneNewProcess checks that a finding that counts takes one new process, in addition to the
// processes for the schemas and for the exploration, and that the schemas are requested once.
func TestFindingTakesOneNewProcess(t *testing.T) {
	var starts, schemas atomic.Int32
	server := func() (tfprotov6.ProviderServer, error) {
		starts.Add(1)
		c := newCloud(t, Resource, nameAndSize)
		c.Other = "other"
		return eager{c, &schemas}, nil
	}
	r, err := Explore(t.Context(), InProcess(server), Requests(120))
	if err != nil || len(r.Findings) != 1 || starts.Load() != 3 || schemas.Load() != 1 {
		t.Errorf("%v, %d findings, %d processes, %d requests for schemas", err, len(r.Findings), starts.Load(), schemas.Load())
	}
}

// CallFunction accepts a single value for the second argument.
func (c *cloud) CallFunction(_ context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	c.request("function")
	if len(req.Arguments) > 1 && must(tfconv.Decode6(req.Arguments[1], cty.String)).RawEquals(Str("ab12")) {
		return &tfprotov6.CallFunctionResponse{Result: must(tfconv.Encode6(cty.True, cty.Bool))}, nil
	}
	second := int64(1)
	return &tfprotov6.CallFunctionResponse{Error: &tfprotov6.FunctionError{Text: `must be one of: "ab12"`, FunctionArgument: &second}}, nil
}

// TestExploreLearnsVariadicArguments checks that explore learns from errors about an argument of a variadic
// parameter.
func TestExploreLearnsVariadicArguments(t *testing.T) {
	c := newCloud(t, Function, Attrs{"argument_1": Attr(cty.String, "required"), scenario.Variadic: Attr(cty.List(cty.String), "optional")})
	if r := c.mustExplore(t); !r.Types[0].Reached {
		t.Errorf("%+v", r.Types)
	}
}

// TestExploreReachesInFull checks that explore learns a value of each attribute, also without a
// configuration of the provider.
func TestExploreReachesInFull(t *testing.T) {
	for _, opts := range [][]Option{nil, {Unconfigured()}} {
		c, full := newCloud(t, Resource, nameAndSize), false
		capitals := regexp.MustCompile("^[A-Z]{2}$")
		c.planning = func(config cty.Value) string {
			tag := config.GetAttr("tag")
			if tag.IsNull() || !tag.IsKnown() {
				return ""
			}
			if !capitals.MatchString(tag.AsString()) {
				return "tag must consist of two capital letters"
			}
			full = full || !config.GetAttr("size").IsNull()
			return ""
		}
		if r := c.mustExplore(t, opts...); !r.Types[0].Reached || !full {
			t.Errorf("%+v, in full: %v", r.Types, full)
		}
	}
}

// TestPartlyExploredTypeIsInterrupted checks that a type that was explored in part is marked as interrupted.
func TestPartlyExploredTypeIsInterrupted(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	ctx, cancel := context.WithCancel(t.Context())
	var plans atomic.Int32
	c.planning = func(cty.Value) string {
		if plans.Add(1) == 20 {
			cancel()
		}
		return ""
	}
	r, err := Explore(ctx, serving(c))
	if err == nil || len(r.Types) != 1 || !r.Types[0].Reached || !r.Types[0].Interrupted {
		t.Errorf("%v, %+v", err, r)
	}
	if r := c.mustExplore(t); r.Types[0].Interrupted {
		t.Errorf("%+v", r)
	}
}

// TestInterruptedRoundKeepsResult checks that a type keeps its result if a second round, with another
// configuration of the provider, ends before it accepts anything.
func TestInterruptedRoundKeepsResult(t *testing.T) {
	c := newCloud(t, Resource, nameAndSize)
	ctx, cancel := context.WithCancel(t.Context())
	var configured atomic.Bool
	c.configuring = func(config cty.Value) string {
		configured.Store(!config.GetAttr("region").IsNull())
		return ""
	}
	c.planning = func(cty.Value) string {
		if configured.Load() {
			cancel()
		}
		return "no region was provided, available regions are: [eu01]"
	}
	r, err := Explore(ctx, serving(c), Requests(40))
	if err == nil || len(r.Types) != 1 || !slices.Equal(r.Types[0].Limited, []Phase{PhaseMinimal}) || r.Types[0].Unreached == "" {
		t.Errorf("%v, %+v", err, r)
	}
}

func readHints(text string) *hints.Hints {
	return must(hints.Read("hints.yaml", strings.NewReader(text)))
}

// TestExploreSharedProvider checks that one server may be used for several types that are explored
// concurrently. It gets no request while it is configured.
func TestExploreSharedProvider(t *testing.T) {
	c := large{newCloud(t, Resource, nameAndSize)}
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
		if r := mustExplore(t, c, Types("cloud_network_rejected_*"), Requests(20)); len(r.Types) != 4 {
			t.Errorf("%+v", r)
		}
	}
}
