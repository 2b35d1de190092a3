package tfplan

import (
	"cmp"
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

// A result is the result of checking an object.
type result struct {
	resource Resource
	notes    []Note
	known    bool // there is a schema of the object
}

// A task checks an object.
type task func() (result, error)

// report checks all objects, on all processors.
func (chk *checker) report() (*Report, error) {
	tasks := slices.Concat(chk.changeTasks(), chk.otherTasks())
	results, errs := make([]result, len(tasks)), make([]error, len(tasks))
	var workers sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, task := range tasks {
		free <- struct{}{}
		workers.Go(func() { results[i], errs[i] = task(); <-free })
	}
	workers.Wait()
	r := &Report{Resources: slices.Grow([]Resource(nil), len(tasks)), Notes: chk.notes(), Unchecked: len(tasks) > 0}
	for i, done := range results {
		if errs[i] != nil {
			return nil, errs[i]
		}
		r.Resources, r.Notes = append(r.Resources, done.resource), append(r.Notes, done.notes...)
		r.Configuration.add(done.resource.Configuration)
		r.Unchecked = r.Unchecked && !done.known
		results[i] = result{} // free the memory
	}
	switch c := r.Configuration; {
	case c != (Coverage{}):
		r.Notes = append(r.Notes, Note{Kind: NoteConfiguration, Message: c.String()})
	case !chk.has[configuration] && len(chk.lists[changes]) > 0:
		r.Notes = append(r.Notes, Note{Kind: NoteNoConfiguration,
			Message: "the plan was not compared with its configuration, because the document contains no configuration"})
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

// at completes a resource with the facts about its object. Findings without a place have the place of
// the object.
func (r Resource) at(p *place, action Action, mode tfjson.ResourceMode, typeName, provider string) Resource {
	r.Status = cmp.Or(r.Status, Checked)
	r.Address, r.Deposed, r.Place = p.address, p.deposed, p.where()
	r.Action, r.Mode, r.Type, r.Provider = action, mode, typeName, provider
	for i := range r.Findings {
		if r.Findings[i].Place == (Place{}) {
			r.Findings[i].Place = r.Place
		}
	}
	return r
}

// changeTasks returns tasks for the changes of the plan. The task for the first instance of a resource
// also checks the configuration alone.
func (chk *checker) changeTasks() (tasks []task) {
	taken := map[string]bool{}
	for _, p := range chk.lists[changes] {
		p.reported = true
		address := withoutKeys(p.address)
		configuration, first := chk.configurations[address], !taken[address]
		taken[address] = true
		tasks = append(tasks, onObject(p, func(o *object) (result, error) { return chk.change(o, configuration, first) }))
	}
	return tasks
}

// onObject returns a task that reads the object at a place and checks it.
func onObject(p *place, check func(*object) (result, error)) task {
	return func() (result, error) {
		o, err := newObject(p.parts)
		if err != nil {
			return result{}, err
		}
		return check(o)
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
