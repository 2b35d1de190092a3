package tfcheck

import (
	"fmt"
	"maps"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Case returns a copy of a resource.TestCase in which the providers of the test and of its steps
// are checked. It is for test suites in which each test creates its own factories.
//
// Case wraps ProtoV5ProviderFactories and ProtoV6ProviderFactories with Factories5 and
// Factories6. It moves the SDK v2 providers of ProviderFactories and Providers to
// ProtoV5ProviderFactories. It does not check ExternalProviders. Case finds the fields by name,
// so tfcheck does not depend on terraform-plugin-testing. It panics if the value has neither
// ProtoV5ProviderFactories nor ProtoV6ProviderFactories.
func Case[C any](testCase C, report Report, opts ...Option) C {
	v := reflect.ValueOf(&testCase).Elem()
	found := false
	if v.Kind() == reflect.Struct {
		found = checkFactories(v, report, opts)
	}
	if !found {
		panic(fmt.Sprintf("tfcheck.Case: %T is not a resource.TestCase: "+
			"it has no field ProtoV5ProviderFactories or ProtoV6ProviderFactories", testCase))
	}
	steps := v.FieldByName("Steps")
	if !steps.IsValid() || steps.Kind() != reflect.Slice || steps.Type().Elem().Kind() != reflect.Struct {
		return testCase
	}
	copied := reflect.MakeSlice(steps.Type(), steps.Len(), steps.Len())
	reflect.Copy(copied, steps)
	steps.Set(copied)
	for i := range steps.Len() {
		checkFactories(steps.Index(i), report, opts)
	}
	return testCase
}

type (
	factories5 = map[string]func() (tfprotov5.ProviderServer, error)
	factories6 = map[string]func() (tfprotov6.ProviderServer, error)
)

// checkFactories wraps the factories in the fields, and reports whether the fields exist. A nil
// map stays nil.
func checkFactories(v reflect.Value, report Report, opts []Option) bool {
	six, is6 := fieldOf[factories6](v, "ProtoV6ProviderFactories")
	if is6 && *six != nil {
		*six = Factories6(*six, report, opts...)
	}
	five, is5 := fieldOf[factories5](v, "ProtoV5ProviderFactories")
	if !is5 {
		return is6
	}
	all := maps.Clone(*five)
	for _, name := range []string{"ProviderFactories", "Providers"} {
		if field := v.FieldByName(name); field.IsValid() && field.Kind() == reflect.Map && field.Len() > 0 {
			if all == nil {
				all = factories5{}
			}
			maps.Copy(all, ofSDK(field))
			field.SetZero()
		}
	}
	if all != nil {
		*five = Factories5(all, report, opts...)
	}
	return true
}

func fieldOf[F any](v reflect.Value, name string) (*F, bool) {
	field := v.FieldByName(name)
	if !field.IsValid() {
		return nil, false
	}
	f, is := field.Addr().Interface().(*F)
	return f, is
}

// ofSDK returns factories for the servers of SDK v2 providers. The argument is a map with values
// of type *schema.Provider, or functions that return a *schema.Provider and an error.
func ofSDK(providers reflect.Value) factories5 {
	all := factories5{}
	for name, made := range providers.Seq2() {
		all[name.String()] = func() (tfprotov5.ProviderServer, error) {
			provider := made.Interface()
			if made.Kind() == reflect.Func {
				results := made.Call(nil)
				if err, _ := results[len(results)-1].Interface().(error); err != nil {
					return nil, err
				}
				provider = results[0].Interface()
			}
			method := reflect.ValueOf(provider).MethodByName("GRPCProvider")
			if !method.IsValid() {
				return nil, fmt.Errorf("the provider of type %T has no method GRPCProvider", provider)
			}
			server, is := method.Call(nil)[0].Interface().(tfprotov5.ProviderServer)
			if !is {
				return nil, fmt.Errorf("GRPCProvider of %T returns no provider server", provider)
			}
			return server, nil
		}
	}
	return all
}
