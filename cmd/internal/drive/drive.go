// Package drive takes one resource through its lifecycle with a provider, without Terraform.
package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/internal/mistake"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/tfcheck/driver"
)

// An Input selects the provider, the resource type and the configurations.
type Input struct {
	Provider, Type                            string
	Config, Initially, Update, ProviderConfig string        // file names, or ""
	Import                                    string        // an ID; {name} stands for an attribute
	Grace                                     time.Duration // time limit of a step after an interrupt

	config, initially, update, provider file
}

// An Output is the destination of a run's output.
type Output struct {
	Changes io.Writer // for the changes of each step; may be nil
	Term    *terminal.Terminal
	ErrOut  io.Writer
}

// Read reads the files.
func (in *Input) Read(open func(string) (io.ReadCloser, error)) (err error) {
	for _, f := range []struct {
		name string
		to   *file
	}{{in.Config, &in.config}, {in.Initially, &in.initially}, {in.Update, &in.update}, {in.ProviderConfig, &in.provider}} {
		if *f.to, err = readFile(f.name, open); err != nil {
			return err
		}
	}
	in.initially.partly = true
	return nil
}

// Check starts the provider, and returns an error if it finds the input invalid. The provider has
// ended when Check returns.
func (in *Input) Check(ctx context.Context) error {
	l, err := in.start(Interrupts{second: ctx})
	if err != nil {
		return err
	}
	_ = l.plugin.Close() // all calls have returned
	return nil
}

// Run takes the resource through its lifecycle. It returns the error of the first step that the
// provider refused or did not answer. If the report is nil, no step was run.
func (in *Input) Run(i Interrupts, out Output) (*report.Report, error) {
	l, err := in.start(i)
	if err != nil {
		return nil, err
	}
	defer l.plugin.Close()
	l.out = out
	if i.pending() {
		return nil, errInterrupted
	}
	if err := l.configure(); err != nil {
		return nil, err
	}
	if i.pending() {
		return nil, errInterrupted
	}
	return l.report, l.run()
}

// A lifecycle is the lifecycle of one resource.
type lifecycle struct {
	in         *Input
	interrupts Interrupts
	out        Output
	report     *report.Report
	secrets    secrets

	plugin *driver.Plugin
	driver *driver.Driver
	object *driver.Instance
	broken bool // a rule that Terraform enforces was broken, so Terraform would have stopped

	config, initially, update any // nil if absent
}

// run runs the steps. It always destroys the object at the end.
func (l *lifecycle) run() error {
	err := mistake.Safely(l.out.ErrOut, l.runSteps)
	if err == nil && l.interrupts.pending() {
		err = errInterrupted
	}
	if !l.object.State().IsNull() {
		return errors.Join(err, l.destroy())
	}
	if errors.Is(err, mistake.Err) {
		l.mayBeLeft("create", "its result is not known")
	}
	return err
}

// runSteps runs the steps before the destroy.
func (l *lifecycle) runSteps() error {
	ctx, done := l.interrupts.within(l.in.Grace)
	defer done()
	var options []driver.RunOption
	if l.initially != nil {
		options = append(options, driver.Initially(l.initially))
	}
	for _, s := range []struct {
		name string
		do   func() (*driver.Run, error)
	}{
		{"create", func() (*driver.Run, error) { return l.object.Create(ctx, l.config, options...) }},
		{"refresh", func() (*driver.Run, error) { return l.object.Refresh(ctx) }},
		{"update", func() (*driver.Run, error) { return l.object.Update(ctx, l.update) }},
	} {
		if s.name == "update" && l.update == nil {
			continue
		}
		if l.interrupts.pending() {
			return errInterrupted
		}
		if err := l.step(s.name, l.object, s.do); err != nil {
			return err
		}
		if gone := l.object.State().IsNull(); gone && l.broken {
			return nil
		} else if gone {
			return fmt.Errorf("the %s does not exist after %s", l.in.Type, s.name)
		}
	}
	if l.interrupts.pending() || l.in.Import == "" {
		return nil
	}
	return l.importObject(ctx)
}

// importObject imports the object into a second instance.
func (l *lifecycle) importObject(ctx context.Context) error {
	id, err := l.importID()
	if err != nil {
		return err
	}
	second, err := l.driver.Resource(l.in.Type)
	if err != nil {
		return err
	}
	err = l.step("import", second, func() (*driver.Run, error) { return second.Import(ctx, id) })
	if state := second.State(); err == nil && !state.IsNull() && !state.RawEquals(l.object.State()) {
		l.report.Notes = append(l.report.Notes, differs)
	}
	return err
}

// differs is the note about an import that differs from the object.
const differs = "import: the imported state differs from the object. Terraform accepts this, and the next plan may show the difference as a change. " +
	"It is a fault if the provider can read the value: ImportStateVerify in an acceptance test then fails"

// destroy destroys the object. If that fails, it reports what remains.
func (l *lifecycle) destroy() error {
	ctx, done := l.interrupts.within(l.in.Grace)
	defer done()
	err := mistake.Safely(l.out.ErrOut, func() error {
		return l.step("destroy", l.object, func() (*driver.Run, error) { return l.object.Destroy(ctx) })
	})
	if l.object.State().IsNull() {
		return err
	}
	left := "not destroyed: a " + l.in.Type
	if attr := l.object.Schema().Block().Attributes["id"]; attr != nil && !attr.Sensitive {
		if id, ok := word(l.object.State().GetAttr("id")); ok {
			left += fmt.Sprintf(" with the id %q", id)
		}
	}
	l.report.Notes = append(l.report.Notes, left)
	return errors.Join(err, errors.New(left))
}

// step runs one step, and reports its changes and findings. An error of the provider ends the run.
// A broken rule does not, because later steps may find more.
func (l *lifecycle) step(name string, object *driver.Instance, do func() (*driver.Run, error)) error {
	before := object.State()
	run, err := do()
	values := run.Lifecycle
	l.secrets.add(object.Schema().Block(), object.State(), values.Upgraded, values.Imported, values.Prior,
		values.InitialPlanned, values.FinalPlanned, values.New)
	l.noteLeft(name, before, object, run, err)
	s := report.Subject{
		Group: l.in.Provider, Type: l.in.Type, Step: name, Action: string(run.Action), Status: report.Checked,
		Findings: report.OfExchange(run.Findings...),
	}
	if errors.As(err, new(*driver.BrokenError)) {
		l.broken, err = true, nil
	}
	if err != nil {
		s.Status, s.Reason = report.Failed, l.secrets.redacted(err.Error())
		err = fmt.Errorf("%s failed", name) // the report has the reason
	}
	l.report.Subjects = append(l.report.Subjects, s)
	for _, w := range run.Warnings {
		l.report.Notes = append(l.report.Notes, fmt.Sprintf("%s: the provider warns: %s", name, l.secrets.redacted(w.String())))
	}
	return errors.Join(err, mistake.Safely(l.out.ErrOut, func() error { return l.show(name, before, object, run, err != nil) }))
}

// noteLeft reports an object that may exist without a state. This is possible if the provider was
// called to apply and did not refuse, or if there was an object before.
func (l *lifecycle) noteLeft(name string, before cty.Value, object *driver.Instance, run *driver.Run, err error) {
	values := run.Lifecycle
	destroyed := values.InitialPlanned != cty.NilVal && values.InitialPlanned.IsNull()
	if destroyed || !object.State().IsNull() || errors.As(err, new(*driver.RefusedError)) {
		return
	}
	planned, answered := values.FinalPlanned != cty.NilVal, values.New != cty.NilVal
	broken := new(driver.BrokenError)
	switch {
	case planned && !answered && errors.As(err, &broken) && broken.Finding.RPC == "PlanResourceChange":
		// the plan was not applied
	case planned && (!answered || values.New.IsNull()):
		l.mayBeLeft(name, "the provider did not return its state")
	case planned, !before.IsNull():
		l.mayBeLeft(name, "the provider read no object")
	}
}

func (l *lifecycle) mayBeLeft(step, why string) {
	l.report.Notes = append(l.report.Notes, fmt.Sprintf("%s: a %s may still exist: %s", step, l.in.Type, why))
}
