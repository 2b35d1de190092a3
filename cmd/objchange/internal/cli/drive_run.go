package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/show"
	"github.com/objchange/objchange/tfcheck"
)

// A drive takes one resource through its life.
type drive struct {
	*app
	input   driveInput
	plugin  *tfcheck.Plugin
	driver  *tfcheck.Driver
	object  *tfcheck.Instance
	configs configs
	report  *report.Report
	secrets secrets
	broken  bool // a rule that Core enforces, so that it would have stopped
}

// run runs the steps. Whatever happens, it destroys at last. The error is the
// first of a step that the provider refused or did not answer.
func (d *drive) run(ctx context.Context) error {
	err := d.safely(func() error { return d.live(ctx) })
	if d.object.State().IsNull() {
		if errors.Is(err, errMistake) {
			d.mayBeLeft("create", "what came of it is not known")
		}
		return err
	}
	if destroyErr := d.destroy(ctx); destroyErr != nil {
		return errors.Join(err, destroyErr)
	}
	return err
}

// live runs the steps up to the end of the object's life.
func (d *drive) live(ctx context.Context) error {
	ctx, done := d.patient(ctx)
	defer done()
	var options []tfcheck.RunOption
	if d.configs.initially != nil {
		options = append(options, tfcheck.Initially(d.configs.initially))
	}
	steps := []struct {
		name string
		do   func() (*tfcheck.Run, error)
	}{
		{"create", func() (*tfcheck.Run, error) { return d.object.Create(ctx, d.configs.config, options...) }},
		{"refresh", func() (*tfcheck.Run, error) { return d.object.Refresh(ctx) }},
		{"update", func() (*tfcheck.Run, error) { return d.object.Update(ctx, d.configs.update) }},
	}
	for _, s := range steps {
		if s.name == "update" && d.configs.update == nil {
			continue
		}
		if interrupted(ctx) {
			return errInterrupted
		}
		if err := d.step(s.name, d.object, s.do); err != nil {
			return err
		}
		if d.object.State().IsNull() && d.broken {
			return nil
		} else if d.object.State().IsNull() {
			return fmt.Errorf("there is no %s after %s", d.input.typeName, s.name)
		}
	}
	if interrupted(ctx) {
		return errInterrupted
	}
	if d.input.importID == "" {
		return nil
	}
	return d.importObject(ctx)
}

// importObject imports the object into an instance of its own.
func (d *drive) importObject(ctx context.Context) error {
	id, err := d.importID()
	if err != nil {
		return err
	}
	second, err := d.driver.Resource(d.input.typeName)
	if err != nil {
		return err
	}
	if err := d.step("import", second, func() (*tfcheck.Run, error) { return second.Import(ctx, id) }); err != nil {
		return err
	}
	if interrupted(ctx) {
		return errInterrupted
	}
	return nil
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// checkImportID fails if there is a name in the ID that cannot stand for anything.
func (d *drive) checkImportID() error {
	for _, name := range placeholder.FindAllString(d.input.importID, -1) {
		attr := d.object.Schema().Block().Attributes[strings.Trim(name, "{}")]
		if attr == nil || attr.NestedType != nil || !attr.Type.IsPrimitiveType() && attr.Type != cty.DynamicPseudoType {
			return d.noImportID(name)
		}
	}
	return nil
}

func (d *drive) noImportID(name string) error {
	return fmt.Errorf("--import: %s is no attribute of %s that has a value in one word", name, d.input.typeName)
}

// importID returns the ID with the object's attributes in it.
func (d *drive) importID() (string, error) {
	var wrong error
	id := placeholder.ReplaceAllStringFunc(d.input.importID, func(name string) string {
		v := d.object.State().GetAttr(strings.Trim(name, "{}"))
		text, ok := word(v)
		switch {
		case v.IsNull():
			wrong = fmt.Errorf("--import: %s is null", name)
		case !ok:
			wrong = d.noImportID(name)
		}
		return text
	})
	return id, wrong
}

// word returns a value as text, if it has one in one word.
func word(v cty.Value) (string, bool) {
	v, err := convert.Convert(v, cty.String)
	if err != nil || v.IsNull() {
		return "", false
	}
	return v.AsString(), true
}

// destroy destroys the object, and tells what is left of it if that fails.
func (d *drive) destroy(ctx context.Context) error {
	ctx, done := d.patient(ctx)
	defer done()
	err := d.safely(func() error {
		return d.step("destroy", d.object, func() (*tfcheck.Run, error) { return d.object.Destroy(ctx) })
	})
	if d.object.State().IsNull() {
		return err
	}
	left := "left over: a " + d.input.typeName
	if attr := d.object.Schema().Block().Attributes["id"]; attr != nil && !attr.Sensitive {
		if id, ok := word(d.object.State().GetAttr("id")); ok {
			left += fmt.Sprintf(" with the id %q", id)
		}
	}
	d.report.Notes = append(d.report.Notes, left)
	return errors.Join(err, errors.New(left))
}

// step runs one step, and tells what it changed and found. A broken rule does
// not end the drive, since there may be more; what the provider refused does.
func (d *drive) step(name string, object *tfcheck.Instance, do func() (*tfcheck.Run, error)) error {
	before := object.State()
	run, err := do()
	l := run.Lifecycle
	d.secrets.add(object.Schema().Block(), object.State(), l.Upgraded, l.Imported, l.Prior, l.InitialPlanned, l.FinalPlanned, l.New)
	d.noteLeft(name, before, object, run, err)
	s := report.Subject{
		Group: d.input.path, Columns: []string{d.input.typeName, name, string(run.Action)}, Status: report.Judged,
	}
	for _, f := range run.Findings {
		s.Findings = append(s.Findings, report.OfExchange(f)...)
	}
	if broken := new(tfcheck.BrokenError); errors.As(err, &broken) {
		d.broken, err = true, nil
	}
	if err != nil {
		s.Status, s.Reason = report.Failed, d.secrets.said(err.Error())
		err = fmt.Errorf("%s failed", name) // the report says why
	}
	d.report.Subjects = append(d.report.Subjects, s)
	for _, w := range run.Warnings {
		d.report.Notes = append(d.report.Notes, fmt.Sprintf("%s: the provider warns: %s", name, d.secrets.said(w.String())))
	}
	if d.format != report.Text {
		return err
	}
	return errors.Join(err, d.safely(func() error { return d.show(name, before, object, run, err != nil) }))
}

// noteLeft tells of an object that may be there without a state: the provider
// was asked to apply, and did not refuse, or there was an object before.
func (d *drive) noteLeft(name string, before cty.Value, object *tfcheck.Instance, run *tfcheck.Run, err error) {
	l := run.Lifecycle
	destroyed := l.InitialPlanned != cty.NilVal && l.InitialPlanned.IsNull()
	if refused := new(tfcheck.RefusedError); destroyed || !object.State().IsNull() || errors.As(err, &refused) {
		return
	}
	broken := new(tfcheck.BrokenError)
	planned := l.FinalPlanned != cty.NilVal
	stateless := l.New == cty.NilVal || l.New.IsNull()
	var why string
	switch {
	case planned && l.New == cty.NilVal && errors.As(err, &broken) && broken.Finding.RPC == "PlanResourceChange":
		return // the plan was not applied
	case planned && stateless:
		why = "the provider did not answer with its state"
	case planned, !before.IsNull():
		why = "the provider reads none"
	default:
		return
	}
	d.mayBeLeft(name, why)
}

// mayBeLeft tells that there may be an object, also where no report can be written.
func (d *drive) mayBeLeft(step, why string) {
	note := fmt.Sprintf("%s: a %s may be left over: %s", step, d.input.typeName, why)
	d.report.Notes = append(d.report.Notes, note)
	d.mustTell = errors.Join(d.mustTell, errors.New(note))
}

// show shows what a step changed. An import changes nothing: it is compared with
// the object that was imported.
func (d *drive) show(name string, before cty.Value, object *tfcheck.Instance, run *tfcheck.Run, failed bool) error {
	head, action, after := name, run.Action, object.State()
	imported, nothing := object != d.object, "nothing changes"
	if imported {
		before, nothing = d.object.State(), "the same as the object"
		head, action = name+", compared with the object", show.Differs
	}
	same := before.RawEquals(after) && (failed || action != objchange.ActionReplace)
	switch {
	case imported && (failed || after.IsNull()), failed && same:
		_, err := fmt.Fprintf(d.out, "%s: failed\n\n", d.term.Bold(name))
		return err
	case same:
		_, err := fmt.Fprintf(d.out, "%s: %s\n\n", d.term.Bold(name), nothing)
		return err
	case failed:
		head += ", before it failed"
	}
	if _, err := fmt.Fprintln(d.out, d.term.Bold(head)+":"); err != nil {
		return err
	}
	err := show.Change(d.out, d.term, show.Resource{
		Address: d.input.typeName, Schema: object.Schema(), Before: before, After: after,
		Action: action, Replace: run.RequiresReplace,
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(d.out)
	return err
}
