// Package audit judges plans and states as `terraform show -json` prints them:
// whether a plan agrees with itself and with the schemas, and whether what was
// applied kept its promises.
package audit

import (
	"errors"
	"fmt"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// Run audits a plan, and the state after it was applied if there is one. The
// error says why one of them cannot be used; there is a report all the same if
// nothing in them can be judged.
func Run(planned Input, after *Input, schemas *objchange.ProviderSchemas) (*report.Report, error) {
	a := &auditor{planned: planned, after: after, schemas: schemas, known: map[*objchange.Schema]judgedSchema{}}
	if err := a.read(); err != nil {
		return nil, err
	}
	a.uniteSensitive()
	a.judge()
	r := &report.Report{Command: "audit", Subjects: a.subjects, Notes: a.notes()}
	if len(a.subjects) > a.deferred && !a.judged {
		return r, a.planned.wrong(errors.New("nothing could be judged: all of the resources were skipped"))
	}
	return r, nil
}

// An auditor is one audit.
type auditor struct {
	planned Input
	after   *Input // nil without a state
	schemas *objchange.ProviderSchemas
	known   map[*objchange.Schema]judgedSchema

	plan           plan
	values, prior  objects // planned_values, prior_state
	state          objects // after apply
	configurations map[string]*configured
	sensitive      map[key]any // masks, of what any part of the documents has so

	judged   bool // something was held against a schema
	deferred int  // how many objects are, of which there may be nothing to judge
	subjects []report.Subject
	told     []string // notes on objects
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

// read reads the documents and finds what is in them.
func (a *auditor) read() error {
	if err := read(a.planned, &a.plan); err != nil {
		return err
	}
	if err := a.checkChanges(); err != nil {
		return err
	}
	var err error
	if a.values, err = collect(a.planned, "/planned_values", a.plan.PlannedValues); err != nil {
		return err
	}
	if a.plan.PriorState != nil {
		if a.prior, err = collect(a.planned, "/prior_state/values", a.plan.PriorState.Values); err != nil {
			return err
		}
	}
	a.configurations = a.plan.Configuration.collect()
	if a.after == nil {
		return nil
	}
	var after state
	if err := read(*a.after, &after); err != nil {
		return err
	}
	a.state, err = collect(*a.after, "/values", after.Values)
	return err
}

// checkChanges fails for a plan with changes that nobody can tell apart.
func (a *auditor) checkChanges() error {
	seen := map[key]bool{}
	for i, rc := range a.plan.ResourceChanges {
		pointer := fmt.Sprintf("/resource_changes/%d", i)
		switch {
		case rc == nil || rc.Address == "":
			return a.planned.broken(pointer, "has no address")
		case rc.Change == nil:
			return a.planned.broken(pointer, "has no change")
		case seen[changeKey(rc)]:
			return a.planned.broken(pointer, changeKey(rc).String()+" is there twice")
		}
		seen[changeKey(rc)] = true
	}
	return nil
}

func changeKey(rc *tfjson.ResourceChange) key { return key{rc.Address, rc.DeposedKey} }

// judge judges the changes in their order, and then what no change tells of.
func (a *auditor) judge() {
	changed := map[key]bool{}
	for i, rc := range a.plan.ResourceChanges {
		changed[changeKey(rc)] = true
		a.change(i, rc)
	}
	for i, d := range a.plan.DeferredChanges {
		if d != nil && d.ResourceChange != nil {
			k := changeKey(d.ResourceChange)
			changed[k] = true
			a.deferred++
			a.add(k, "deferred", report.Subject{
				Status: report.Skipped, Reason: "deferred by the plan: " + d.Reason,
				Findings: a.unchanged(k, d.ResourceChange),
				Place:    report.Place{File: a.planned.Name, Pointer: fmt.Sprintf("/deferred_changes/%d", i)},
			})
		}
	}
	a.unusedConfigurations()
	a.unplanned(changed)
}

// add adds what came of an object.
func (a *auditor) add(k key, action string, s report.Subject) {
	s.Group, s.Columns = a.planned.Name, []string{k.String(), action}
	a.subjects = append(a.subjects, s)
}

// notes says what is to be known of the plan as a whole.
func (a *auditor) notes() (notes []string) {
	if a.plan.Errored {
		notes = append(notes, "the plan is of a run that failed, so it is not complete")
	}
	if a.after == nil {
		notes = append(notes, "without a state, what apply made of the plan was not judged")
	}
	for _, rc := range a.plan.ResourceDrift {
		if rc != nil {
			notes = append(notes, changeKey(rc).String()+": was changed by others than Terraform (resource_drift), which was not judged")
		}
	}
	return append(notes, a.told...)
}

// of returns findings for violations of one phase. Whoever may excuse them is
// not known.
func of(phase objchange.Phase, found objchange.Violations) []report.Finding {
	for _, v := range found {
		v.Phase = phase
	}
	return report.Of(found, false)
}

// objects are the resource instances of a state, or of planned values.
type objects map[key]*object

// An object is one resource instance in a state.
type object struct {
	*tfjson.StateResource
	pointer   string
	order     int
	sensitive any // the mask, with what other parts of the documents have in it
}

// collect returns all objects in all modules.
func collect(in Input, pointer string, values *tfjson.StateValues) (objects, error) {
	all := objects{}
	if values == nil {
		return all, nil
	}
	return all, all.module(in, pointer+"/root_module", values.RootModule)
}

func (all objects) module(in Input, pointer string, m *tfjson.StateModule) error {
	if m == nil {
		return nil
	}
	for i, r := range m.Resources {
		at := fmt.Sprintf("%s/resources/%d", pointer, i)
		if r == nil || r.Address == "" {
			return in.broken(at, "has no address")
		}
		k := key{r.Address, r.DeposedKey}
		if all[k] != nil {
			return in.broken(at, k.String()+" is there twice")
		}
		all[k] = &object{StateResource: r, pointer: at, order: len(all)}
	}
	for i, child := range m.ChildModules {
		if err := all.module(in, fmt.Sprintf("%s/child_modules/%d", pointer, i), child); err != nil {
			return err
		}
	}
	return nil
}

// value returns the value of an object, with the unknown from the plan if there
// is one, none with findings if it does not conform to the schema.
func (o *object) value(schema *objchange.Block, unknown any) (cty.Value, []report.Finding) {
	data := map[string]any(o.AttributeValues)
	if data == nil {
		data = map[string]any{}
	}
	return told{data, unknown, o.sensitive}.value(schema)
}

// orNull returns the value of an object that is wholly known, null for no object.
func (o *object) orNull(schema *objchange.Block) (cty.Value, []report.Finding) {
	if o == nil {
		return cty.NullVal(schema.ImpliedType()), nil
	}
	return o.value(schema, nil)
}

// resource is the kind of the object.
func (o *object) resource() resource { return resource{o.Mode, o.ProviderName, o.Type} }

// versionReason says that values are of another version than the schema, which
// cannot judge them, or "".
func (o *object) versionReason(schema *objchange.Schema, part string) string {
	if o == nil || schema.Version == int64(o.SchemaVersion) {
		return ""
	}
	return fmt.Sprintf("%s is of schema version %d, the schema of %q is of version %d",
		part, o.SchemaVersion, o.Type, schema.Version)
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
