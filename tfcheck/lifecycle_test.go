package tfcheck_test

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf6to5server"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

func (r *recorder) Fatal(args ...any) { r.Fatalf("%s", fmt.Sprint(args...)) }
func (r *recorder) Fatalf(f string, args ...any) {
	r.Errorf(f, args...)
	runtime.Goexit()
}

// messagesOf returns the messages of a failing test that calls do.
func messagesOf(t *testing.T, do func(testing.TB)) string {
	t.Helper()
	r, ended := &recorder{TB: t}, make(chan struct{})
	go func() {
		defer close(ended)
		do(r)
	}()
	<-ended
	return regexp.MustCompile(`(?m)^\w+_test.go:\d+: `).ReplaceAllString(strings.Join(r.errors, "\n"), "")
}

type factories6 = map[string]func() (tfprotov6.ProviderServer, error)

func factoriesOf(f *fake) factories6 {
	return factories6{"test": func() (tfprotov6.ProviderServer, error) { return f, nil }}
}

var full = obj{"name": "a", "size": 1, "token": "secret", "rule": []any{obj{"port": 80}}}

// TestLifecycleCallsItsInstance checks that a Lifecycle calls the methods of its Instance.
func TestLifecycleCallsItsInstance(t *testing.T) {
	d := driver.Test6(t, factoriesOf(on()), "test", nil)
	thing := d.Lifecycle(t, "test_thing")
	thing.Plan(full).Expect("create", obj{"name": "a", "id": cty.DynamicVal, "size": is{"1"}})
	thing.Create(full).Expect("create", obj{"name": "a", "rule[0].port": 80})
	thing.Plan(obj{"name": "a", "size": 2}).Expect("update", obj{"id": "i-1", "size": 2, "rule": []any{}})
	thing.Refresh().Expect("no-op", obj{"size": 1})
	thing.Apply(full).Expect("no-op", thing.State())
	thing.Update(full, driver.Initially(full)).Expect("no-op", obj{})
	thing.Replace(full).Expect("replace", obj{"id": "i-1"})
	thing.Refresh().Expect("no-op", map[string]string{"name": "a"})

	for name, same := range map[string]*driver.Lifecycle{
		"import":   d.Lifecycle(t, "test_thing").Import("i-1"),
		"identity": d.Lifecycle(t, "test_thing").ImportIdentity(obj{"id": "i-1"}),
		"upgrade":  d.Lifecycle(t, "test_thing").Upgrade(1, []byte(`{"id": "i-1", "name": "a"}`), nil),
	} {
		if same.Expect("no-op", obj{"id": "i-1"}); same.State().IsNull() {
			t.Errorf("%s: the object is absent", name)
		}
	}
	d.Lifecycle(t, "test_thing").UpgradeState(3, []byte(oldState)).Expect("no-op", obj{"size": 1}).Plan(large, driver.WithoutRefresh()).Expect("update", obj{"size": 2})
	d.Lifecycle(t, "test_thing").MoveState(oldThing).Expect("no-op", obj{"name": "moved"}).Refresh().Expect("no-op", obj{"id": "i-1"})
	thing.Destroy().Expect("delete", nil).Destroy().Expect("no-op", nil)
	if thing.Run.Action != "no-op" {
		t.Errorf("the latest run is %v", thing.Run)
	}
	old := driver.Test5(t, map[string]func() (tfprotov5.ProviderServer, error){
		"test": func() (tfprotov5.ProviderServer, error) { return tf6to5server.DowngradeServer(ctx, factoryServer) },
	}, "test", nil)
	old.Lifecycle(t, "test_thing").Create(full).Expect("create", obj{"name": "a"}).Destroy().Expect("delete", nil)
}

func factoryServer() tfprotov6.ProviderServer { return on() }

// TestExpectShowsPathAndDifference checks that messages of Expect contain the path and the difference, and no secrets.
func TestExpectShowsPathAndDifference(t *testing.T) {
	for name, test := range map[string]struct {
		want     any
		messages string
	}{
		"all as expected":  {obj{"name": "a", ".size": 1, "token": "secret", "rule": full["rule"], "rule.0": obj{"port": "80"}, "password": nil}, ""},
		"passed checks":    {obj{"name": is{"a"}, "size": is{"1"}, "rule": is{`[map[port:80]]`}, "password": is{"<nil>"}, "token": is{"secret"}}, ""},
		"no expectations":  {obj{}, ""},
		"other value":      {obj{"name": "b"}, `~ .name: "a" -> "b"`},
		"null":             {obj{"size": nil}, "- .size = 1"},
		"secret null":      {obj{"token": nil}, "- .token = (sensitive)"},
		"regexp":           {obj{"name": regexp.MustCompile("a")}, "invalid expected value: .name: a *regexp.Regexp is not supported: to check a string, use knownvalue.StringRegexp of terraform-plugin-testing"},
		"empty path":       {obj{"": "a"}, `"" is not a path: to check the whole object, pass the expected object instead of the map`},
		"not null":         {obj{"token": "x", "password": "x"}, "+ .password = (sensitive)\n  ~ .token: (sensitive)"},
		"blocks":           {obj{"rule": []any{}}, "- .rule[0].port = 80"},
		"value in a block": {obj{"rule[0].port": 81}, "~ .rule[0].port: 80 -> 81"},
		"failed checks":    {obj{"name": is{"b"}, "rule[0].port": is{"81"}}, ".name: is a, not b\n  .rule[0].port: is 80, not 81"},
		"secret check":     {obj{"token": is{"x"}, "password": is{"secret"}}, ".password: (sensitive) does not pass the check\n  .token: (sensitive) does not pass the check"},
		"check in data":    {obj{"rule": []any{is{"x"}}}, "invalid expected value: .rule[0]: a tfcheck_test.is is a check: use it at a path of its own"},
		"secret data":      {obj{"token": obj{"secret": 1}}, "invalid expected value: .token: must be a string, not an object or a map"},
		"other kind":       {obj{"name": []any{1}}, "invalid expected value: .name: must be a string, not a list"},
		"no attribute":     {obj{"nmae": "a"}, `the object has no attribute or block "nmae"; did you mean "name"?`},
		"no element":       {obj{"rule[1].port": 1, "rule.x": 1}, ".rule has no element [x]: the length is 1\n  .rule has no element [1]: the length is 1"},
		"below secrets":    {obj{"password.x": 1}, `.password is sensitive and has no "x"`},
		"below a leaf":     {obj{"name.x": 1}, `.name is a string and has no "x"`},
		"no path":          {obj{"rule[": 1, `["\z"]`: 1}, `"[\"\\z\"]" is not a path: syntax error at ".[\"\\z\"]"` + "\n  " + `"rule[" is not a path: syntax error at "["`},
		"no key":           {map[bool]int{true: 1}, "a map[bool]int is not a map with paths as keys"},
		"two problems":     {obj{"rule[0]": obj{"prot": 1, "x": 2}}, "invalid expected value: .rule[0].prot: no such attribute or block; did you mean \"port\"?\n  .rule[0].x: no such attribute or block"},
		"whole value":      {struct{ Name string }{"a"}, `invalid expected value: .Name: no such attribute or block; did you mean "name"?`},
		"whole state":      {value(obj{"name": "a", "id": "i-1", "size": 1, "token": "other"}), "- .rule[0].port = 80\n  ~ .token: (sensitive)"},
		"nil":              {nil, "the object exists, but none was expected"},
		"null object":      {cty.NullVal(thingType), "- .id = \"i-1\"\n  - .name = \"a\"\n  - .rule[0].port = 80\n  - .size = 1\n  - .token = (sensitive)"},
	} {
		t.Run(name, func(t *testing.T) {
			got := messagesOf(t, func(t testing.TB) {
				driver.Test6(t, factoriesOf(on()), "test", nil).Lifecycle(t, "test_thing").Create(full).Expect("create", test.want)
			})
			want := test.messages
			if want != "" {
				want = "test_thing is not as expected (-got +want):\n  " + want
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}

// An is checks how fmt prints the value, as checks of knownvalue do.
type is struct{ text string }

func (c is) String() string { return c.text }
func (c is) CheckValue(value any) error {
	if got := fmt.Sprint(value); got != c.text {
		return fmt.Errorf("is %s, not %s", got, c.text)
	}
	return nil
}

// cloudFinding is the finding about cloud.
const cloudFinding = "ApplyResourceChange of test_thing \"i-1\"\n  apply: .name: planned \"web\", but got \"WEB\" [inconsistent-value]\n" +
	"  see: https://github.com/objchange/objchange/blob/main/docs/rules/apply.md#inconsistent-value"

// TestLifecycleEndsAtFirstError checks that a test ends at the first error of a Lifecycle.
func TestLifecycleEndsAtFirstError(t *testing.T) {
	life := func(t testing.TB, f *fake, opts ...driver.Option) *driver.Lifecycle {
		return driver.Test6(t, factoriesOf(f), "test", nil, opts...).Lifecycle(t, "test_thing")
	}
	never := driver.ReportTo(nil)
	for name, test := range map[string]struct {
		do       func(testing.TB)
		messages string
	}{
		"misspelt name": {func(t testing.TB) { driver.Test6(t, factoriesOf(on()), "tset", nil) },
			`no factory has the name "tset"; the names are ["test"]`},
		"no factory": {func(t testing.TB) { driver.Test6(t, factories6{"test": nil}, "test", nil) },
			"creating the provider: the provider factory is nil"},
		"no factory to wrap": {func(t testing.TB) {
			driver.Test6(t, tfcheck.Factories6(factories6{"test": nil}, nil), "test", nil)
		}, "creating the provider: the provider factory is nil"},
		"no server": {func(t testing.TB) {
			driver.Test5(t, map[string]func() (tfprotov5.ProviderServer, error){
				"test": func() (tfprotov5.ProviderServer, error) { return nil, errors.New("no network") },
			}, "test", nil)
		}, "creating the provider: no network"},
		"no driver":             {func(t testing.TB) { life(t, &fake{fails: 1, with: errors.New("no network")}) }, "GetProviderSchema: no network"},
		"refused configuration": {func(t testing.TB) { life(t, &fake{fails: 3, with: errors.New("no network")}) }, "ConfigureProvider: no network"},
		"no such type": {func(t testing.TB) { driver.Test6(t, factoriesOf(on()), "test", nil).Lifecycle(t, "test_thign") },
			`the provider has no schema of the resource type "test_thign"; did you mean "test_thing"?`},
		"no object":                           {func(t testing.TB) { life(t, on()).Update(full) }, "test_thing does not exist: create it first"},
		"other action":                        {func(t testing.TB) { life(t, on()).Create(full).Expect("update", obj{}) }, "test_thing: the action was create, not update"},
		"replacement":                         {func(t testing.TB) { life(t, on()).Create(full).Update(obj{"name": "b"}).Expect("update", obj{}) }, "test_thing: the action was replace, not update (.name requires replacement)"},
		"destroyed object":                    {func(t testing.TB) { life(t, on()).Create(full).Destroy().Expect("delete", obj{}) }, "test_thing is not as expected (-got +want):\n  there is no object"},
		"a finding":                           {func(t testing.TB) { life(t, cloud).Create(obj{"name": "web"}).Expect("never", nil) }, cloudFinding},
		"a finding that only the run returns": {func(t testing.TB) { life(t, cloud, never).Create(obj{"name": "web"}) }, cloudFinding},
		"a finding that somebody else keeps": {func(t testing.TB) {
			life(t, cloud, driver.ReportTo(new(tfcheck.Collector).Report)).Create(obj{"name": "web"})
		}, cloudFinding},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.messages, messagesOf(t, test.do)); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExpectOfDataNamesDifferences(t *testing.T) {
	d := driver.Test6(t, factoriesOf(on()), "test", nil)
	run, err := d.ReadDataSource(ctx, "test_thing", obj{"name": "a"})
	if err != nil {
		t.Fatal(err)
	}
	run.Expect(t, obj{"name": "a"})
	d.Data(t, "test_thing", obj{"name": "a"}).Expect(t, run.Result)
	d.Ephemeral(t, "test_thing", obj{"name": "a"}).Expect(t, obj{"name": "a"})
	got := messagesOf(t, func(t testing.TB) { run.Expect(t, obj{"name": is{"b"}}) })
	if want := "the read object is not as expected (-got +want):\n  .name: is a, not b"; got != want {
		t.Errorf("got the message %s", got)
	}
	got = messagesOf(t, func(t testing.TB) { driver.DataRun{}.Expect(t, obj{}) })
	if want := "the read object is not as expected (-got +want):\n  there is no object"; got != want {
		t.Errorf("got the message %s", got)
	}
}
