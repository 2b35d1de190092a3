package explore_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"

	"github.com/objchange/objchange/tfcheck/explore"
)

// ab3 is a pattern that no guess matches.
var ab3 = regexp.MustCompile(`^ab[0-9]{3}$`)

// TestExploreUnderstandsSDKValidators explores one type for each validator of the SDK.
func TestExploreUnderstandsSDKValidators(t *testing.T) {
	provider := &schema.Provider{ResourcesMap: map[string]*schema.Resource{}}
	add := func(name string, attributes map[string]*schema.Schema) {
		provider.ResourcesMap["probe_"+name] = &schema.Resource{
			Schema: attributes, CreateContext: schema.NoopContext, ReadContext: schema.NoopContext, DeleteContext: schema.NoopContext,
		}
	}
	one := func(s schema.Schema) map[string]*schema.Schema {
		s.Required, s.ForceNew = true, true
		return map[string]*schema.Schema{"xyz": &s}
	}
	for name, v := range sdkStrings {
		add(name, one(schema.Schema{Type: schema.TypeString, ValidateFunc: v}))
	}
	for name, v := range sdkInts {
		add(name, one(schema.Schema{Type: schema.TypeInt, ValidateFunc: v}))
	}
	for name, v := range sdkFloats {
		add(name, one(schema.Schema{Type: schema.TypeFloat, ValidateFunc: v}))
	}
	text := &schema.Schema{Type: schema.TypeString}
	for name, v := range sdkMaps {
		add(name, one(schema.Schema{Type: schema.TypeMap, Elem: text, ValidateDiagFunc: v}))
	}
	add("list_min", one(schema.Schema{Type: schema.TypeList, MinItems: 3, Elem: text}))
	add("list_max", one(schema.Schema{Type: schema.TypeList, MaxItems: 1, Elem: text}))
	add("set_min", one(schema.Schema{Type: schema.TypeSet, MinItems: 2, Elem: &schema.Schema{Type: schema.TypeInt, ValidateFunc: validation.IntBetween(1000, 2000)}}))
	for name, relate := range map[string]func(s *schema.Schema, both []string){
		"conflicts":    func(s *schema.Schema, both []string) { s.ConflictsWith = both },
		"exactly_one":  func(s *schema.Schema, both []string) { s.ExactlyOneOf = both },
		"at_least_one": func(s *schema.Schema, both []string) { s.AtLeastOneOf = both },
		"together":     func(s *schema.Schema, both []string) { s.RequiredWith = both },
	} {
		abc := &schema.Schema{Type: schema.TypeString, Optional: true, ForceNew: true}
		relate(abc, []string{"def"})
		add(name, map[string]*schema.Schema{"abc": abc, "def": {Type: schema.TypeString, Optional: true, ForceNew: true}})
	}
	add("nested", one(schema.Schema{Type: schema.TypeSet, Elem: &schema.Resource{Schema: map[string]*schema.Schema{
		"mode": {Type: schema.TypeString, Required: true, ForceNew: true, ValidateFunc: validation.StringInSlice([]string{"p1", "q2"}, false)},
		"size": {Type: schema.TypeInt, Optional: true, ForceNew: true, ValidateFunc: validation.IntBetween(500, 600)},
	}}}))
	if err := provider.InternalValidate(); err != nil {
		t.Fatal(err)
	}
	reachAll(t, explore.InProcess5(func() (tfprotov5.ProviderServer, error) { return schema.NewGRPCProviderServer(provider), nil }))
}

// reachAll fails the test for each type that the exploration does not reach.
func reachAll(t *testing.T, provider explore.Provider) {
	t.Helper()
	result, err := explore.Explore(t.Context(), provider, explore.Requests(40))
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range result.Types {
		if !typ.Reached {
			t.Errorf("%s: %s", typ.Name, typ.Unreached)
		}
	}
}

//lint:ignore SA1019 the SDK's own validators have this type
var sdkStrings = map[string]schema.SchemaValidateFunc{
	"in_slice":      validation.StringInSlice([]string{"p1", "q2"}, false),
	"not_in_slice":  validation.StringNotInSlice([]string{"example", "q2"}, false),
	"long":          validation.StringLenBetween(12, 20),
	"short":         validation.StringLenBetween(1, 3),
	"match":         validation.StringMatch(ab3, ""),
	"match_message": validation.StringMatch(ab3, "must match ^ab[0-9]{3}$"),
	"no_match":      validation.StringDoesNotMatch(regexp.MustCompile(`^ex`), ""),
	"contains_none": validation.StringDoesNotContainAny("xe"),
	"base64":        validation.StringIsBase64,
	"json":          validation.StringIsJSON,
	"regexp":        validation.StringIsValidRegExp,
	"empty":         validation.StringIsEmpty,
	"white":         validation.StringIsWhiteSpace,
	"cidr":          validation.IsCIDR,
	"cidr_network":  validation.IsCIDRNetwork(8, 24),
	"ip":            validation.IsIPAddress,
	"ipv4":          validation.IsIPv4Address,
	"ipv6":          validation.IsIPv6Address,
	"ip_range":      validation.IsIPv4Range,
	"mac":           validation.IsMACAddress,
	"rfc3339":       validation.IsRFC3339Time,
	"day":           validation.IsDayOfTheWeek(false),
	"month":         validation.IsMonth(false),
	"uuid":          validation.IsUUID,
	"https":         validation.IsURLWithHTTPS,
	"ftp":           validation.IsURLWithScheme([]string{"ftp"}),
	"http":          validation.IsURLWithHTTPorHTTPS,
	"all":           validation.All(validation.StringLenBetween(10, 12), validation.StringMatch(regexp.MustCompile(`^[a-z]+$`), "")),
	"any":           validation.Any(validation.IsUUID, validation.IsCIDR),
}

//lint:ignore SA1019 the SDK's own validators have this type
var sdkInts = map[string]schema.SchemaValidateFunc{
	"int_between":  validation.IntBetween(500, 600),
	"int_at_least": validation.IntAtLeast(500),
	"int_at_most":  validation.IntAtMost(-5),
	"int_in":       validation.IntInSlice([]int{7, 77}),
	"int_not_in":   validation.IntNotInSlice([]int{1, 7}),
	"int_multiple": validation.IntDivisibleBy(512),
	"int_both":     validation.All(validation.IntDivisibleBy(64), validation.IntAtLeast(1000)),
	"port":         validation.IsPortNumber,
}

//lint:ignore SA1019 the SDK's own validators have this type
var sdkFloats = map[string]schema.SchemaValidateFunc{
	"float_between":  validation.FloatBetween(0.1, 0.4),
	"float_at_least": validation.FloatAtLeast(5000),
	"float_at_most":  validation.FloatAtMost(-0.5),
}

var sdkMaps = map[string]schema.SchemaValidateDiagFunc{
	"map_key_length":   validation.MapKeyLenBetween(10, 12),
	"map_key_match":    validation.MapKeyMatch(regexp.MustCompile(`^[A-Z]{3}$`), ""),
	"map_value_length": validation.MapValueLenBetween(10, 12),
	"map_value_match":  validation.MapValueMatch(regexp.MustCompile(`^[A-Z]{3}$`), ""),
}
