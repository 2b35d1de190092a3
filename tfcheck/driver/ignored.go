package driver

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// IgnoreChanges ignores configuration changes at the paths, like ignore_changes in a
// configuration: the prior values are kept. The paths have the form that
// [objchange.IgnoreChanges] accepts. They must begin with an attribute or block type of the
// schema. Nothing is ignored if the object is created or replaced.
func IgnoreChanges(paths ...cty.Path) RunOption {
	return func(o *runOptions) { o.ignored.paths = append(o.ignored.paths, paths...) }
}

// IgnoreAllChanges ignores all configuration changes, like ignore_changes = all.
func IgnoreAllChanges() RunOption {
	return func(o *runOptions) { o.ignored.all = true }
}

// ignoreOptions lists the changes that the user ignores.
type ignoreOptions struct {
	all   bool
	paths []cty.Path
}

// check returns an error if a path does not begin with an attribute or block type of the schema.
func (i ignoreOptions) check(schema *catalog.Schema) error {
	for _, path := range i.paths {
		first := cty.GetAttrStep{}
		if len(path) > 0 {
			first, _ = path[0].(cty.GetAttrStep)
		}
		if len(path) > 0 && !schema.Type.HasAttribute(first.Name) {
			return fmt.Errorf("cannot ignore changes at %s: the schema has no such path", schema.Compiled.PathString(path))
		}
	}
	return nil
}

// inConfig returns the configuration without the ignored changes.
func (i ignoreOptions) inConfig(schema *objchange.Schema, prior, config cty.Value) (cty.Value, error) {
	if i.all && !prior.IsNull() && !config.IsNull() {
		return objchange.IgnoreAllChanges(schema, prior)
	}
	return i.inAny(schema, prior, config)
}

// inPlan returns the plan of the legacy SDK without the ignored changes. The plan may contain
// changes that were not proposed.
func (i ignoreOptions) inPlan(schema *objchange.Schema, prior, planned cty.Value) (cty.Value, error) {
	if i.all && !prior.IsNull() && !planned.IsNull() {
		return prior, nil
	}
	return i.inAny(schema, prior, planned)
}

func (i ignoreOptions) inAny(schema *objchange.Schema, prior, changed cty.Value) (cty.Value, error) {
	if len(i.paths) == 0 || prior.IsNull() || changed.IsNull() {
		return changed, nil
	}
	return objchange.IgnoreChanges(schema, prior, changed, i.paths)
}
