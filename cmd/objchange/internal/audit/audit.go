// Package audit judges plans and states as `terraform show -json` prints them:
// whether a plan agrees with itself and with the schemas, and whether what was
// applied kept its promises. It reads one resource instance at a time.
package audit

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/configschema"
)

// Run audits a plan, and the state after it was applied if there is one. The
// error says why one of them cannot be used; there is a report all the same if
// nothing in them can be judged.
func Run(planned Input, after *Input, schemas *configschema.ProviderSchemas) (*report.Report, error) {
	a := &auditor{
		index:   index{objects: map[key]*parts{}, configurations: map[string]*configured{}},
		schemas: schemas, known: map[*configschema.Schema]*judgedSchema{},
	}
	defer func() {
		for _, s := range a.sources {
			s.close()
		}
	}()
	plan, err := a.open(planned)
	if err == nil {
		err = a.scanPlan(plan.scanner())
	}
	if err != nil {
		return nil, err
	}
	if after != nil {
		if a.after, err = a.open(*after); err == nil {
			err = a.scanState(a.after.scanner())
		}
		if err != nil {
			return nil, err
		}
	}
	j, err := a.judgeAll()
	if err != nil {
		return nil, err
	}
	for i := range j.subjects {
		j.subjects[i].Group = planned.Name
	}
	r := &report.Report{Command: "audit", Subjects: j.subjects, Notes: append(a.notes(), j.notes...)}
	if len(j.subjects) > j.deferred && !j.judged {
		return r, planned.wrong(errors.New("nothing could be judged: all of the resources were skipped"))
	}
	return r, nil
}

// An auditor is one audit. While objects are judged, only what is known of schemas
// changes.
type auditor struct {
	index
	sources []*source
	after   *source // nil without a state
	schemas *configschema.ProviderSchemas

	mu    sync.Mutex
	known map[*configschema.Schema]*judgedSchema
}

func (a *auditor) open(in Input) (*source, error) {
	s, err := in.open()
	if err == nil {
		a.sources = append(a.sources, s)
	}
	return s, err
}

// A key names an object: a resource instance, or an object of it that was
// deposed.
type key struct{ address, deposed string }

func (k key) String() string {
	if k.deposed == "" {
		return k.address
	}
	return fmt.Sprintf("%s (deposed %s)", k.address, k.deposed)
}

// judgeAll judges the changes in their order, and then what no change tells of.
func (a *auditor) judgeAll() (*judging, error) {
	all := &judging{}
	if err := all.do(a.changeTasks()); err != nil {
		return nil, err
	}
	if err := all.do(a.unusedConfigurations()); err != nil {
		return nil, err
	}
	return all, all.do(a.unplanned())
}

func (a *auditor) changeTasks() (tasks []task) {
	for _, p := range a.changes {
		p.told = true
		configuration := a.configurationOf(p.address)
		tasks = append(tasks, func(j *judging) error {
			o, err := a.load(p.key)
			if err != nil {
				return err
			}
			return j.change(a, o, configuration)
		})
	}
	for _, p := range a.deferred {
		if p.address == "" {
			continue
		}
		p.told = true
		tasks = append(tasks, func(j *judging) error {
			o, err := a.load(p.key)
			if err != nil {
				return err
			}
			for _, d := range o.deferred {
				if d.place == p {
					j.deferral(a, o, d)
				}
			}
			return nil
		})
	}
	return tasks
}

// deferral tells of an object of which the change was deferred.
func (j *judging) deferral(a *auditor, o *instance, d *deferredChange) {
	j.deferred++
	found, judged := a.unchanged(o, d.ResourceChange)
	j.judged = j.judged || judged
	j.add(o.key, "deferred", d.place, report.Subject{
		Status: report.Skipped, Reason: "deferred by the plan: " + d.Reason, Idle: true, Findings: found,
	})
}

// notes says what is to be known of the plan as a whole.
func (a *auditor) notes() (notes []string) {
	if a.errored {
		notes = append(notes, "the plan is of a run that failed, so it is not complete")
	}
	if a.after == nil {
		notes = append(notes, "without a state, what apply made of the plan was not judged")
	}
	for _, p := range a.drift {
		if p.address != "" {
			notes = append(notes, p.String()+": was changed by others than Terraform (resource_drift), which was not judged")
		}
	}
	return notes
}

// of returns findings for violations of one phase. Whoever may excuse them is
// not known.
func of(phase objchange.Phase, found objchange.Violations) []report.Finding {
	for _, v := range found {
		v.Phase = phase
	}
	return report.Of(found, false)
}

// join joins reasons that are there.
func join(reasons ...string) string {
	var there []string
	for _, r := range reasons {
		if r != "" {
			there = append(there, r)
		}
	}
	return strings.Join(there, "; ")
}
