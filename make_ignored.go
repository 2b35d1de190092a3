package objchange

import (
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// IgnoreChanges returns the configuration with the prior value at each of the
// paths, as Terraform does for ignore_changes
// (docs/semantics.md#ignored-changes). A path that does not apply to both values
// is passed over. One that ends in a string index names one key of a map: that
// key takes the prior element, or is removed if there is none; a null map counts
// as empty, and stays null if nothing was added; an unknown one is left alone.
// What is indexed by a string and is not a map takes the prior value as a whole,
// and so does the root for an empty path.
//
// Both values must conform to the schema, and the prior one not be unknown as a
// whole; null, or the zero cty.Value, gives the configuration as it is. Each
// value keeps its marks, one taken from the prior value also those of the prior
// containers around it. The error is an [*InputError].
func IgnoreChanges(schema *Schema, prior, config cty.Value, ways []cty.Path) (ignored cty.Value, err error) {
	defer rescueValue(&ignored, &err)
	var w walk
	args := [...]argument{{name: "prior", value: prior, known: true, maybe: true}, {name: "config", value: config}}
	if _, ok := w.admit(schema, args[:]); !ok || len(w.found) > 0 {
		return cty.NilVal, w.err()
	}
	p, c := values.WithMarksOf(args[0].value, prior), values.WithMarksOf(args[1].value, config)
	if p.IsNull() {
		return c, nil
	}
	root := &edit{value: c}
	for _, path := range ways {
		if !root.replace(p, paths.Steps(path)) {
			w.violationAt(schema, path, RuleTypeMismatch, "the prior value does not fit into the collection that the configuration has")
		}
	}
	if err := w.err(); err != nil {
		return cty.NilVal, err
	}
	ignored, _ = root.result()
	return ignored, nil
}

// IgnoreAllChanges returns the configuration that changes nothing, as Terraform
// makes it for ignore_changes = all (docs/semantics.md#ignored-changes): the
// prior value with each computed-only attribute null, at every depth.
//
// The prior value must conform to the schema; null and unknown stay what they
// are, the zero cty.Value means null, and marks stay where they are. The error
// is an [*InputError].
func IgnoreAllChanges(schema *Schema, prior cty.Value) (ignored cty.Value, err error) {
	defer rescueValue(&ignored, &err)
	w := rewriter{
		attribute: func(a *configschema.Attribute, v cty.Value) (cty.Value, bool) {
			if isComputedOnly(a) && !v.IsNull() {
				return cty.NullVal(v.Type()), true
			}
			return v, false
		},
		blocks: func(_ *configschema.NestedBlock, v cty.Value) (cty.Value, bool) { return v, false },
		maybe:  true,
	}
	return w.rewrite(schema, "prior", prior)
}
