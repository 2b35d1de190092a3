package lifecycle_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/objchange/objchange/livetest/frameworkprovider"
	"github.com/objchange/objchange/livetest/sdkprovider"
	"github.com/objchange/objchange/tfcheck"
)

// The fields of a TestCase with factories of providers.
type (
	factories5   = map[string]func() (tfprotov5.ProviderServer, error)
	factories6   = map[string]func() (tfprotov6.ProviderServer, error)
	factoriesSDK = map[string]func() (*schema.Provider, error)
)

// TestCaseChecksAllFactories checks that Case wraps the providers in all fields of a TestCase and
// its steps, and does not change its argument.
func TestCaseChecksAllFactories(t *testing.T) {
	provider, _ := sdkprovider.New()
	five := factories5{"five": func() (tfprotov5.ProviderServer, error) { return provider.GRPCProvider(), nil }}
	six := factories6{"six": func() (tfprotov6.ProviderServer, error) { return frameworkprovider.Server(), nil }}
	made := factoriesSDK{
		"made":   func() (*schema.Provider, error) { return provider, nil },
		"broken": func() (*schema.Provider, error) { return nil, errors.New("no provider") },
	}
	given := acceptance.TestCase{
		ProtoV5ProviderFactories: five, ProtoV6ProviderFactories: six, ProviderFactories: made,
		//lint:ignore SA1019 suites that have it are checked, too
		Providers: map[string]*schema.Provider{"old": provider},
		Steps: []acceptance.TestStep{
			{ProtoV5ProviderFactories: five, ProtoV6ProviderFactories: six, ProviderFactories: made},
			{},
		},
	}
	checked := tfcheck.Case(given, tfcheck.Reject)
	if len(given.ProviderFactories) != 2 || len(given.Steps[0].ProviderFactories) != 2 || len(five) != 1 {
		t.Errorf("the given case has changed: %v", given)
	}
	//lint:ignore SA1019 suites that have it are checked, too
	if checked.ProviderFactories != nil || checked.Providers != nil || checked.Steps[1].ProtoV5ProviderFactories != nil {
		t.Errorf("%v", checked)
	}
	found := 0
	for _, all := range []factories5{checked.ProtoV5ProviderFactories, checked.Steps[0].ProtoV5ProviderFactories} {
		for name, factory := range all {
			server, err := factory()
			if wrappings(server) == 1 && err == nil {
				found++
			} else if name != "broken" || err == nil || err.Error() != "no provider" {
				t.Errorf("%s: %d checking servers, %v", name, wrappings(server), err)
			}
		}
	}
	for _, all := range []factories6{checked.ProtoV6ProviderFactories, checked.Steps[0].ProtoV6ProviderFactories} {
		server, err := all["six"]()
		if wrappings(server) == 1 && err == nil {
			found++
		}
	}
	if found != 7 {
		t.Errorf("%d servers are checked", found)
	}
	defer func() {
		if message, _ := recover().(string); !strings.Contains(message, "lifecycle_test.other is not a resource.TestCase") {
			t.Errorf("panicked with %q", message)
		}
	}()
	type other struct{}
	tfcheck.Case(other{}, tfcheck.Reject)
}

// wrappings returns the number of checking servers around a server. Their method Unwrap has types
// that are internal to tfcheck.
func wrappings(server any) (n int) {
	for server != nil {
		unwrap := reflect.ValueOf(server).MethodByName("Unwrap")
		if !unwrap.IsValid() {
			break
		}
		server = unwrap.Call(nil)[0].Interface()
		n++
	}
	return n
}
