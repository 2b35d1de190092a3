package explore

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// A Provider starts a provider. Explore calls it several times: for parallel work, after a crash,
// and to check whether a finding happens again.
type Provider func(ctx context.Context) (*Process, error)

// A Process is a running provider.
type Process struct {
	Server tfprotov6.ProviderServer

	// Protocol is the version of the protocol that the provider serves, 5 or 6. The Go tests that
	// reproduce findings use it. Zero means 6.
	Protocol int
	// Exited is closed when the process has ended, before a request returns the error for that. It
	// is nil for a provider in this process.
	Exited <-chan struct{}
	// Close ends the process. It may be nil.
	Close func() error

	configuring *sync.RWMutex // common to all servers of a factory; nil if they share nothing
}

// Launched returns a Provider that launches an executable. It adds the option driver.Isolated with
// the default limits. The options can contain driver.Isolated with other limits.
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

// ProcessOf returns the process of a launched provider. A Provider that launches the executable in
// another way can use it.
func ProcessOf(p *driver.Plugin) *Process {
	return &Process{Server: p.Server(), Protocol: p.Protocol(), Exited: p.Exited(), Close: p.Close}
}

// A session is a configured provider that is started again after a crash.
type session struct {
	provider Provider
	config   cty.Value // of the provider; cty.NilVal if not known yet
	limit    time.Duration
	program  tfcheck.Program
	ledger   *ledger // created objects; nil if nothing may be created
	requests int     // sent by all processes of the session
	origins  map[*scenario.Origin]*life
	made     []*scenario.Origin // in the order of creation
	living   *life              // the life that takes a step

	process *Process
	driver  *driver.Driver
	guard   *guard
	catalog *catalog.Catalog
}

// start starts the provider, unless it is running. It returns an error if the provider cannot be
// started or configured.
func (s *session) start(ctx context.Context) error {
	if s.process != nil {
		return nil
	}
	living := ctx
	if s.ledger != nil { // objects are destroyed after the context has ended
		living = context.WithoutCancel(ctx)
	}
	process, err := s.provider(living)
	if err != nil {
		return err
	}
	s.process, s.guard = process, &guard{ProviderServer: process.Server, session: s, configuring: process.configuring}
	if s.guard.configuring == nil {
		s.guard.configuring = &sync.RWMutex{}
	}
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

// applied records the effect of a request to apply.
func (s *session) applied(i *driver.Instance) { s.living.applied(i) }

// stop ends the process. The next request starts a new process.
func (s *session) stop() {
	if s.process != nil && s.process.Close != nil {
		_ = s.process.Close() // the request has already reported how it ended
	}
	s.process = nil
}

// An outcome is the result of a scenario.
type outcome struct {
	diags   []driver.Diagnostic // errors only
	found   []seen
	step    int              // the last step that was taken
	planned cty.Value        // the first plan, or cty.NilVal
	action  objchange.Action // action of an apply
	crash   string           // the provider's output, if it crashed
	hung    bool             // no response in time
	unsent  error            // another reason for a missing response
	leaves  bool             // an object may still exist
	stuck   bool             // the object is known, but cannot be destroyed
}

// accepted reports whether the provider accepted the configuration.
func (o outcome) accepted() bool {
	return len(o.diags) == 0 && o.crash == "" && !o.hung && o.unsent == nil
}

// noResponseReason returns the reason why the request had no response, or "".
func (o outcome) noResponseReason() string {
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

// run sends the same requests for the scenario as Core. It returns an error if the provider cannot
// be started or the context ended.
func (s *session) run(ctx context.Context, sc scenario.Scenario) (o outcome, err error) {
	if err := s.start(ctx); err != nil {
		return o, err
	}
	if sc, err = s.resolved(ctx, sc); err != nil {
		if unprovided := new(notProvided); errors.As(err, &unprovided) {
			return outcome{unsent: err}, ctx.Err()
		}
		return o, err
	}
	s.guard.panicked, s.guard.timedOut = "", false
	switch sc.Kind {
	case Resource:
		if sc.Does != scenario.Plans {
			return s.runLifecycle(ctx, sc)
		}
		o, err = s.plan(ctx, sc)
	case Function:
		o, err = s.call(ctx, sc)
	case Configuration:
		err = s.driver.Configure(ctx, sc.Config)
	default:
		o, err = s.data(ctx, sc)
	}
	s.classify(&o, err)
	return o, ctx.Err()
}

// resolved returns the scenario with the values that other resources provide in this session.
func (s *session) resolved(ctx context.Context, sc scenario.Scenario) (scenario.Scenario, error) {
	if len(sc.Needs) == 0 {
		return sc, nil
	}
	all := sc.LifecycleSteps()
	for i, st := range all {
		var err error
		if all[i].Config, err = s.resolve(ctx, sc.Needs, st.Config); err != nil {
			return sc, err
		}
		if all[i].Then, err = s.resolve(ctx, sc.Needs, st.Then); err != nil {
			return sc, err
		}
	}
	if err := s.start(ctx); err != nil { // creating the other resources may have crashed it
		return sc, err
	}
	return sc.WithSteps(all), nil
}

// classify adds the error of a run to the outcome.
func (s *session) classify(o *outcome, err error) {
	refused, broken, config := new(driver.RefusedError), new(driver.BrokenError), new(driver.ConfigError)
	for _, err := range joined(err) {
		switch {
		case errors.As(err, &refused):
			o.diags = append(o.diags, errorsOf(refused.Diagnostics)...)
		case errors.As(err, &broken): // already in the findings
		case errors.Is(err, errNotRead): // the configuration was accepted
		case errors.As(err, &config), errors.Is(err, errNoID):
			o.unsent = err
		default:
			s.addMissingResponse(o, err)
		}
	}
}

// joined returns the errors that err joins.
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
			d.Summary, d.Detail = stableText(d.Summary), stableText(d.Detail)
			errs = append(errs, d)
		}
	}
	return errs
}

// These parts of a provider's texts differ each time: the name of the folder in which the provider
// is isolated, and, in a trace, the numbers of goroutines and the addresses.
var (
	folder    = regexp.MustCompile(`\bobjchange-\d+`)
	goroutine = regexp.MustCompile(`(?m)^goroutine \d+`)
	numbers   = regexp.MustCompile(`\b(goroutine |pid=|m=|0x)[0-9a-f]+`)
)

// stableText returns a text of the provider without the parts that differ each time.
func stableText(text string) string { return folder.ReplaceAllString(text, "objchange-…") }

// stableTrace returns the trace of the goroutine that crashed, without the parts that differ each
// time.
func stableTrace(trace string) string {
	if all := goroutine.FindAllStringIndex(trace, 2); len(all) > 1 {
		trace = strings.TrimSpace(trace[:all[1][0]])
	}
	return stableText(numbers.ReplaceAllString(trace, "$1…"))
}

// addMissingResponse records the reason why a request had no response.
func (s *session) addMissingResponse(o *outcome, err error) {
	defer func() {
		if o.crash != "" || o.hung || errors.Is(o.unsent, driver.ErrLimit) {
			s.stop()
		}
	}()
	switch {
	case s.guard.panicked != "":
		o.crash = stableTrace(s.guard.panicked)
	case s.guard.timedOut:
		o.hung = true
	case errors.Is(err, driver.ErrLimit):
		o.unsent = driver.ErrLimit // the process was ended and did not crash
	default:
		select {
		case <-s.process.Exited: // never closed for a provider in this process
			o.crash = stableTrace(err.Error())
		default:
			o.unsent = err
		}
	}
}

// plan plans the scenario. If the scenario has a later known configuration, plan plans again.
func (s *session) plan(ctx context.Context, sc scenario.Scenario) (o outcome, err error) {
	instance, err := s.driver.Resource(sc.TypeName)
	if err != nil {
		return o, err
	}
	var run *driver.Run
	if sc.Then == cty.NilVal {
		run, err = instance.Plan(ctx, sc.Config)
	} else {
		run, err = instance.Replan(ctx, sc.Then, driver.Initially(sc.Config))
	}
	o.add(run.Findings)
	o.planned = run.Lifecycle.InitialPlanned
	return o, err
}

// data validates the configuration of a data source or an ephemeral resource. It also reads it if
// the scenario allows it.
func (s *session) data(ctx context.Context, sc scenario.Scenario) (o outcome, err error) {
	s.guard.reads = sc.Reads
	read := s.driver.ReadDataSource
	if sc.Kind == Ephemeral {
		read = s.driver.OpenEphemeral
	}
	run, err := read(ctx, sc.TypeName, sc.Config)
	o.add(run.Findings)
	return o, err
}

// call calls a function. A result that does not conform to the return type is a finding.
func (s *session) call(ctx context.Context, sc scenario.Scenario) (o outcome, err error) {
	var arguments []any
	for _, a := range sc.Arguments() {
		arguments = append(arguments, a.Value)
	}
	run, err := s.driver.CallFunction(ctx, sc.TypeName, arguments...)
	o.add(run.Findings)
	if refused := new(driver.RefusedError); errors.As(err, &refused) {
		for i, d := range refused.Diagnostics {
			if len(d.Path) == 1 && !sc.Config.Type().HasAttribute(d.Path[0].(cty.GetAttrStep).Name) {
				refused.Diagnostics[i].Path = cty.GetAttrPath(scenario.Variadic)
			}
		}
	}
	return o, err
}
