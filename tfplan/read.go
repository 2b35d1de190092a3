package tfplan

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/jsonpos"
)

// read reads a change with its values.
func (chk *checker) read(p *place) (*Change, error) {
	o, err := newObject(p.parts)
	if err != nil {
		return nil, err
	}
	rc := o.change
	c := &Change{
		Address: p.address, Deposed: p.deposed, PreviousAddress: rc.PreviousAddress, Place: p.where(),
		Mode: rc.Mode, Type: rc.Type, Provider: rc.ProviderName,
		Actions: rc.Change.Actions, ActionReason: rc.ActionReason, Imported: rc.Change.Importing != nil,
	}
	c.Err = c.fill(chk, o)
	return c, nil
}

// fill sets the fields that depend on the schema.
func (c *Change) fill(chk *checker, o *object) error {
	schema, err := chk.schemaOf(o, c.Mode, c.Provider, c.Type)
	if err != nil {
		return err
	}
	before, wrong := objectData{jsonpos.Data(o.change.Change.Before), nil, o.sensitive}.value(schema)
	after, wrongAfter := objectData{jsonpos.Data(o.change.Change.After), o.change.Change.AfterUnknown, o.sensitive}.value(schema)
	if wrong = append(wrong, wrongAfter...); len(wrong) > 0 {
		return &ValueError{wrong}
	}
	var paths []cty.Path
	for i, steps := range o.change.Change.ReplacePaths {
		path, ok := pathOf(schema.ImpliedType(), steps)
		if !ok {
			return fmt.Errorf("replace_paths[%d] does not exist in the schema", i)
		}
		paths = append(paths, path)
	}
	if at := chk.configurations[withoutKeys(c.Address)]; at != nil && c.Deposed == "" && !after.IsNull() && !c.Actions.Forget() {
		r, err := chk.configured(at)
		if err != nil {
			return err
		}
		c.Config, c.Configuration = configOfObject(o, r, schema, after)
	}
	c.Schema, c.Before, c.After, c.ReplacePaths = schema, before, after, paths
	return nil
}
