package tfcheck_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// A cloud is a provider with a fault: it writes names in capitals.
var cloud = on(set[apply](obj{"name": "WEB"}))

// A provider's acceptance tests need this one line, in a resource.TestCase of
// terraform-plugin-testing.
func ExampleFactories6() {
	var t *testing.T // the test's *testing.T

	protoV6ProviderFactories := tfcheck.Factories6(map[string]func() (tfprotov6.ProviderServer, error){
		"cloud": func() (tfprotov6.ProviderServer, error) { return cloud, nil },
	}, tfcheck.Fail(t))

	fmt.Println(len(protoV6ProviderFactories))
	// Output: 1
}

func ExampleServer6() {
	ctx := context.Background()
	server := tfcheck.Server6(cloud, func(f tfcheck.Finding) tfcheck.Reaction {
		fmt.Println(f)
		return tfcheck.NoDiagnostic
	})

	// The report receives faults in all responses from now on, for calls of Terraform and of
	// tests.
	planned := dynamic(map[string]any{"name": "web", "id": cty.UnknownVal(cty.String)})
	_, err := server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: "test_thing", PriorState: nothing(), PlannedState: planned, Config: dynamic(map[string]any{"name": "web"}),
	})
	if err != nil {
		panic(err)
	}
	// Output:
	// ApplyResourceChange of test_thing "i-1"
	//   apply: .name: planned "web", but got "WEB" [inconsistent-value]
}

func ExampleDriver() {
	ctx := context.Background()
	driver, err := driver.New6(ctx, &fake{})
	if err != nil {
		panic(err)
	}
	if err := driver.Configure(ctx, nil); err != nil {
		panic(err)
	}
	thing, err := driver.Resource("test_thing")
	if err != nil {
		panic(err)
	}

	run, err := thing.Create(ctx, map[string]any{"name": "web", "size": 2})
	fmt.Println(run.Action, run.Findings, err)

	run, err = thing.Update(ctx, map[string]any{"name": "db", "size": 2})
	fmt.Println(run.Action, run.Findings, err)
	fmt.Println(thing.State().GetAttr("id").AsString())

	run, err = thing.Destroy(ctx)
	fmt.Println(run.Action, run.Findings, err)
	// Output:
	// create [] <nil>
	// replace [] <nil>
	// i-1
	// delete [] <nil>
}

// A Lifecycle in a test, and the messages of a failing test. A check of package knownvalue of
// terraform-plugin-testing may replace the data at a path.
func ExampleLifecycle() {
	var t testing.TB = printer{} // the *testing.T of the test
	factories := map[string]func() (tfprotov6.ProviderServer, error){
		"test": func() (tfprotov6.ProviderServer, error) { return &fake{}, nil },
	}

	thing := driver.Test6(t, factories, "test", nil).Lifecycle(t, "test_thing")
	thing.Create(map[string]any{"name": "web"}).Expect("create", map[string]any{"id": "i-1", "size": nil})
	thing.Update(map[string]any{"name": "db", "size": 2}).Expect("update", map[string]any{"name": "db", "size": 3})
	thing.Destroy().Expect("delete", nil)
	// Output:
	// test_thing: the action was replace, not update (.name requires replacement)
	// test_thing is not as expected (-got +want):
	//   ~ .size: 2 -> 3
}

// A printer is a testing.TB that prints errors.
type printer struct{ testing.TB }

func (printer) Helper()                           {}
func (printer) Context() context.Context          { return context.Background() }
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (printer) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }

func ExampleValueOf() {
	type rule struct {
		Port int `json:"port"`
	}
	value, err := driver.ValueOf(thingBlock, map[string]any{"name": "web", "rule": []rule{{80}, {443}}})
	fmt.Println(value.GetAttr("rule").LengthInt(), value.GetAttr("id").IsNull(), err)
	// Output: 2 true <nil>
}
