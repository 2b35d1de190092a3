package explore_test

import (
	"context"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/objectvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/resourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	fwprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	fwresource "github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/objchange/objchange/tfcheck/explore"
)

// A probe is a resource type that is only validated and planned.
type probe struct {
	fwresource.Resource // for methods that are not needed
	name                string
	schema              schema.Schema
	config              []fwresource.ConfigValidator
}

func (r probe) Metadata(_ context.Context, _ fwresource.MetadataRequest, resp *fwresource.MetadataResponse) {
	resp.TypeName = "probe_" + r.name
}
func (r probe) Schema(_ context.Context, _ fwresource.SchemaRequest, resp *fwresource.SchemaResponse) {
	resp.Schema = r.schema
}
func (r probe) ConfigValidators(context.Context) []fwresource.ConfigValidator { return r.config }

// probes is the provider of the probes.
type probes struct{ all []probe }

func (p probes) Metadata(_ context.Context, _ fwprovider.MetadataRequest, resp *fwprovider.MetadataResponse) {
	resp.TypeName = "probe"
}
func (p probes) Schema(context.Context, fwprovider.SchemaRequest, *fwprovider.SchemaResponse) {}
func (p probes) Configure(context.Context, fwprovider.ConfigureRequest, *fwprovider.ConfigureResponse) {
}
func (p probes) DataSources(context.Context) []func() datasource.DataSource { return nil }
func (p probes) Resources(context.Context) (all []func() fwresource.Resource) {
	for _, r := range p.all {
		all = append(all, func() fwresource.Resource { return r })
	}
	return all
}

// TestExploreUnderstandsFrameworkValidators explores one type for each validator of
// terraform-plugin-framework-validators, except validators that repeat another one.
func TestExploreUnderstandsFrameworkValidators(t *testing.T) {
	p := probes{}
	add := func(name string, a schema.Attribute) {
		p.all = append(p.all, probe{name: name, schema: schema.Schema{Attributes: map[string]schema.Attribute{"xyz": a}}})
	}
	for name, vs := range frameworkStrings {
		add(name, schema.StringAttribute{Required: true, Validators: vs})
	}
	for name, v := range map[string]validator.Int64{
		"int_one_of": int64validator.OneOf(77, 78), "int_none_of": int64validator.NoneOf(1, 2), "int_between": int64validator.Between(500, 600),
		"int_at_least": int64validator.AtLeast(500), "int_at_most": int64validator.AtMost(-5),
	} {
		add(name, schema.Int64Attribute{Required: true, Validators: []validator.Int64{v}})
	}
	for name, v := range map[string]validator.Float64{
		"float_between": float64validator.Between(0.1, 0.4), "float_at_least": float64validator.AtLeast(5000), "float_at_most": float64validator.AtMost(-0.5),
	} {
		add(name, schema.Float64Attribute{Required: true, Validators: []validator.Float64{v}})
	}
	for name, vs := range frameworkLists {
		add(name, schema.ListAttribute{ElementType: types.StringType, Required: true, Validators: vs})
	}
	for name, v := range map[string]validator.Set{
		"set_at_least": setvalidator.SizeAtLeast(3), "set_values": setvalidator.ValueStringsAre(stringvalidator.LengthAtLeast(12)),
	} {
		add(name, schema.SetAttribute{ElementType: types.StringType, Required: true, Validators: []validator.Set{v}})
	}
	for name, v := range frameworkMaps {
		add(name, schema.MapAttribute{ElementType: types.StringType, Required: true, Validators: []validator.Map{v}})
	}
	p.all = append(p.all, frameworkRelations()...)
	p.all = append(p.all, frameworkBlocks()...)
	reachAll(t, explore.InProcess(providerserver.NewProtocol6WithError(p)))
}

func stringsAre(vs ...validator.String) []validator.String { return vs }

var oneOfTwo = stringvalidator.OneOf("p1", "q2")

var frameworkStrings = map[string][]validator.String{
	"one_of":        stringsAre(oneOfTwo),
	"one_of_fold":   stringsAre(stringvalidator.OneOfCaseInsensitive("p1", "q2")),
	"none_of":       stringsAre(stringvalidator.NoneOf("example", "q2")),
	"len_between":   stringsAre(stringvalidator.LengthBetween(12, 20)),
	"len_at_least":  stringsAre(stringvalidator.LengthAtLeast(12)),
	"len_at_most":   stringsAre(stringvalidator.LengthAtMost(2)),
	"utf8":          stringsAre(stringvalidator.UTF8LengthAtLeast(12)),
	"match":         stringsAre(stringvalidator.RegexMatches(ab3, "")),
	"match_message": stringsAre(stringvalidator.RegexMatches(ab3, "value must match ^ab[0-9]{3}$")),
	"match_prose":   stringsAre(stringvalidator.RegexMatches(regexp.MustCompile(`^[A-Z]{2}-\d{4}$`), "must look like AB-1234")),
	"all":           stringsAre(stringvalidator.All(stringvalidator.LengthBetween(10, 12), stringvalidator.RegexMatches(regexp.MustCompile(`^[a-z]+$`), ""))),
	"two":           stringsAre(stringvalidator.LengthBetween(10, 12), stringvalidator.RegexMatches(regexp.MustCompile(`^[a-z]+$`), "")),
	"any":           stringsAre(stringvalidator.Any(stringvalidator.OneOf("p1"), stringvalidator.LengthAtMost(2))),
}

var frameworkLists = map[string][]validator.List{
	"list_at_least": {listvalidator.SizeAtLeast(3)},
	"list_between":  {listvalidator.SizeBetween(2, 3)},
	"list_at_most":  {listvalidator.SizeAtMost(1)},
	"list_unique":   {listvalidator.UniqueValues(), listvalidator.SizeAtLeast(3)},
	"list_values":   {listvalidator.ValueStringsAre(oneOfTwo)},
	"list_all":      {listvalidator.SizeAtLeast(2), listvalidator.UniqueValues(), listvalidator.ValueStringsAre(oneOfTwo)},
	"list_no_null":  {listvalidator.NoNullValues()},
}

var frameworkMaps = map[string]validator.Map{
	"map_at_least":   mapvalidator.SizeAtLeast(2),
	"map_keys":       mapvalidator.KeysAre(stringvalidator.OneOf("ALPHA", "BETA")),
	"map_key_length": mapvalidator.KeysAre(stringvalidator.LengthAtLeast(12)),
	"map_key_match":  mapvalidator.KeysAre(stringvalidator.RegexMatches(ab3, "")),
	"map_values":     mapvalidator.ValueStringsAre(stringvalidator.RegexMatches(ab3, "")),
}

func frameworkRelations() (all []probe) {
	abc, def := path.MatchRoot("abc"), path.MatchRoot("def")
	add := func(name string, of []validator.String, config ...fwresource.ConfigValidator) {
		all = append(all, probe{name: name, config: config, schema: schema.Schema{Attributes: map[string]schema.Attribute{
			"abc": schema.StringAttribute{Optional: true, Validators: of},
			"def": schema.StringAttribute{Optional: true},
			"ghi": schema.StringAttribute{Optional: true},
		}}})
	}
	add("conflicts", stringsAre(stringvalidator.ConflictsWith(def)))
	add("exactly_one", stringsAre(stringvalidator.ExactlyOneOf(def)))
	add("at_least_one", stringsAre(stringvalidator.AtLeastOneOf(def)))
	add("requires", stringsAre(stringvalidator.AlsoRequires(def)))
	add("config_conflicts", nil, resourcevalidator.Conflicting(abc, def))
	add("config_exactly_one", nil, resourcevalidator.ExactlyOneOf(abc, def))
	add("config_at_least_one", nil, resourcevalidator.AtLeastOneOf(abc, def))
	add("config_together", nil, resourcevalidator.RequiredTogether(abc, def))
	return all
}

func frameworkBlocks() []probe {
	mode := schema.StringAttribute{Required: true, Validators: stringsAre(oneOfTwo)}
	optional := schema.StringAttribute{Optional: true, Validators: stringsAre(oneOfTwo)}
	return []probe{
		{name: "list_block", schema: schema.Schema{Blocks: map[string]schema.Block{"rule": schema.ListNestedBlock{
			Validators:   []validator.List{listvalidator.IsRequired(), listvalidator.SizeAtLeast(2)},
			NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{"mode": mode}},
		}}}},
		{name: "single_block", schema: schema.Schema{Blocks: map[string]schema.Block{"rule": schema.SingleNestedBlock{
			Validators: []validator.Object{objectvalidator.IsRequired()}, Attributes: map[string]schema.Attribute{"mode": optional},
		}}}},
		{name: "set_nested", schema: schema.Schema{Attributes: map[string]schema.Attribute{"rules": schema.SetNestedAttribute{
			Required: true, NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"mode": mode,
				"abc": schema.StringAttribute{Optional: true, Validators: stringsAre(
					stringvalidator.ConflictsWith(path.MatchRelative().AtParent().AtName("def")), stringvalidator.LengthAtLeast(12))},
				"def": schema.StringAttribute{Optional: true},
			}},
		}}}},
	}
}
