package explore

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// A Provider starts a provider. Explore starts it more than once: in parallel, after a
// crash, and to see whether a finding happens again.
type Provider func(ctx context.Context) (*Process, error)

// A Process is a provider that runs.
type Process struct {
	Server tfprotov6.ProviderServer

	// Protocol is the protocol that the provider serves itself, 5 or 6, for the Go tests that
	// reproduce findings. Zero is 6.
	Protocol int
	// Exited is closed when the process has ended, before a request returns that it ended. It is
	// nil for a provider in this process.
	Exited <-chan struct{}
	// Close ends the process. It may be nil.
	Close func() error
}

// Launched returns a Provider that launches an executable, with driver.Isolated unless the
// options have it with other limits.
func Launched(path string, options ...driver.LaunchOption) Provider {
	options = append([]driver.LaunchOption{driver.Isolated(driver.Limits{})}, options...)
	return func(ctx context.Context) (*Process, error) {
		p, err := driver.Launch(ctx, path, options...)
		if err != nil {
			return nil, err
		}
		return ProcessOf(p), nil
	}
}

// ProcessOf returns the process of a launched provider, for a Provider that launches it in a
// way of its own.
func ProcessOf(p *driver.Plugin) *Process {
	return &Process{Server: p.Server(), Protocol: p.Protocol(), Exited: p.Exited(), Close: p.Close}
}

// A session is a provider with its configuration, which is started again after a crash.
type session struct {
	provider Provider
	config   cty.Value // of the provider; cty.NilVal if it is not known yet
	limit    time.Duration
	program  tfcheck.Program
	ledger   *ledger // of what is created; nil if nothing may be
	requests int     // sent by all processes of the session
	origins  map[*origin]*life
	made     []*origin // in order
	living   *life     // that takes a step

	process *Process
	driver  *driver.Driver
	guard   *guard
	catalog *catalog.Catalog
}

// start starts the provider, unless it runs. The error says that it cannot be started or
// configured.
func (s *session) start(ctx context.Context) error {
	if s.process != nil {
		return nil
	}
	living := ctx
	if s.ledger != nil { // what exists is destroyed after the context has ended
		living = context.WithoutCancel(ctx)
	}
	process, err := s.provider(living)
	if err != nil {
		return err
	}
	s.process, s.guard = process, &guard{ProviderServer: process.Server, session: s}
	if s.driver, err = driver.New6(ctx, s.guard, driver.For(s.program), driver.OnApply(s.applied)); err == nil {
		s.catalog = &catalog.Catalog{Source: catalog.Of6(s.guard)}
		if s.config != cty.NilVal {
			err = s.driver.Configure(ctx, s.config)
		}
	}
	if err != nil {
		s.stop()
	}
	return err
}

// applied notes what a request to apply has done.
func (s *session) applied(i *driver.Instance) { s.living.applied(i) }

// stop ends the process. The next request starts another.
func (s *session) stop() {
	if s.process != nil && s.process.Close != nil {
		_ = s.process.Close() // how it ended was seen by the request
	}
	s.process = nil
}

// An outcome is what came of a scenario.
type outcome struct {
	diags    []driver.Diagnostic // those of errors
	refusing string              // the RPC that returned them
	found    []seen
	step     int              // the last one that was taken
	planned  cty.Value        // the first plan, or cty.NilVal
	action   objchange.Action // of an apply
	crash    string           // how the provider crashed, or ""
	hung     bool             // it did not answer in time
	unsent   error            // the configuration is none that Core would send
	leaves   bool             // an object may still exist
	stuck    bool             // and it is known, but cannot be destroyed
}

// accepted reports whether the provider accepted the configuration.
func (o outcome) accepted() bool {
	return len(o.diags) == 0 && o.crash == "" && !o.hung && o.unsent == nil
}

// silence says why there was no response to the request, or returns "".
func (o outcome) silence() string {
	switch {
	case o.crash != "":
		return "the provider crashes"
	case o.hung:
		return "the provider does not respond in time"
	case o.unsent != nil:
		return o.unsent.Error()
	}
	return ""
}

// run does what Core does with the scenario. The error says that the provider cannot be
// started.
func (s *session) run(ctx context.Context, sc scenario) (o outcome, err error) {
	if err := s.start(ctx); err != nil {
		return o, err
	}
	if sc, err = s.resolved(ctx, sc); err != nil {
		if unprovided := new(notProvided); errors.As(err, &unprovided) {
			return outcome{unsent: err}, ctx.Err()
		}
		return o, err
	}
	s.guard.panicked, s.guard.late = "", false
	switch sc.kind {
	case Resource:
		if sc.does != plans {
			return s.live(ctx, sc)
		}
		o, err = s.plan(ctx, sc)
	case Function:
		o, err = s.call(ctx, sc)
	case Configuration:
		err = s.driver.Configure(ctx, sc.config)
	default:
		o, err = s.data(ctx, sc)
	}
	s.sort(&o, err)
	return o, ctx.Err()
}

// resolved returns the scenario with what other resources provide in this session.
func (s *session) resolved(ctx context.Context, sc scenario) (scenario, error) {
	if len(sc.needs) == 0 {
		return sc, nil
	}
	all := sc.life()
	for i, st := range all {
		var err error
		if all[i].config, err = s.resolve(ctx, sc.needs, st.config); err != nil {
			return sc, err
		}
		if all[i].then, err = s.resolve(ctx, sc.needs, st.then); err != nil {
			return sc, err
		}
	}
	if err := s.start(ctx); err != nil { // creating may have crashed it
		return sc, err
	}
	return sc.lived(all), nil
}

// sort adds what the error of a run says to its outcome.
func (s *session) sort(o *outcome, err error) {
	refused, broken, config := new(driver.RefusedError), new(driver.BrokenError), new(driver.ConfigError)
	for _, err := range joined(err) {
		switch {
		case errors.As(err, &refused):
			o.diags, o.refusing = append(o.diags, errorsOf(refused.Diagnostics)...), refused.RPC
		case errors.As(err, &broken): // it is among the findings
		case errors.Is(err, errNotRead): // it was accepted
		case errors.As(err, &config), errors.Is(err, errNoID):
			o.unsent = err
		default:
			s.lost(o, err)
		}
	}
}

// joined returns the errors that are joined in one.
func joined(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok && !errors.As(err, new(*driver.BrokenError)) {
		return all.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// errorsOf returns the errors among diagnostics.
func errorsOf(diags []driver.Diagnostic) (errs []driver.Diagnostic) {
	for _, d := range diags {
		if d.Error {
			d.Summary, d.Detail = lasting(d.Summary), lasting(d.Detail)
			errs = append(errs, d)
		}
	}
	return errs
}

// A provider's texts differ each time that it runs: in the name of the folder that it is
// isolated in, and a trace in goroutines and addresses, too.
var (
	folder    = regexp.MustCompile(`\bobjchange-\d+`)
	goroutine = regexp.MustCompile(`(?m)^goroutine \d+`)
	numbers   = regexp.MustCompile(`\b(goroutine |pid=|m=|0x)[0-9a-f]+`)
)

// lasting returns a text of the provider without what differs each time.
func lasting(text string) string { return folder.ReplaceAllString(text, "objchange-…") }

// crashed returns what the provider wrote at its end, as far as that is the same each time:
// the trace of the goroutine that crashed.
func crashed(trace string) string {
	if all := goroutine.FindAllStringIndex(trace, 2); len(all) > 1 {
		trace = strings.TrimSpace(trace[:all[1][0]])
	}
	return lasting(numbers.ReplaceAllString(trace, "$1…"))
}

// lost says what became of a request without a response.
func (s *session) lost(o *outcome, err error) {
	defer func() {
		if o.crash != "" || o.hung || errors.Is(o.unsent, driver.ErrLimit) {
			s.stop()
		}
	}()
	switch {
	case s.guard.panicked != "":
		o.crash = crashed(s.guard.panicked)
	case s.guard.late:
		o.hung = true
	case errors.Is(err, driver.ErrLimit):
		o.unsent = driver.ErrLimit // it was ended, so it did not crash
	default:
		select {
		case <-s.process.Exited: // never in this process
			o.crash = crashed(err.Error())
		default:
			o.unsent = err
		}
	}
}

// plan plans the scenario, and plans again if a later configuration is known.
func (s *session) plan(ctx context.Context, sc scenario) (o outcome, err error) {
	instance, err := s.driver.Resource(sc.typeName)
	if err != nil {
		return o, err
	}
	if sc.old != nil {
		return s.takeOver(ctx, instance, sc)
	}
	var run *driver.Run
	if sc.then == cty.NilVal {
		run, err = instance.Plan(ctx, sc.config)
	} else {
		run, err = instance.Replan(ctx, sc.then, driver.Initially(sc.config))
	}
	o.add(run.Findings)
	o.planned = run.Lifecycle.InitialPlanned
	return o, err
}

// data validates the configuration of a data source or an ephemeral resource, and reads it if
// the scenario says so.
func (s *session) data(ctx context.Context, sc scenario) (o outcome, err error) {
	s.guard.reads = sc.reads
	read := s.driver.ReadDataSource
	if sc.kind == Ephemeral {
		read = s.driver.OpenEphemeral
	}
	run, err := read(ctx, sc.typeName, sc.config)
	o.add(run.Findings)
	return o, err
}
