package tfplan

import (
	"cmp"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/legacysdk"
)

// An inspection checks one plan and the state after it. Workers share it. While they run, only the field
// compiled changes.
type inspection struct {
	index   *index
	schemas *configschema.ProviderSchemas

	mu       sync.Mutex
	compiled map[*configschema.Schema]*compiledSchema
}

func newInspection(schemas *configschema.ProviderSchemas) *inspection {
	return &inspection{
		index:   &index{objects: map[key]*objectPlaces{}, configurations: map[string]*place{}},
		schemas: cmp.Or(schemas, &configschema.ProviderSchemas{}), compiled: map[*configschema.Schema]*compiledSchema{},
	}
}

// A task is an object to check.
type task struct {
	object        *objectPlaces
	section       section // in which the object was found first
	configuration *place  // of its resource, or nil
	first         bool    // no task before has this configuration
}

// A result is the result of checking an object. The note is "" if there is nothing to say.
type result struct {
	resource Resource
	note     string
}

// tasks returns a task for each object. The changes come first. Objects without a change are data
// sources that were read during planning, objects that were not targeted, and unexpected objects.
func (x *index) tasks() (tasks []task) {
	for _, in := range []section{changes, prior, applied, planned} {
		for _, p := range x.lists[in] {
			if p.object.reported {
				continue
			}
			p.object.reported = true
			t := task{object: p.object, section: in}
			if in == changes {
				t.configuration = x.configurations[instanceKey.ReplaceAllString(p.object.key.address, "")]
			}
			if t.configuration != nil {
				t.first = !t.configuration.object.reported
				t.configuration.object.reported = true
			}
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// instanceKey matches the key of an instance in an address.
var instanceKey = regexp.MustCompile(`\[("(\\.|[^"\\])*"|[^]"])*]`)

// check reads an object and checks it.
func (chk *inspection) check(t task) (result, error) {
	o, err := newObject(t.object)
	switch {
	case err != nil:
		return result{}, err
	case t.section == changes:
		return chk.change(o, t.configuration, t.first)
	}
	return result{resource: chk.other(o, t.section)}, nil
}

// report checks all objects, on all processors.
func (chk *inspection) report() (*Report, error) {
	tasks := chk.index.tasks()
	results, errs := make([]result, len(tasks)), make([]error, len(tasks))
	var workers sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, task := range tasks {
		free <- struct{}{}
		workers.Go(func() {
			results[i], errs[i] = chk.check(task)
			<-free
		})
	}
	workers.Wait()
	r := &Report{Resources: slices.Grow([]Resource(nil), len(tasks)), Notes: chk.index.notes()}
	for i, done := range results {
		if errs[i] != nil {
			return nil, errs[i]
		}
		r.Resources = append(r.Resources, done.resource)
		if done.note != "" {
			r.Notes = append(r.Notes, done.note)
		}
		r.Configuration.Configured += done.resource.Configuration.Configured
		r.Configuration.Constants += done.resource.Configuration.Constants
		results[i] = result{} // free the memory
	}
	switch c := r.Configuration; {
	case c != (Coverage{}):
		r.Notes = append(r.Notes, c.String())
	case !chk.index.has[configuration] && len(chk.index.lists[changes]) > 0:
		r.Notes = append(r.Notes,
			"the plan was not compared with its configuration, because the document contains none")
	}
	return r, nil
}

// notes returns notes about the plan as a whole.
func (x *index) notes() (notes []string) {
	if x.errored {
		notes = append(notes, "the plan is incomplete, because the run failed")
	}
	if !x.has[applied] {
		notes = append(notes, "the apply was not checked, because there is no state")
	}
	for _, name := range x.unread {
		notes = append(notes, fmt.Sprintf("%.60q was not checked", name))
	}
	return notes
}

// complete sets the fields of a resource that an entry of its object has. Findings without a place
// get the place of the entry.
func (r *Resource) complete(e *entry, action objchange.Action) {
	r.Status = cmp.Or(r.Status, Checked)
	r.Address, r.Deposed, r.Place = e.at.object.key.address, e.at.object.key.deposed, e.at.where()
	r.Action, r.Mode, r.Type, r.Provider = action, e.Mode, e.Type, e.ProviderName
	for i := range r.Findings {
		if r.Findings[i].Place == (Place{}) {
			r.Findings[i].Place = r.Place
		}
	}
}

// finding returns a finding with the severity of its rule, at a path for display.
func finding(rule objchange.Rule, phase objchange.Phase, path cty.Path, format string, args ...any) Finding {
	return Finding{
		Rule: rule, Path: objchange.PathString(path), Shown: path, Message: fmt.Sprintf(format, args...),
		Phase: phase, Severity: rule.Info().Severity,
	}
}

// findings returns the violations as findings of the phase.
func findings(phase objchange.Phase, violations objchange.Violations) (found []Finding) {
	for _, v := range violations {
		found = append(found, Finding{
			Rule: v.Rule, Path: v.PathString(), Shown: v.Shown, Inside: objchange.PathString(v.Inside),
			Message: v.Message, Phase: phase, Severity: v.Severity,
		})
	}
	return found
}

// tolerate sets the severities of violations in the phase for a provider that is built with the
// legacy SDK. The checks check the values again, as for legacysdk.Mark.
func tolerate(
	found objchange.Violations, phase objchange.Phase, from, to cty.Value, checks ...func() objchange.Violations,
) {
	for _, v := range found {
		v.Phase = phase
		if (objchange.Lifecycle{}).Tolerates(v) {
			v.Severity = objchange.Tolerated
		}
	}
	legacysdk.Mark(found, from, to, checks...)
}
