// Package audit checks plans and states as `terraform show -json` prints them: whether a
// plan agrees with itself and with the schemas, and whether apply did what it says. It
// reads one resource instance at a time.
package audit

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
)

// Run audits a plan, and the state after it was applied if there is one. The
// error says why one of them cannot be used; there is a report all the same if
// nothing in them can be checked.
func Run(planned Input, after *Input, schemas *configschema.ProviderSchemas) (*report.Report, error) {
	a := &auditor{
		index:   index{objects: map[key]*parts{}, configurations: map[string]*place{}, providers: map[string]string{}},
		schemas: schemas, known: map[*configschema.Schema]*compiledSchema{},
	}
	plan, err := planned.open()
	if err != nil {
		return nil, err
	}
	defer plan.close()
	if err := a.scanPlan(plan); err != nil {
		return nil, err
	}
	if after != nil {
		state, err := after.open()
		if err != nil {
			return nil, err
		}
		defer state.close()
		if err := a.scanState(state); err != nil {
			return nil, err
		}
		a.applied = true
	}
	all := &judging{notes: a.notes()}
	for _, tasks := range []func() []task{a.changeTasks, a.configurationTasks, a.otherTasks} {
		if err := all.do(tasks()); err != nil {
			return nil, err
		}
	}
	for i := range all.subjects {
		all.subjects[i].Group = planned.Name
	}
	r := &report.Report{Command: "audit", Subjects: all.subjects, Notes: all.notes}
	if len(all.subjects) > all.deferred && !all.judged {
		return r, wrong(planned.Name, errors.New("nothing could be checked: all of the resources were skipped"))
	}
	return r, nil
}

// An auditor checks one plan, and the state after it. Workers share it: only known changes
// while they run.
type auditor struct {
	index
	applied bool // there is a state after apply
	schemas *configschema.ProviderSchemas

	mu    sync.Mutex
	known map[*configschema.Schema]*compiledSchema
}

// notes says what is to be known of the plan as a whole.
func (a *auditor) notes() (notes []string) {
	if a.errored {
		notes = append(notes, "the plan is of a run that failed, so it is not complete")
	}
	if !a.applied {
		notes = append(notes, "without a state, what apply made of the plan was not checked")
	}
	for _, p := range a.lists[drift] {
		if p.address != "" {
			notes = append(notes, p.String()+": was changed by others than Terraform (resource_drift), which was not judged")
		}
	}
	return notes
}

// A judging collects what the checks of one or more objects report.
type judging struct {
	subjects []report.Subject
	notes    []string
	judged   bool // something was held against a schema
	deferred int  // how many objects are, of which there may be nothing to judge
}

// A task checks an object.
type task func(*judging) error

// do does the tasks on all processors, and adds what comes of them in their order.
// The error is the first in that order.
func (j *judging) do(tasks []task) error {
	done, errs := make([]judging, len(tasks)), make([]error, len(tasks))
	var workers sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, task := range tasks {
		free <- struct{}{}
		workers.Go(func() { errs[i] = task(&done[i]); <-free })
	}
	workers.Wait()
	j.subjects = slices.Grow(j.subjects, len(tasks))
	for i := range done {
		if errs[i] != nil {
			return errs[i]
		}
		j.subjects = append(j.subjects, done[i].subjects...)
		j.notes = append(j.notes, done[i].notes...)
		j.judged = j.judged || done[i].judged
		j.deferred += done[i].deferred
		done[i] = judging{} // its memory is free
	}
	return nil
}

// add adds what came of an object, with its place: with line and column if there is
// anything to look for.
func (j *judging) add(at *place, action, provider string, s report.Subject) {
	if s.Status == "" {
		s.Status = report.Judged
	}
	s.Address, s.Action, s.Provider = at.String(), action, provider
	s.Place = report.Place{File: at.name, Pointer: at.pointer()}
	if len(s.Findings) > 0 || s.Status != report.Judged {
		s.Place.Line, s.Place.Column = at.Line, at.Column
	}
	j.subjects = append(j.subjects, s)
}

// changeTasks check the changes of the plan, and then those that it defers. The first
// instance of a resource is checked with the configuration.
func (a *auditor) changeTasks() (tasks []task) {
	taken := map[string]bool{}
	for _, p := range a.lists[changes] {
		p.told = true
		address := withoutKeys(p.address)
		configuration := a.configurations[address]
		if taken[address] {
			configuration = nil
		}
		taken[address] = true
		tasks = append(tasks, a.task(p, func(j *judging, o *object) error { return j.change(a, o, configuration) }))
	}
	for _, p := range a.lists[deferred] {
		if p.address != "" {
			p.told = true
			tasks = append(tasks, a.task(p, func(j *judging, o *object) error { return j.deferral(a, o, p) }))
		}
	}
	return tasks
}

// task checks the object that is at a place.
func (a *auditor) task(p *place, judge func(*judging, *object) error) task {
	return func(j *judging) error {
		o, err := a.object(p.parts)
		if err != nil {
			return err
		}
		return judge(j, o)
	}
}

// configurationTasks check the configurations of resources that do not change. Those
// without findings are not reported.
func (a *auditor) configurationTasks() (tasks []task) {
	for _, address := range slices.Sorted(maps.Keys(a.configurations)) {
		p := a.configurations[address]
		if p.told {
			continue
		}
		tasks = append(tasks, func(j *judging) error {
			r, err := load[configured](p)
			if err != nil {
				return err
			}
			schema, err := a.schema(r.Mode, a.providers[r.ProviderConfigKey], r.Type)
			if err != nil {
				return nil
			}
			j.judged = true
			if found := r.judge(schema.compiled.Block()); len(found) > 0 {
				j.add(p, "configuration", a.providers[r.ProviderConfigKey], report.Subject{Findings: found})
			}
			return nil
		})
	}
	return tasks
}

// of returns the violations as findings of the phase. A plan does not say whether the
// provider has the legacy type system, so none is tolerated.
func of(phase objchange.Phase, found objchange.Violations) []report.Finding {
	return phased(phase, report.Of(found, false))
}

// phased sets the phase of the findings, and returns them.
func phased(phase objchange.Phase, found []report.Finding) []report.Finding {
	for i := range found {
		found[i].Phase = phase
	}
	return found
}

// contradiction returns a finding of a plan that contradicts itself, which Terraform
// does not check.
func contradiction(rule objchange.Rule, path, format string, args ...any) report.Finding {
	return report.Finding{Rule: rule, Path: path, Message: fmt.Sprintf(format, args...), Severity: tfcheck.Unchecked, Phase: objchange.PhasePlan}
}

// join joins reasons that are there.
func join(reasons ...string) string {
	return strings.Join(slices.DeleteFunc(reasons, func(r string) bool { return r == "" }), "; ")
}
