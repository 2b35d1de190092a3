package drive

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/show"
	"github.com/objchange/objchange/tfcheck/driver"
)

// show prints the changes of a step. An import changes nothing, so its result is compared with the
// object.
func (l *lifecycle) show(name string, before cty.Value, object *driver.Instance, run *driver.Run, failed bool) error {
	if l.out.Changes == nil {
		return nil
	}
	head, action, after := name, run.Action, object.State()
	imported, nothing := object != l.object, "no changes"
	if imported {
		before, nothing = l.object.State(), "the same as the object"
		head, action = name+", compared with the object", show.Differs
	}
	same := before.RawEquals(after) && (failed || action != objchange.ActionReplace)
	if failed && (same || imported) || imported && after.IsNull() {
		same, nothing = true, "failed"
	}
	if same {
		_, err := fmt.Fprintf(l.out.Changes, "%s: %s\n\n", l.out.Term.Bold(name), nothing)
		return err
	}
	if failed {
		head += ", before it failed"
	}
	if _, err := fmt.Fprintf(l.out.Changes, "%s\n", l.out.Term.Bold(head)+":"); err != nil {
		return err
	}
	err := show.Change(l.out.Changes, l.out.Term, show.Resource{
		Address: l.in.Type, Schema: object.Schema(), Before: before, After: after,
		Action: action, Replace: run.RequiresReplace,
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(l.out.Changes)
	return err
}
