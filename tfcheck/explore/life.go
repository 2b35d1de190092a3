package explore

import (
	"cmp"
	"context"
	"errors"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// A life is an object that a session creates, changes and destroys. It outlives the process of
// the provider, but not the session.
type life struct {
	session  *session
	typeName string
	instance *driver.Instance
	driver   *driver.Driver // of the instance
	done     []step         // that may have changed the object
}

// begin returns a life without an object.
func (s *session) begin(ctx context.Context, typeName string) (*life, error) {
	l := &life{session: s, typeName: typeName}
	return l, l.attach(ctx)
}

// attach makes the life one of the provider's current process.
func (l *life) attach(ctx context.Context) (err error) {
	if err = l.session.start(ctx); err != nil || l.driver == l.session.driver {
		return err
	}
	if l.instance == nil {
		l.instance, err = l.session.driver.Resource(l.typeName)
	} else {
		l.instance, err = l.session.driver.Continue(l.instance)
	}
	if err == nil {
		l.driver = l.session.driver
	}
	return err
}

// exists reports whether there is an object.
func (l *life) exists() bool { return !l.instance.State().IsNull() }

// errNoID says that the object cannot be imported.
var errNoID = errors.New("the object has no ID or identity to import it by")

// take takes a step. The error says that the provider cannot be started, or that the context
// ended.
func (l *life) take(ctx context.Context, st step) (o outcome, err error) {
	if err := l.attach(ctx); err != nil {
		return o, err
	}
	s, existed := l.session, l.exists()
	s.guard.panicked, s.guard.late, s.guard.applies = "", false, 0
	run, err := l.run(ctx, st)
	if run != nil {
		o.add(run.Findings)
		o.planned, o.action = run.Lifecycle.InitialPlanned, run.Action
	}
	s.sort(&o, err)
	if s.guard.applies > 0 {
		st.fails = len(o.diags) > 0
		l.done = append(l.done, st)
		if !existed && !l.exists() && o.silence() != "" {
			s.ledger.lose(l.typeName, "the provider did not return what it created: "+o.silence())
		}
		s.ledger.set(l, unfinished)
	}
	return o, ctx.Err()
}

// unfinished is why an object still exists if nothing has tried to destroy it.
const unfinished = "the exploration ended before"

func (l *life) run(ctx context.Context, st step) (*driver.Run, error) {
	config, initially := cmp.Or(st.then, st.config), driver.Initially(st.config)
	switch st.does {
	case applies:
		return l.instance.Apply(ctx, config, initially)
	case replaces:
		return l.instance.Replace(ctx, config, initially)
	case destroys:
		return l.instance.Destroy(context.WithoutCancel(ctx))
	}
	if !l.importable(st.does) {
		return nil, errNoID
	}
	imported, err := l.driver.Resource(l.typeName)
	if err != nil {
		return nil, err
	}
	if st.does == identifies {
		return imported.ImportIdentity(ctx, l.instance.Identity())
	}
	return imported.Import(ctx, idOf(l.instance.State()))
}

// importable reports whether the object has what it takes to import it.
func (l *life) importable(does action) bool {
	if does == identifies {
		return l.exists() && l.instance.Identity() != cty.NilVal
	}
	return l.exists() && idOf(l.instance.State()) != ""
}

// idOf returns the ID of an object, or "".
func idOf(state cty.Value) string {
	if !state.Type().HasAttribute("id") {
		return ""
	}
	if id := state.GetAttr("id"); id.Type() == cty.String && id.IsKnown() && !id.IsNull() {
		return id.AsString()
	}
	return ""
}

// end destroys the object, and returns what came of it. What cannot be destroyed stays in the
// ledger. It does so, too, if the context has ended.
func (l *life) end(ctx context.Context) (o outcome, err error) {
	ctx = context.WithoutCancel(ctx)
	if !l.exists() {
		return o, nil
	}
	o, err = l.take(ctx, step{does: destroys})
	last, failed := o, err
	for _, opt := range []driver.RunOption{nil, driver.WithoutRefresh()} { // the configuration may be refused, or reading
		if l.exists() {
			last, failed = l.remove(ctx, opt)
		}
	}
	why := "it still exists after it was destroyed"
	if failed != nil {
		why = failed.Error()
	}
	l.session.ledger.set(l, cmp.Or(reasonOf(last), why))
	return o, err
}

// remove destroys the object as one whose configuration was removed.
func (l *life) remove(ctx context.Context, opt driver.RunOption) (o outcome, err error) {
	if err := l.attach(ctx); err != nil {
		return o, err
	}
	l.session.guard.panicked, l.session.guard.late = "", false
	_, err = l.instance.Remove(ctx, opt)
	l.session.sort(&o, err)
	return o, nil
}

// reasonOf returns why a step failed, or "".
func reasonOf(o outcome) string {
	if len(o.diags) > 0 {
		return o.diags[0].String()
	}
	return o.silence()
}

// live takes all steps of a scenario on a new object, and destroys it. It ends at the first step
// that breaks a rule that Terraform enforces, or after which the provider is gone.
func (s *session) live(ctx context.Context, sc scenario) (o outcome, err error) {
	l, err := s.begin(ctx, sc.typeName)
	if err != nil {
		return o, err
	}
	all := sc.life()
	if sc.does == destroys {
		all = sc.before
	}
	defer l.end(ctx) // also after a panic
	var found []seen
	for i, st := range all {
		if o, err = l.take(ctx, st); err != nil {
			break
		}
		found, o.step = append(found, o.at(i)...), i
		if o.stops() {
			break
		}
	}
	whole := o.step == len(all)-1
	end, failed := l.end(ctx)
	if whole && o.silence() == "" && end.silence() != "" {
		o.crash, o.hung, o.unsent, o.step = end.crash, end.hung, end.unsent, len(all)
	}
	if o.found = found; whole {
		o.found = append(found, end.at(len(all))...)
	}
	return o, cmp.Or(err, failed)
}

// A seen is a finding, and the number of the step in which it was found.
type seen struct {
	tfcheck.Finding
	step int
}

// add adds findings, without those about requests.
func (o *outcome) add(found []tfcheck.Finding) {
	for _, f := range found {
		if f.Side != tfcheck.SideRequest {
			o.found = append(o.found, seen{Finding: f})
		}
	}
}

// at returns what was found, in the step of that number.
func (o outcome) at(step int) []seen {
	for i := range o.found {
		o.found[i].step = step
	}
	return o.found
}

// stops reports whether Terraform stops there for more than an error of the provider.
func (o outcome) stops() bool {
	for _, f := range o.found {
		if f.Severity == tfcheck.Rejected && len(f.Violations.Enforced()) > 0 {
			return true
		}
	}
	return o.silence() != ""
}

// actionOf returns what a step has done, such as "create", or "" if it failed.
func actionOf(st step, o outcome) action {
	switch {
	case !o.accepted() || o.stops():
		return ""
	case st.does != applies && st.does != replaces:
		return st.does
	case o.action == objchange.ActionNoOp:
		return ""
	}
	return action(o.action)
}
