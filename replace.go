package objchange

import (
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// RequiredReplace returns those of the provider's requires_replace paths that
// require replacement (docs/semantics.md#required-replacement): where prior and
// planned value differ, an unknown value differing from all and something from
// what is not there, or that name a write-only attribute, whose changes nobody
// sees. They come in the given order, each once. A prior value that is null, or
// the zero cty.Value, requires nothing.
//
// Both values must conform to the schema, and the prior one not be unknown as a
// whole; marks do not count. As in Terraform, a path may write the key of a map
// as an attribute, that of an object as an index, and a position as text. A
// path that leads to nothing in both values, or by a string into a set, is a
// violation, [RuleReplacePath], enforced; other violations are
// [RuleInvalidInput] and [RuleTypeMismatch].
func RequiredReplace(schema *Schema, prior, planned cty.Value, ways []cty.Path) (required []cty.Path, found Violations) {
	defer rescue(&found)
	var w walk
	args := [...]argument{{name: "prior", value: prior, known: true, maybe: true}, {name: "planned", value: planned}}
	if _, ok := w.admit(schema, args[:]); !ok || len(w.found) > 0 {
		return nil, w.found.sorted()
	}
	if args[0].value.IsNull() {
		return nil, nil
	}
	inPrior, inPlanned, named := paths.Follow(args[0].value), paths.Follow(args[1].value), paths.Set{}
	for _, path := range ways {
		way := paths.Steps(path)
		before, after := inPrior.Along(way), inPlanned.Along(way)
		attr := schema.block.AttributeByPath(path)
		switch {
		case before == nil && after == nil:
			w.violationAt(schema, path, RuleReplacePath, "the provider says that a change here requires replacement, but there is nothing here")
			continue
		case attr != nil && attr.WriteOnly:
		case before != nil && after != nil && sameForReplace(before.Value, after.Value):
			continue
		}
		if named.Add(path) {
			required = append(required, path)
		}
	}
	return required, w.found.sorted()
}

// sameForReplace reports whether what is in both values requires nothing: nulls of
// any type, and what is equal and wholly known.
func sameForReplace(before, after cty.Value) bool {
	return before.IsNull() && after.IsNull() || after.IsWhollyKnown() && values.Equal(before, after, values.Content)
}
