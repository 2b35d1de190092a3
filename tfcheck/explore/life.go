package explore

import (
	"cmp"
	"context"
	"errors"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// A life is an object that a session creates, changes and destroys. It exists until the session
// ends, even if the provider's process ends.
type life struct {
	session  *session
	typeName string
	instance *driver.Instance
	driver   *driver.Driver  // of the instance
	done     []scenario.Step // steps that may have changed the object
	refused  string          // the reason why an origin was not created

	object     *object   // nil if none was created, or it was destroyed
	readAsGone []*object // objects that a read reported as gone, but that were not destroyed
	lost       bool      // the latest step created an object that was not returned
}

// An object is an object that the provider created and did not destroy, even if a read reports that
// it is gone.
type object struct {
	typeName string
	latest   driver.Instance // after the latest ApplyResourceChange
}

// begin returns a life without an object.
func (s *session) begin(ctx context.Context, typeName string) (*life, error) {
	l := &life{session: s, typeName: typeName}
	return l, l.attach(ctx)
}

// attach connects the life to the provider's current process.
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

// errNoID is returned for an object that cannot be imported.
var errNoID = errors.New("the object cannot be imported, because it has no ID and no identity")

// take takes a step. It returns an error if the provider cannot be started, if the ledger cannot be
// written, or if the context ended.
func (l *life) take(ctx context.Context, st scenario.Step) (o outcome, err error) {
	if err := l.attach(ctx); err != nil {
		return o, err
	}
	s := l.session
	l.ready()
	run, err := l.run(ctx, st)
	if run != nil {
		o.add(run.Findings)
		o.planned, o.action = run.Lifecycle.InitialPlanned, run.Action
	}
	s.classify(&o, err)
	if s.guard.applies > 0 {
		st.Fails = len(o.diags) > 0
		l.done = append(l.done, st)
	}
	if l.lost {
		o.leaves = true
		s.ledger.lose(l.typeName, cmp.Or(o.noResponseReason(), "the provider did not return it"))
	}
	return o, cmp.Or(s.ledger.failed(), ctx.Err())
}

// ready resets the guard before a step.
func (l *life) ready() {
	g := l.session.guard
	g.panicked, g.timedOut, g.applies, g.latest = "", false, 0, change{}
	l.lost, l.session.living = false, l
}

// applied immediately records the effect of a request to apply.
func (l *life) applied(i *driver.Instance) {
	now, exists := l.session.guard.latest, !i.State().IsNull()
	if now.creates {
		if l.object != nil {
			l.readAsGone = append(l.readAsGone, l.object)
		}
		if l.object = nil; !exists {
			l.lost = !now.refused
			return
		}
		l.object = &object{typeName: l.typeName}
	}
	switch {
	case l.object == nil: // the object was lost
	case exists:
		l.object.latest = *i
		l.session.ledger.keep(l.object, unfinished)
	case now.destroys:
		l.session.ledger.drop(l.object)
		l.object = nil
	}
}

// unfinished is the reason for an object that was not destroyed because the exploration ended.
const unfinished = "the exploration ended before the destroy"

func (l *life) run(ctx context.Context, st scenario.Step) (*driver.Run, error) {
	config, initially := cmp.Or(st.Then, st.Config), driver.Initially(st.Config)
	switch st.Does {
	case scenario.Applies:
		return l.instance.Apply(ctx, config, initially)
	case scenario.Replaces:
		return l.instance.Replace(ctx, config, initially)
	case scenario.Destroys:
		return l.instance.Destroy(context.WithoutCancel(ctx))
	}
	if !l.importable(st.Does) {
		return nil, errNoID
	}
	imported, err := l.driver.Resource(l.typeName)
	if err != nil {
		return nil, err
	}
	if st.Does == scenario.Identifies {
		return imported.ImportIdentity(ctx, l.instance.Identity())
	}
	return imported.Import(ctx, idOf(l.instance.State()))
}

// importable reports whether the object has an ID or an identity for the import.
func (l *life) importable(does scenario.Action) bool {
	if does == scenario.Identifies {
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

// end destroys the object and returns the outcome, even if the context has ended. An object that
// cannot be destroyed stays in the ledger.
func (l *life) end(ctx context.Context) (o outcome, err error) {
	ctx = context.WithoutCancel(ctx)
	if l.exists() {
		o, err = l.take(ctx, scenario.Step{Does: scenario.Destroys})
	}
	if l.exists() { // the provider may refuse the configuration
		l.remove(ctx, nil)
	}
	all := l.readAsGone
	if l.object != nil {
		all = append(all, l.object)
	}
	for _, left := range all { // a read may fail or report that the object is gone
		l.discard(ctx, left)
		o.stuck = o.stuck || l.object != nil
	}
	o.leaves = o.leaves || o.stuck
	l.readAsGone, l.object = nil, nil
	return o, err
}

// discard destroys an object without reading it first.
func (l *life) discard(ctx context.Context, of *object) {
	l.object, l.instance, l.driver = of, &of.latest, nil
	read := l.remove(ctx, driver.WithoutRefresh())
	if l.object != nil {
		l.session.ledger.keep(of, read)
	}
}

// remove destroys the object in the same way as if its configuration was removed. If the object
// still exists, it returns the reason.
func (l *life) remove(ctx context.Context, opt driver.RunOption) (why string) {
	if err := l.attach(ctx); err != nil {
		return err.Error()
	}
	l.ready()
	var o outcome
	_, err := l.instance.Remove(ctx, opt)
	l.session.classify(&o, err)
	return cmp.Or(reasonOf(o), "it still exists after the destroy")
}

// reasonOf returns the reason why a step failed, or "".
func reasonOf(o outcome) string {
	if len(o.diags) > 0 {
		return o.diags[0].String()
	}
	return o.noResponseReason()
}

// runLifecycle takes all steps of a scenario on a new object and destroys the object. It stops
// after a step that breaks a rule that Terraform enforces, or after which the provider does not
// respond.
func (s *session) runLifecycle(ctx context.Context, sc scenario.Scenario) (o outcome, err error) {
	l, err := s.begin(ctx, sc.TypeName)
	if err != nil {
		return o, err
	}
	all := sc.LifecycleSteps()
	if sc.Does == scenario.Destroys {
		all = sc.Before
	}
	defer l.end(ctx) // also after a panic
	var found []seen
	leaves := false
	for i, st := range all {
		if o, err = l.take(ctx, st); err != nil {
			break
		}
		found, o.step, leaves = append(found, o.at(i)...), i, leaves || o.leaves
		if o.stops() {
			break
		}
	}
	whole := o.step == len(all)-1
	end, failed := l.end(ctx)
	o.leaves, o.stuck = leaves || end.leaves, end.stuck
	if whole && o.noResponseReason() == "" && end.noResponseReason() != "" {
		o.crash, o.hung, o.unsent, o.step = end.crash, end.hung, end.unsent, len(all)
	}
	if o.found = found; whole {
		o.found = append(found, end.at(len(all))...)
	}
	return o, cmp.Or(err, failed)
}

// A seen is a finding with the number of its step.
type seen struct {
	tfcheck.Finding
	step int
}

// add adds findings, except findings about requests.
func (o *outcome) add(found []tfcheck.Finding) {
	for _, f := range found {
		if f.Side != tfcheck.SideRequest {
			o.found = append(o.found, seen{Finding: f})
		}
	}
}

// at sets the step of the findings and returns the findings.
func (o outcome) at(step int) []seen {
	for i := range o.found {
		o.found[i].step = step
	}
	return o.found
}

// stops reports whether Terraform stops after the step for another reason than an error of the
// provider.
func (o outcome) stops() bool {
	for _, f := range o.found {
		if f.Severity == tfcheck.Rejected && len(f.Violations.Enforced()) > 0 {
			return true
		}
	}
	return o.noResponseReason() != ""
}

// actionOf returns the action of a successful step, such as "create". It returns "" if the step
// failed or changed nothing.
func actionOf(st scenario.Step, o outcome) scenario.Action {
	switch {
	case !o.accepted() || o.stops():
		return ""
	case st.Does != scenario.Applies && st.Does != scenario.Replaces:
		return st.Does
	case o.action == objchange.ActionNoOp:
		return ""
	}
	return scenario.Action(o.action)
}
