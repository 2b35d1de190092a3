package search

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/driver"
)

func newTestKnowledge(schema *configschema.Block) *Knowledge {
	return New(Compiled(schema), nil, rand.New(rand.NewPCG(1, 2)))
}

// anyBlock generates a schema that Terraform accepts.
func anyBlock() *rapid.Generator[*configschema.Block] {
	return rapid.Custom(func(t *rapid.T) *configschema.Block {
		d := generate.Decider(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") })
		b := d.Schema(generate.Scope{Depth: 2})
		b.Attributes = d.Attributes(generate.Scope{Depth: 1}, "name", "port", "cidr", "enabled", "tags", "id")
		requireOne(b.BlockTypes)
		return b
	})
}

// requireOne requires at most one block of a set, because blocks without arguments cannot differ.
func requireOne(types map[string]*configschema.NestedBlock) {
	for _, nb := range types {
		if nb.Nesting.Coalesces() {
			nb.MinItems = min(nb.MinItems, 1)
		}
		requireOne(nb.BlockTypes)
	}
}

// anyDiagnostics generates diagnostics with names and paths of schemas.
var anyDiagnostics = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) driver.Diagnostic {
	name := rapid.SampledFrom([]string{"name", "port", "cidr", "enabled", "tags", "id", "p", "q", "p.0.a"}).Draw(t, "name")
	message := rapid.SampledFrom([]string{
		"expected NAME to be one of [1 2]", `Attribute NAME must be between 3 and 7, got: 1`, `"NAME": conflicts with name`, "boom",
		`Attribute NAME list must contain at least 2 elements and at most 3 elements, got: 1`, `NAME string length must be at most 3`,
		`"NAME": one of ` + "`NAME,port`" + ` must be specified`, "Missing required argument NAME", "NAME is not supported",
		`value must match regular expression '^[0-9]{2,4}$'`, "not a valid CIDR", "Too many list items: Attribute NAME supports 0 item maximum",
	}).Draw(t, "message")
	d := driver.Diagnostic{Error: true, Summary: strings.ReplaceAll(message, "NAME", name)}
	if rapid.Bool().Draw(t, "path") {
		d.Path = cty.GetAttrPath(name)
	}
	return d
}), 0, 3)

// TestConfigurationsAreValid checks that each configuration conforms to the schema's implied type,
// that Terraform would send it, and that the search ends.
func TestConfigurationsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		block := anyBlock().Draw(t, "schema")
		schema, err := objchange.Compile(block)
		if err != nil {
			t.Skip(err)
		}
		k := New(schema, nil, rand.New(rand.NewPCG(1, 2)))
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
				next, ok := k.Learn(config, anyDiagnostics.Draw(t, "diagnostics"))
				if !ok {
					break
				}
				check("learn", next)
				config = next
			}
			k.Accepted(config)
			n := 0
			for v := range k.Variations(config) {
				check("variation", v.Config)
				k.Accepted(v.Config)
				if n++; n > 25 {
					break
				}
			}
			for v := range k.Unknowns(config) {
				check("unknown", v.Config)
				for _, then := range v.Then {
					check("then", then)
				}
				if n++; n > 40 {
					break
				}
			}
			for range 10 {
				check("random", k.Random([]cty.Value{config, k.Minimal()}))
			}
		}
	})
}
