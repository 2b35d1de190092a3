package driver

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// IgnoreChanges leaves what is configured at the paths as it was, as the user of a
// provider says with ignore_changes. A path is written as for
// [objchange.IgnoreChanges], and must begin with an attribute or block type of the
// schema. Where the object is created or replaced, nothing is ignored.
func IgnoreChanges(paths ...cty.Path) RunOption {
	return func(c *changing) { c.ignored.paths = append(c.ignored.paths, paths...) }
}

// IgnoreAllChanges leaves all as it was, as ignore_changes = all does.
func IgnoreAllChanges() RunOption {
	return func(c *changing) { c.ignored.all = true }
}

// ignored are the changes that the user ignores.
type ignored struct {
	all   bool
	paths []cty.Path
}

// check says which of the paths the schema has not.
func (i ignored) check(schema *catalog.Schema) error {
	for _, path := range i.paths {
		first := cty.GetAttrStep{}
		if len(path) > 0 {
			first, _ = path[0].(cty.GetAttrStep)
		}
		if len(path) > 0 && !schema.Type.HasAttribute(first.Name) {
			return fmt.Errorf("changes are to be ignored at %s, which the schema does not have", schema.Compiled.PathString(path))
		}
	}
	return nil
}

// inConfig returns the configuration without the changes that are ignored.
func (i ignored) inConfig(schema *objchange.Schema, prior, config cty.Value) (cty.Value, error) {
	if i.all && !prior.IsNull() && !config.IsNull() {
		return objchange.IgnoreAllChanges(schema, prior)
	}
	return i.inAny(schema, prior, config)
}

// inPlan returns what the legacy SDK planned without them: it may have planned
// what it was not asked to.
func (i ignored) inPlan(schema *objchange.Schema, prior, planned cty.Value) (cty.Value, error) {
	if i.all && !prior.IsNull() && !planned.IsNull() {
		return prior, nil
	}
	return i.inAny(schema, prior, planned)
}

func (i ignored) inAny(schema *objchange.Schema, prior, changed cty.Value) (cty.Value, error) {
	if len(i.paths) == 0 || prior.IsNull() || changed.IsNull() {
		return changed, nil
	}
	return objchange.IgnoreChanges(schema, prior, changed, i.paths)
}
