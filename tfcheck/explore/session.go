package explore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfconv"
)

// A Provider starts a provider. Explore starts it more than once: in parallel, after a
// crash, and to see whether a finding happens again.
type Provider func(ctx context.Context) (*Process, error)

// A Process is a provider that runs.
type Process struct {
	Server tfprotov6.ProviderServer
	// Exited is closed when the process has ended. It is nil for a provider in this process.
	Exited <-chan struct{}
	// Close ends the process. It may be nil.
	Close func() error
}

// Launched returns a Provider that launches an executable.
func Launched(path string, options ...driver.LaunchOption) Provider {
	return func(ctx context.Context) (*Process, error) {
		p, err := driver.Launch(ctx, path, options...)
		if err != nil {
			return nil, err
		}
		return &Process{Server: p.Server(), Exited: p.Exited(), Close: p.Close}, nil
	}
}

// A session is a provider with its configuration, which is started again after a crash.
type session struct {
	provider Provider
	config   cty.Value // of the provider; cty.NilVal if it is not known yet
	limit    time.Duration
	program  tfcheck.Program
	requests int // sent by all processes of the session

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
	process, err := s.provider(ctx)
	if err != nil {
		return err
	}
	s.process, s.guard = process, &guard{ProviderServer: process.Server, session: s}
	if s.driver, err = driver.New6(ctx, s.guard, driver.For(s.program)); err == nil {
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

// stop ends the process. The next request starts another.
func (s *session) stop() {
	if s.process != nil && s.process.Close != nil {
		_ = s.process.Close() // how it ended was seen by the request
	}
	s.process = nil
}

// An outcome is what came of a scenario.
type outcome struct {
	diags   []driver.Diagnostic // those of errors
	found   []tfcheck.Finding
	planned cty.Value // the first plan, or cty.NilVal
	crash   string    // how the provider crashed, or ""
	hung    bool      // it did not answer in time
	unsent  error     // the configuration is none that Core would send
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
	s.guard.panicked, s.guard.late = "", false
	switch sc.kind {
	case Resource:
		o, err = s.plan(ctx, sc)
	case Function:
		o, err = s.call(ctx, sc)
	default:
		err = s.validate(ctx, sc)
	}
	refused, broken, config := new(driver.RefusedError), new(driver.BrokenError), new(driver.ConfigError)
	for _, err := range joined(err) {
		switch {
		case errors.As(err, &refused):
			o.diags = append(o.diags, onlyErrors(refused.Diagnostics)...)
		case errors.As(err, &broken): // it is among the findings
		case errors.As(err, &config):
			o.unsent = err
		default:
			s.lost(&o, err)
		}
	}
	return o, ctx.Err()
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

func onlyErrors(diags []driver.Diagnostic) (errs []driver.Diagnostic) {
	for _, d := range diags {
		if d.Error {
			errs = append(errs, d)
		}
	}
	return errs
}

// crashGrace is how long a process whose connection broke may take to end.
const crashGrace = 2 * time.Second

// lost says what became of a request without a response.
func (s *session) lost(o *outcome, err error) {
	defer s.stop()
	switch {
	case s.guard.panicked != "":
		o.crash = s.guard.panicked
	case s.guard.late:
		o.hung = true
	case errors.Is(err, driver.ErrLimit):
		o.unsent = driver.ErrLimit // it was ended, so it did not crash
	default:
		select {
		case <-s.process.Exited:
			o.crash = err.Error()
		case <-time.After(crashGrace):
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
	var run *driver.Run
	if sc.then == cty.NilVal {
		run, err = instance.Plan(ctx, sc.config)
	} else {
		run, err = instance.Replan(ctx, sc.then, driver.Initially(sc.config))
	}
	for _, f := range run.Findings {
		if f.Side != tfcheck.SideRequest {
			o.found = append(o.found, f)
		}
	}
	o.planned = run.Lifecycle.InitialPlanned
	return o, err
}

// validate validates a configuration that is not planned.
func (s *session) validate(ctx context.Context, sc scenario) error {
	schema := s.catalog.Find(ctx, kinds[sc.kind], sc.typeName)
	if schema.Err != nil {
		return schema.Err
	}
	config, err := tfconv.Encode6(sc.config, schema.Type)
	if err != nil {
		return &driver.ConfigError{What: "configuration", Err: err}
	}
	var diags []*tfprotov6.Diagnostic
	rpc := ""
	switch sc.kind {
	case Data:
		rpc = "ValidateDataResourceConfig"
		resp, failed := catalog.Ask(ctx, rpc, sc.typeName, s.guard.ValidateDataResourceConfig, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: sc.typeName, Config: config})
		if err = failed; err == nil {
			diags = resp.Diagnostics
		}
	case Ephemeral:
		rpc = "ValidateEphemeralResourceConfig"
		resp, failed := catalog.Ask(ctx, rpc, sc.typeName, s.guard.ValidateEphemeralResourceConfig, &tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: sc.typeName, Config: config})
		if err = failed; err == nil {
			diags = resp.Diagnostics
		}
	case Configuration:
		return s.driver.Configure(ctx, sc.config)
	default:
		return fmt.Errorf("a %s cannot be validated", sc.kind)
	}
	if err != nil {
		return err
	}
	return catalog.Refusal(rpc, sc.typeName, catalog.Diagnostics(diags, schema.Compiled))
}
