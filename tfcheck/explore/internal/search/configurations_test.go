package search

import (
	"math/rand/v2"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/driver"
)

func newTestKnowledge(schema *configschema.Block) *Knowledge {
	return New(schema, nil, rand.New(rand.NewPCG(1, 2)))
}

// anyBlock generates a schema that Terraform accepts.
func anyBlock(depth int) *rapid.Generator[*configschema.Block] {
	return rapid.Custom(func(t *rapid.T) *configschema.Block {
		b := &configschema.Block{Attributes: map[string]*configschema.Attribute{}, BlockTypes: map[string]*configschema.NestedBlock{}}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"name", "port", "cidr", "enabled", "tags", "id"}), 0, 4, rapid.ID).Draw(t, "attributes") {
			b.Attributes[name] = anyAttribute(depth).Draw(t, name)
		}
		if depth == 0 {
			return b
		}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"rule", "timeouts"}), 0, 2, rapid.ID).Draw(t, "blocks") {
			nested := &configschema.NestedBlock{Block: *anyBlock(depth-1).Draw(t, name), Nesting: rapid.SampledFrom(nestings).Draw(t, "nesting")}
			switch nested.Nesting {
			case configschema.NestingSingle:
				nested.MinItems = rapid.IntRange(0, 1).Draw(t, "min")
				nested.MaxItems = nested.MinItems
			case configschema.NestingList, configschema.NestingSet:
				nested.MinItems = rapid.IntRange(0, 3).Draw(t, "min")
				if nested.Nesting.Coalesces() {
					nested.MinItems = min(nested.MinItems, 1) // the elements may have no attributes that could differ
				}
				nested.MaxItems = rapid.SampledFrom([]int{0, nested.MinItems, nested.MinItems + 2}).Draw(t, "max")
			}
			if nested.Validate() == nil {
				b.BlockTypes[name] = nested
			}
		}
		return b
	})
}

var nestings = []configschema.NestingMode{configschema.NestingSingle, configschema.NestingGroup, configschema.NestingList, configschema.NestingSet, configschema.NestingMap}

func anyAttribute(depth int) *rapid.Generator[*configschema.Attribute] {
	return rapid.Custom(func(t *rapid.T) *configschema.Attribute {
		a := &configschema.Attribute{}
		switch rapid.IntRange(0, 3).Draw(t, "use") {
		case 0:
			a.Required = true
		case 1:
			a.Optional = true
		case 2:
			a.Optional, a.Computed = true, true
		default:
			a.Computed = true
		}
		if depth > 0 && rapid.IntRange(0, 3).Draw(t, "nested") == 0 {
			inside := anyBlock(0).Draw(t, "object")
			a.NestedType = &configschema.Object{Attributes: inside.Attributes, Nesting: rapid.SampledFrom(nestings).Filter(func(m configschema.NestingMode) bool { return m != configschema.NestingGroup }).Draw(t, "nesting")}
			if a.Validate() == nil {
				return a
			}
			a.NestedType = nil
		}
		a.Type = rapid.SampledFrom([]cty.Type{
			cty.String, cty.Number, cty.Bool, cty.List(cty.String), cty.Set(cty.String), cty.Map(cty.String), cty.DynamicPseudoType,
			cty.Object(map[string]cty.Type{"port": cty.Number, "name": cty.String}), cty.Set(cty.Object(map[string]cty.Type{"port": cty.Number})),
			cty.Tuple([]cty.Type{cty.String, cty.Bool}), cty.List(cty.List(cty.String)), cty.Map(cty.DynamicPseudoType), cty.List(cty.DynamicPseudoType),
		}).Draw(t, "type")
		return a
	})
}

// anyDiagnostics generates diagnostics with names and paths of the schema.
func anyDiagnostics(block *configschema.Block) *rapid.Generator[[]driver.Diagnostic] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) driver.Diagnostic {
		name := rapid.SampledFrom([]string{"name", "port", "cidr", "enabled", "tags", "id", "rule", "timeouts", "rule.0.port"}).Draw(t, "name")
		d := driver.Diagnostic{Error: true, Summary: rapid.SampledFrom([]string{
			"expected NAME to be one of [1 2]", `Attribute NAME must be between 3 and 7, got: 1`, `"NAME": conflicts with name`, "boom",
			`Attribute NAME list must contain at least 2 elements and at most 3 elements, got: 1`, `NAME string length must be at most 3`,
			`"NAME": one of ` + "`NAME,port`" + ` must be specified`, "Missing required argument NAME", "NAME is not supported",
			`value must match regular expression '^[0-9]{2,4}$'`, "not a valid CIDR", "Too many list items: Attribute NAME supports 0 item maximum",
		}).Draw(t, "message")}
		if rapid.Bool().Draw(t, "path") {
			d.Path = cty.GetAttrPath(name)
		}
		return d
	}), 0, 3)
}

// TestConfigurationsAreValid checks that each configuration conforms to the schema's implied type,
// that Terraform would send it, and that the search ends.
func TestConfigurationsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		block := anyBlock(2).Draw(t, "schema")
		schema, err := objchange.Compile(block)
		if err != nil {
			t.Skip(err)
		}
		k := newTestKnowledge(block)
		check := func(what string, config cty.Value) {
			t.Helper()
			if found := objchange.AssertConfigValid(schema, config); len(found) > 0 {
				t.Fatalf("%s: %v\n%#v", what, found, config)
			}
		}
		for _, first := range []func() cty.Value{k.Minimal, k.Full} {
			config := first()
			check("first", config)
			for i := 0; ; i++ {
				if i > maxTries {
					t.Fatal("learn does not end")
				}
				next, ok := k.Learn(config, anyDiagnostics(block).Draw(t, "diagnostics"))
				if !ok {
					break
				}
				check("learn", next)
				config = next
			}
			k.Accepted(config)
			n := 0
			for v := range k.Variations(config) {
				check(v.About, v.Config)
				k.Accepted(v.Config)
				if n++; n > 60 {
					break
				}
			}
			for v := range k.Unknowns(config) {
				check(v.About, v.Config)
				for _, then := range v.Then {
					check(v.About+", then", then)
				}
				if n++; n > 90 {
					break
				}
			}
			for range 10 {
				check("random", k.Random([]cty.Value{config, k.Minimal()}))
			}
		}
	})
}
