// Package session runs scenarios in a provider, as Terraform Core does, and records the objects that
// exist.
package session

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// A Session is a configured provider that is started again after a crash.
type Session struct {
	Provider Provider
	Config   cty.Value // of the provider; cty.NilVal if not known yet
	Limit    time.Duration
	Program  tfcheck.Program
	Ledger   *Ledger // created objects; nil if nothing may be created
	Requests int     // sent by all processes of the session
	living   *Life   // the life that takes a step

	Schemas *Schemas // of all sessions
	// Unconfigured is true if the provider gets no configuration. Config is then only the
	// configuration that a report shows.
	Unconfigured bool

	Process *Process
	driver  *driver.Driver
	guard   *guard
	Catalog *catalog.Catalog
}

// Start starts the provider, unless it is running. It returns an error if the provider cannot be
// started or configured.
func (s *Session) Start(ctx context.Context) error {
	if s.Process != nil {
		return nil
	}
	living := ctx
	if s.Ledger != nil { // objects are destroyed after the context has ended
		living = context.WithoutCancel(ctx)
	}
	process, err := s.Provider(living)
	if err != nil {
		return err
	}
	s.Process = process
	s.guard = &guard{session: s, server: process.Server, configuring: cmp.Or(process.configuring, &sync.RWMutex{})}
	guarded := wire.NewServer(nil, s.guard.handle)
	applied := driver.OnApply(func(i *driver.Instance) { s.living.applied(i) })
	if s.driver, err = driver.New6(ctx, guarded, driver.For(s.Program), applied); err == nil {
		s.Catalog = &catalog.Catalog{Server: guarded}
		if s.Config != cty.NilVal {
			err = s.driver.Configure(ctx, s.Config)
		}
	}
	if err != nil {
		s.Stop()
	}
	return err
}

// Ignored returns the findings that the factory of the running process ignores.
func (s *Session) Ignored() check.Filter { return s.Process.ignored }

// Stop ends the process. The next request starts a new process.
func (s *Session) Stop() {
	if s.Process != nil && s.Process.Close != nil {
		_ = s.Process.Close() // the request has already reported how it ended
	}
	s.Process = nil
}

// An Outcome is the result of a scenario.
type Outcome struct {
	Diags  []driver.Diagnostic // errors only
	Found  []stepFinding
	Step   int              // the last step that was taken
	action objchange.Action // of an apply
	Crash  string           // the provider's output, if it crashed
	Hung   bool             // no response in time
	unsent error            // another reason for a missing response
	Leaves bool             // an object may still exist
	Stuck  bool             // the object is known, but cannot be destroyed
}

// Accepted reports whether the provider accepted the configuration.
func (o Outcome) Accepted() bool {
	return len(o.Diags) == 0 && o.Crash == "" && !o.Hung && o.unsent == nil
}

// NoResponseReason returns the reason why the request had no response, or "".
func (o Outcome) NoResponseReason() string {
	switch {
	case o.Crash != "":
		return "the provider crashes"
	case o.Hung:
		return "the provider does not respond in time"
	case o.unsent != nil:
		return o.unsent.Error()
	}
	return ""
}

// Run sends the same requests for the scenario as Core. It returns an error if the provider cannot
// be started or the context ended. If a request takes too long, Run tries once more, because the
// system may be busy. Only the second try counts.
func (s *Session) Run(ctx context.Context, sc scenario.Scenario) (o Outcome, err error) {
	before := s.Requests
	o, err = s.try(ctx, sc)
	if err != nil || !o.Hung || !sc.Plans() {
		return o, err
	}
	if err := s.Start(ctx); err != nil {
		return o, err
	}
	s.Requests = before
	return s.try(ctx, sc)
}

func (s *Session) try(ctx context.Context, sc scenario.Scenario) (o Outcome, err error) {
	if err := s.Start(ctx); err != nil {
		return o, err
	}
	switch sc.Kind {
	case scenario.Resource:
		return s.runLifecycle(ctx, sc)
	case scenario.Function:
		o, err = s.call(ctx, sc)
	case scenario.Configuration:
		err = s.driver.Configure(ctx, sc.Last().Config)
	default:
		o, err = s.data(ctx, sc)
	}
	s.classify(&o, err)
	return o, ctx.Err()
}

// classify adds the error of a run to the outcome. Findings are already in the outcome. After a
// refused read, the configuration was accepted. It stops a process that does not respond.
func (s *Session) classify(o *Outcome, err error) {
	refused, crashed := new(driver.RefusedError), new(crashError)
	if errors.As(err, &refused) {
		o.Diags = append(o.Diags, errorsOf(refused.Diagnostics)...)
	}
	exited := false
	select {
	case <-s.Process.Exited: // never closed for a provider in this process
		exited = true
	default:
	}
	switch {
	case err == nil:
		return
	case errors.As(err, &crashed):
		o.Crash = stableTrace(crashed.trace)
	case errors.Is(err, errSlow):
		o.Hung = true
	case errors.Is(err, driver.ErrLimit):
		o.unsent = driver.ErrLimit // the process was ended and did not crash
	case exited:
		o.Crash = stableTrace(err.Error())
	case errors.As(err, &refused) || errors.As(err, new(*driver.BrokenError)) || errors.Is(err, errNotRead):
		return
	default:
		o.unsent = err
		return
	}
	s.Stop()
}

// errorsOf returns the errors among diagnostics.
func errorsOf(diags []driver.Diagnostic) (errs []driver.Diagnostic) {
	for _, d := range diags {
		if d.Error {
			d.Summary, d.Detail = StableText(d.Summary), StableText(d.Detail)
			errs = append(errs, d)
		}
	}
	return errs
}

// data validates the configuration of a data source or an ephemeral resource. It also reads it if
// the scenario allows it.
func (s *Session) data(ctx context.Context, sc scenario.Scenario) (o Outcome, err error) {
	s.guard.reads = sc.Reads
	read := s.driver.ReadDataSource
	if sc.Kind == scenario.Ephemeral {
		read = s.driver.OpenEphemeral
	}
	run, err := read(ctx, sc.TypeName, sc.Last().Config)
	o.add(run.Findings)
	return o, err
}

// call calls a function. A result that does not conform to the return type is a finding.
func (s *Session) call(ctx context.Context, sc scenario.Scenario) (o Outcome, err error) {
	var arguments []any
	for _, a := range sc.Arguments() {
		arguments = append(arguments, a.Value)
	}
	run, err := s.driver.CallFunction(ctx, sc.TypeName, arguments...)
	o.add(run.Findings)
	if refused := new(driver.RefusedError); errors.As(err, &refused) {
		for i, d := range refused.Diagnostics {
			if len(d.Path) == 1 && !sc.Last().Config.Type().HasAttribute(d.Path[0].(cty.GetAttrStep).Name) {
				refused.Diagnostics[i].Path = cty.GetAttrPath(scenario.Variadic)
			}
		}
	}
	return o, err
}
