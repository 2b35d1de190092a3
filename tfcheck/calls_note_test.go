package tfcheck_test

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfconv"
)

// note has the fake write down what of its requests tells how Core would ask.
func (f *fake) note() *[]string {
	var notes []string
	say := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	plan, apply, creates := f.plan, f.apply, 0
	f.plan = func(q planReq, r planResp) {
		edit(plan, q, r)
		prior, config := "something", decoded(q.Config)
		if decoded(q.PriorState).IsNull() {
			prior = "null"
		}
		say("plan: prior %s, private %s, %s", prior, shown(q.PriorPrivate), identityOf(q.PriorIdentity))
		if !config.IsNull() {
			say("prior %s, config name=%s, size=%s", prior, plain(config, "name"), plain(config, "size"))
		}
	}
	f.apply = func(q applyReq, r applyResp) {
		edit(apply, q, r)
		does := "change"
		if decoded(q.PlannedState).IsNull() {
			does = "destroy"
		} else if decoded(q.PriorState).IsNull() {
			does = "create"
			creates++
		}
		say("apply: %s, private %s, %s", does, shown(q.PlannedPrivate), identityOf(q.PlannedIdentity))
		say("creates: %d", creates)
	}
	return &notes
}

func shown(private []byte) string {
	if len(private) == 0 {
		return "none"
	}
	return string(private)
}

func identityOf(data *tfprotov6.ResourceIdentityData) string {
	if data == nil {
		return "no identity"
	}
	id := must(tfconv.Decode6(data.IdentityData, cty.Object(map[string]cty.Type{"id": cty.String}))).GetAttr("id")
	if !id.IsKnown() {
		return "an unknown identity"
	}
	return "identity " + id.AsString()
}

// plain writes an attribute of a thing.
func plain(thing cty.Value, name string) string {
	switch v := thing.GetAttr(name); {
	case !v.IsKnown():
		return "unknown"
	case v.IsNull():
		return "null"
	case v.Type() == cty.Number:
		return v.AsBigFloat().String()
	default:
		return v.AsString()
	}
}

// kept tells what a thing is in the end.
func kept(thing *driver.Instance) string {
	if thing.State().IsNull() {
		return "nothing kept"
	}
	said := "kept name=" + plain(thing.State(), "name") + ", size=" + plain(thing.State(), "size")
	if thing.Tainted() {
		said += ", tainted"
	}
	if thing.Identity() == cty.NilVal {
		said += ", no identity"
	}
	return said
}
