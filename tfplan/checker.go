package tfplan

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/legacysdk"
)

// A checker checks one plan and the state after it. Workers share it. While they run, only the field
// known changes.
type checker struct {
	index
	applied bool // there is a state after apply
	schemas *configschema.ProviderSchemas
	sources []*source

	mu    sync.Mutex
	known map[*configschema.Schema]*compiledSchema
}

func newChecker(schemas *configschema.ProviderSchemas) *checker {
	if schemas == nil {
		schemas = &configschema.ProviderSchemas{}
	}
	return &checker{
		index:   index{objects: map[key]*parts{}, configurations: map[string]*place{}},
		schemas: schemas, known: map[*configschema.Schema]*compiledSchema{},
	}
}

// scan opens a document and finds the objects in it.
func (chk *checker) scan(in io.Reader, document Document, find func(*source) error) error {
	s, err := open(in, document)
	if err != nil {
		return err
	}
	chk.sources = append(chk.sources, s)
	return find(s)
}

func (chk *checker) close() {
	for _, s := range chk.sources {
		s.close()
	}
}

// report checks all objects.
func (chk *checker) report() (*Report, error) {
	all := &results{notes: chk.notes()}
	for _, tasks := range []func() []task{chk.changeTasks, chk.otherTasks} {
		if err := all.do(tasks()); err != nil {
			return nil, err
		}
	}
	r := &Report{Resources: all.resources, Notes: all.notes, Unchecked: len(all.resources) > 0 && !all.any}
	for i := range r.Resources {
		r.Configuration.add(r.Resources[i].Configuration)
	}
	switch c := r.Configuration; {
	case c != (Coverage{}):
		r.Notes = append(r.Notes, Note{Kind: NoteConfiguration, Message: c.String()})
	case !chk.has[configuration] && len(chk.lists[changes]) > 0:
		r.Notes = append(r.Notes, Note{Kind: NoteNoConfiguration, Message: "the plan was not compared with its configuration, because the document contains no configuration"})
	}
	return r, nil
}

// notes returns notes about the plan as a whole.
func (chk *checker) notes() (notes []Note) {
	if chk.errored {
		notes = append(notes, Note{Kind: NoteErrored, Message: "the plan is incomplete, because the run failed"})
	}
	if !chk.applied {
		notes = append(notes, Note{Kind: NoteNoState, Message: "the apply was not checked, because there is no state"})
	}
	for _, name := range chk.unread {
		notes = append(notes, Note{Kind: NoteUnread, Message: fmt.Sprintf("%.60q was not checked", name)})
	}
	return notes
}

// results are the results of checking one or more objects.
type results struct {
	resources []Resource
	notes     []Note
	any       bool // at least one value was checked against a schema
}

// A task checks an object.
type task func(*results) error

// do runs the tasks on all processors and adds their results in order. It returns the first error
// in that order.
func (d *results) do(tasks []task) error {
	done, errs := make([]results, len(tasks)), make([]error, len(tasks))
	var workers sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, task := range tasks {
		free <- struct{}{}
		workers.Go(func() { errs[i] = task(&done[i]); <-free })
	}
	workers.Wait()
	d.resources = slices.Grow(d.resources, len(tasks))
	for i := range done {
		if errs[i] != nil {
			return errs[i]
		}
		d.resources = append(d.resources, done[i].resources...)
		d.notes = append(d.notes, done[i].notes...)
		d.any = d.any || done[i].any
		done[i] = results{} // free the memory
	}
	return nil
}

// add adds the result for an object.
func (d *results) add(at *place, action Action, mode tfjson.ResourceMode, typeName, provider string, r Resource) {
	if r.Status == "" {
		r.Status = Checked
	}
	r.Address, r.Deposed, r.Place = at.address, at.deposed, at.where()
	r.Action, r.Mode, r.Type, r.Provider = action, mode, typeName, provider
	for i := range r.Findings {
		if r.Findings[i].Place == (Place{}) {
			r.Findings[i].Place = r.Place
		}
	}
	d.resources = append(d.resources, r)
}

// changeTasks returns tasks for the changes of the plan. The task for the first instance of a resource also checks the configuration alone.
func (chk *checker) changeTasks() (tasks []task) {
	taken := map[string]bool{}
	for _, p := range chk.lists[changes] {
		p.reported = true
		address := withoutKeys(p.address)
		configuration, first := chk.configurations[address], !taken[address]
		taken[address] = true
		tasks = append(tasks, onObject(p, func(d *results, o *object) error { return d.change(chk, o, configuration, first) }))
	}
	return tasks
}

// onObject returns a task that reads the object at a place and checks it.
func onObject(p *place, check func(*results, *object) error) task {
	return func(d *results) error {
		o, err := newObject(p.parts)
		if err != nil {
			return err
		}
		return check(d, o)
	}
}

// of returns the violations as findings of the phase.
func of(phase objchange.Phase, violations objchange.Violations) (found []Finding) {
	for _, v := range violations {
		found = append(found, Finding{
			Rule: v.Rule, Path: v.PathString(), Inside: objchange.PathString(v.Inside), Message: v.Message, Phase: phase, Severity: v.Severity,
		})
	}
	return found
}

// tolerate sets the severities of violations in the phase for a provider that is built with the
// legacy SDK. The checks check the values again, as for legacysdk.Mark.
func tolerate(found objchange.Violations, phase objchange.Phase, from, to cty.Value, checks ...func() objchange.Violations) {
	for _, v := range found {
		v.Phase = phase
		if (objchange.Lifecycle{}).Tolerates(v) {
			v.Severity = objchange.Tolerated
		}
	}
	legacysdk.Mark(found, from, to, checks...)
}

// contradiction returns a finding about a plan that contradicts itself.
func contradiction(rule objchange.Rule, path, format string, args ...any) Finding {
	return Finding{Rule: rule, Path: path, Message: fmt.Sprintf(format, args...), Phase: objchange.PhasePlan, Severity: rule.Info().Severity}
}

// join joins the reasons that are not empty.
func join(reasons ...string) string {
	return strings.Join(slices.DeleteFunc(reasons, func(r string) bool { return r == "" }), "; ")
}
