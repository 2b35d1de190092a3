package session

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// A Life is an object that a session creates, changes and destroys. It exists until the session
// ends, even if the provider's process ends.
type Life struct {
	session  *Session
	typeName string
	instance *driver.Instance
	driver   *driver.Driver  // of the instance
	Done     []scenario.Step // steps that may have changed the object

	// The object after the latest ApplyResourceChange. It is nil if none was created, or it was
	// destroyed. It exists even if a read reports that it is gone.
	object     *driver.Instance
	readAsGone []*driver.Instance // objects that a read reported as gone, but that were not destroyed
	lost       bool               // the latest step created an object that was not returned
}

// Begin returns a life without an object.
func (s *Session) Begin(ctx context.Context, typeName string) (*Life, error) {
	l := &Life{session: s, typeName: typeName}
	return l, l.attach(ctx)
}

// attach connects the life to the provider's current process.
func (l *Life) attach(ctx context.Context) (err error) {
	if err = l.session.Start(ctx); err != nil {
		return err
	}
	switch {
	case l.driver == l.session.driver:
		return nil
	case l.instance == nil:
		l.instance, err = l.session.driver.Resource(l.typeName)
	default:
		l.instance, err = l.session.driver.Continue(l.instance)
	}
	if err == nil {
		l.driver = l.session.driver
	}
	return err
}

// Exists reports whether there is an object.
func (l *Life) Exists() bool { return !l.State().IsNull() }

// State returns the state of the object. It is null if there is no object.
func (l *Life) State() cty.Value { return l.instance.State() }

// errNoID is returned for an object that cannot be imported.
var errNoID = errors.New("the object cannot be imported, because it has no ID and no identity")

// Take takes a step. It returns an error if the provider cannot be started, if the ledger cannot be
// written, or if the context ended.
func (l *Life) Take(ctx context.Context, st scenario.Step) (o Outcome, err error) {
	if err := l.attach(ctx); err != nil {
		return o, err
	}
	s := l.session
	l.ready()
	run, err := l.run(ctx, st)
	if run != nil {
		o.add(run.Findings)
		o.action = run.Action
	}
	s.classify(&o, err)
	if s.Changed() {
		st.Fails = len(o.Diags) > 0
		l.Done = append(l.Done, st)
	}
	if l.lost {
		o.Leaves = true
		s.Ledger.lose(l.typeName, cmp.Or(o.NoResponseReason(), "the provider did not return it"))
	}
	return o, cmp.Or(s.Ledger.Failed(), ctx.Err())
}

// Changed reports whether the last step may have changed an object.
func (s *Session) Changed() bool { return s.guard.applies > 0 }

// ready resets the guard before a step.
func (l *Life) ready() {
	g := l.session.guard
	g.applies, g.latest = 0, change{}
	l.lost, l.session.living = false, l
}

// applied immediately records the effect of a request to apply.
func (l *Life) applied(i *driver.Instance) {
	now, exists := l.session.guard.latest, !i.State().IsNull()
	if now.creates {
		if l.object != nil {
			l.readAsGone = append(l.readAsGone, l.object)
		}
		l.object = nil
		if !exists {
			l.lost = !now.refused
			return
		}
		l.object = new(driver.Instance)
	}
	switch {
	case l.object == nil: // the object was lost
	case exists:
		*l.object = *i
		l.session.Ledger.keep(l.typeName, l.object, unfinished)
	case now.destroys:
		l.session.Ledger.drop(l.object)
		l.object = nil
	}
}

// unfinished is the reason for an object that was not destroyed because the exploration ended.
const unfinished = "the exploration ended before the destroy"

func (l *Life) run(ctx context.Context, st scenario.Step) (*driver.Run, error) {
	config, initially := cmp.Or(st.Then, st.Config), driver.Initially(st.Config)
	switch st.Does {
	case scenario.Plans:
		if st.Then == cty.NilVal {
			return l.instance.Plan(ctx, config)
		}
		return l.instance.Replan(ctx, config, initially)
	case scenario.Applies:
		return l.instance.Apply(ctx, config, initially)
	case scenario.Replaces:
		return l.instance.Replace(ctx, config, initially)
	case scenario.Destroys:
		return l.instance.Destroy(context.WithoutCancel(ctx))
	}
	if !l.Importable(st.Does) {
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

// Importable reports whether the object has an ID or an identity for the import.
func (l *Life) Importable(does scenario.Action) bool {
	if does == scenario.Identifies {
		return l.Exists() && l.instance.Identity() != cty.NilVal
	}
	return l.Exists() && idOf(l.instance.State()) != ""
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

// End destroys the object and returns the outcome, even if the context has ended. An object that
// cannot be destroyed stays in the ledger.
func (l *Life) End(ctx context.Context) (o Outcome, err error) {
	ctx = context.WithoutCancel(ctx)
	if l.Exists() {
		o, err = l.Take(ctx, scenario.Step{Does: scenario.Destroys})
	}
	all := l.readAsGone
	if l.object != nil {
		all = append(all, l.object)
	}
	for _, left := range all { // a read may have failed or reported that the object is gone
		l.remove(ctx, left)
		o.Stuck = o.Stuck || l.object != nil
	}
	o.Leaves = o.Leaves || o.Stuck
	l.readAsGone, l.object = nil, nil
	return o, err
}

// remove destroys an object in the same way as if its configuration was removed, because the
// provider may refuse the configuration. It does not read the object first.
func (l *Life) remove(ctx context.Context, of *driver.Instance) {
	latest, o := *of, Outcome{}
	l.object, l.instance, l.driver = of, &latest, nil
	if err := l.attach(ctx); err != nil {
		o.unsent = err
	} else {
		l.ready()
		_, err = l.instance.Remove(ctx, driver.WithoutRefresh())
		l.session.classify(&o, err)
	}
	if l.object != nil {
		l.session.Ledger.keep(l.typeName, of, cmp.Or(ReasonOf(o), "it still exists after the destroy"))
	}
}

// ReasonOf returns the reason why a step failed, or "".
func ReasonOf(o Outcome) string {
	if len(o.Diags) > 0 {
		return o.Diags[0].String()
	}
	return o.NoResponseReason()
}

// runLifecycle takes all steps of a scenario on a new object and destroys the object. It stops
// after a step that breaks a rule that Terraform enforces, or after which the provider does not
// respond.
func (s *Session) runLifecycle(ctx context.Context, sc scenario.Scenario) (o Outcome, err error) {
	l, err := s.Begin(ctx, sc.TypeName)
	if err != nil {
		return o, err
	}
	all := sc.Steps
	if sc.Last().Does == scenario.Destroys {
		all = all[:len(all)-1]
	}
	defer l.End(ctx) // also after a panic
	var found []stepFinding
	leaves := false
	for i, st := range all {
		if o, err = l.Take(ctx, st); err != nil {
			break
		}
		o = o.At(i)
		found, leaves = append(found, o.Found...), leaves || o.Leaves
		if o.Stops() {
			break
		}
	}
	whole := o.Step == len(all)-1
	end, failed := l.End(ctx)
	o.Leaves, o.Stuck = leaves || end.Leaves, end.Stuck
	if whole && o.NoResponseReason() == "" && end.NoResponseReason() != "" {
		o.Crash, o.Hung, o.unsent, o.Step = end.Crash, end.Hung, end.unsent, len(all)
	}
	o.Found = found
	if whole {
		o.Found = append(found, end.At(len(all)).Found...)
	}
	return o, cmp.Or(err, failed)
}

// A stepFinding is a finding with the number of its step.
type stepFinding struct {
	Finding tfcheck.Finding
	Step    int
}

// add adds findings, except findings about requests.
func (o *Outcome) add(found []tfcheck.Finding) {
	for _, f := range found {
		if f.Side != tfcheck.SideRequest {
			o.Found = append(o.Found, stepFinding{f, 0})
		}
	}
}

// At returns the outcome of the step with the number.
func (o Outcome) At(step int) Outcome {
	for i := range o.Found {
		o.Found[i].Step = step
	}
	o.Step = step
	return o
}

// Stops reports whether Terraform stops after the step for another reason than an error of the
// provider.
func (o Outcome) Stops() bool {
	rejected := func(f stepFinding) bool { return f.Finding.Severity == objchange.Rejected }
	return slices.ContainsFunc(o.Found, rejected) || o.NoResponseReason() != ""
}

// ActionOf returns the action of a successful step, such as "create". It returns "" if the step
// failed or changed nothing.
func ActionOf(st scenario.Step, o Outcome) scenario.Action {
	switch {
	case !o.Accepted() || o.Stops():
		return ""
	case st.Does != scenario.Applies && st.Does != scenario.Replaces:
		return st.Does
	case o.action == objchange.ActionNoOp:
		return ""
	}
	return scenario.Action(o.action)
}
