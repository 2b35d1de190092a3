// Package explore finds faults in a provider from its schema alone. It generates configurations,
// learns from the provider's diagnostics which values the provider accepts, plans the
// configurations, and checks each plan by the rules of Terraform Core.
//
// In a provider's tests, one call explores all of its types. Each finding is a subtest. It shows a
// minimal configuration and a Go test that reproduce the finding:
//
//	func TestExplore(t *testing.T) {
//		explore.Run(t, testAccProtoV6ProviderFactories, "cloud")
//	}
//
// Without the option [Apply], nothing is applied. Resources are validated and planned. Data sources
// and ephemeral resources are validated, and are not read unless hints allow it. Provider functions
// are called, because Terraform calls them when it plans.
//
// The same provider, options and seed give the same report.
package explore

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/explore/internal/confirm"
	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
	"github.com/objchange/objchange/tfcheck/internal/check"
)

// An Option configures Explore and Run.
type Option func(*options)

type options struct {
	types        []hints.Pattern
	seed         uint64
	budget       int
	limit        time.Duration
	hints        *hints.Hints
	program      tfcheck.Program
	address      string
	applies      []hints.Pattern
	state        string
	unconfigured bool
	progress     func(Progress)

	confirmWith, executable string // programs for confirmation, or ""
}

// Types limits the exploration to the types whose names match one of the patterns. In a pattern, *
// matches any text. A pattern that matches no type is an error.
func Types(patterns ...string) Option {
	return func(o *options) { o.types = append(o.types, patternsAt("types", patterns)...) }
}

// Seed sets the seed for the random configurations. The default is 1.
func Seed(seed uint64) Option { return func(o *options) { o.seed = seed } }

// Requests limits the number of requests for each type. The default is 500. Replaying and shrinking
// findings takes additional requests.
func Requests(n int) Option { return func(o *options) { o.budget = n } }

// TimeLimit limits the time of each request. The default is 30 seconds. After a request that takes
// longer, Explore restarts the provider and sends it once more. After two such requests, Explore
// stops exploring the type.
func TimeLimit(limit time.Duration) Option { return func(o *options) { o.limit = limit } }

// WithHints passes hints about the provider.
func WithHints(h *hints.Hints) Option { return func(o *options) { o.hints = h } }

// For selects the program whose rules apply. The default is Terraform.
func For(program tfcheck.Program) Option { return func(o *options) { o.program = program } }

// Address sets the provider's source address, such as "hashicorp/time", for the configurations that
// reproduce findings. Without it, the configurations use the address that Terraform infers from the
// type name.
func Address(source string) Option { return func(o *options) { o.address = source } }

// Apply allows Explore to create, change and destroy objects of the resource types whose names
// match one of the patterns. A pattern that matches no resource type is an error.
func Apply(patterns ...string) Option {
	return func(o *options) { o.applies = append(o.applies, patternsAt("apply", patterns)...) }
}

func patternsAt(at string, texts []string) (all []hints.Pattern) {
	for _, text := range texts {
		all = append(all, hints.NewPattern(text, at))
	}
	return all
}

// Unconfigured explores the provider without configuring it, for a provider that logs in when it is
// configured. Explore validates and plans only. Crashes are no findings, because Terraform always
// configures a provider.
func Unconfigured() Option { return func(o *options) { o.unconfigured = true } }

// StateFile sets a file that stores the state of created objects until they are destroyed. Objects
// that cannot be destroyed stay in the file. The file is a Terraform state file with sensitive
// values. Explore returns an error if the file exists, because it may contain objects that an
// earlier exploration left.
func StateFile(file string) Option { return func(o *options) { o.state = file } }

// OnProgress sets a function that is called after each type, after each confirmation, and before
// each try to configure the provider. Calls do not overlap.
func OnProgress(f func(Progress)) Option { return func(o *options) { o.progress = f } }

// Progress counts the parts of an exploration.
type Progress struct {
	Configuring           int // tried configurations of the provider; 0 when none is being tried
	Types, Done, Reached  int // types to explore, explored types, and types that were reached
	Requests, Findings    int // so far
	Confirming, Confirmed int // at the end, findings to confirm, and finished confirmations
}

// A Result is the result of Explore.
type Result struct {
	// Types are sorted by kind and name. The provider's own configuration follows if it has a
	// finding.
	Types    []Type    `json:"types"`
	Findings []Finding `json:"findings"`           // findings that happened again in a new process
	Unstable []Finding `json:"unstable,omitempty"` // findings that did not happen again
	// Unconfirmed lists the findings that Terraform did not confirm. They are bugs in explore.
	Unconfirmed []Finding  `json:"unconfirmed,omitempty"`
	Left        []Leftover `json:"left,omitempty"`  // objects that the exploration left
	Requests    int        `json:"requests"`        // number of requests sent to the provider
	Notes       []string   `json:"notes,omitempty"` // other remarks
}

// Reached returns the number of types that were reached, and the number of types that were to be
// reached. It counts neither skipped types nor the provider's own configuration.
func (r *Result) Reached() (reached, of int) {
	for _, t := range r.Types {
		if t.Skipped != "" || t.Kind == Configuration {
			continue
		}
		of++
		if t.Reached {
			reached++
		}
	}
	return reached, of
}

// A Type is the result for one type.
type Type struct {
	Kind     Kind   `json:"kind"`
	Name     string `json:"name"`
	Reached  bool   `json:"reached"` // whether a configuration was accepted
	Requests int    `json:"requests"`
	// Unreached contains the provider's last refusal, and the hint that would help.
	Unreached string `json:"unreached,omitempty"`
	Skipped   string `json:"skipped,omitempty"` // the reason from the hints
	// Limited lists the phases that ended because of the limit of requests.
	Limited []Phase `json:"limited,omitempty"`
	// Lifecycle lists the actions that succeeded on objects of the type, in the order in which they
	// first happened: "create", "update", "replace", "import", "import by identity" and "destroy".
	Lifecycle []string `json:"lifecycle,omitempty"`
	// Unapplied is the reason why no object could be created.
	Unapplied string `json:"unapplied,omitempty"`
	// Interrupted is true if the exploration ended before the type was explored completely.
	Interrupted bool `json:"interrupted,omitempty"`
}

// A Finding is a fault with one cause: the same rule is broken at attributes of the same name, or by
// the legacy SDK, possibly in several places.
type Finding struct {
	Rule     objchange.Rule     `json:"rule"`
	Severity objchange.Severity `json:"severity"`
	Message  string             `json:"message"`
	// Known is the reason from tfcheck.Ignore. If it is set, the finding does not count.
	Known  string  `json:"known,omitempty"`
	Places []Place `json:"places"` // all places; HCL, Steps and GoTest reproduce the first
	Phase  Phase   `json:"phase"`  // the phase that found it
	HCL    string  `json:"hcl"`    // a minimal configuration that reproduces the finding
	// Steps are set for a lifecycle, or if there are several. HCL is the configuration of the first
	// step.
	Steps    []repro.Step `json:"steps,omitempty"`
	GoTest   string       `json:"go_test"`          // a test file; "" for a zero value of the legacy SDK
	GoFunc   string       `json:"-"`                // the function of GoTest, which fails
	Requests int          `json:"requests"`         // number of requests for the type until it was found
	Detail   string       `json:"detail,omitempty"` // the provider's output, for a crash
	// Confirmed is the result of running the finding with Terraform or OpenTofu, or nil if it was
	// not run.
	Confirmed *Confirmation `json:"confirmed,omitempty"`
}

// A Place is a place where a rule is broken.
type Place struct {
	Kind Kind   `json:"kind"`
	Type string `json:"type"`
	Path string `json:"path"` // contains nothing sensitive
}

// Explore explores a provider. It returns an error if the provider cannot be started, if the
// provider accepts no configuration of its own, if an option or a hint is wrong, or if the context
// ends. The result is never nil. With an error, it contains the findings up to that error.
func Explore(ctx context.Context, provider Provider, opts ...Option) (*Result, error) {
	o := options{seed: 1, budget: 500, limit: 30 * time.Second}
	for _, opt := range opts {
		opt(&o)
	}
	e := &explorer{o: o, provider: provider, config: cty.NilVal, secrets: o.hints.Secrets(nil, nil)}
	if len(o.applies) > 0 {
		e.ledger = &session.Ledger{File: o.state}
	}
	err := e.begin(ctx)
	if err == nil {
		err = e.exploreAll(ctx, e.types)
	}
	if err == nil {
		err = e.retryUnreached(ctx)
	}
	if e.own != nil {
		if i := slices.IndexFunc(e.types, func(f *typeResult) bool { return f.accepted != nil }); i >= 0 {
			e.naming.User = e.types[i].accepted
		}
		replayErr := e.own.replayAll(ctx)
		err = cmp.Or(err, replayErr)
		e.types = append(e.types, e.own.found)
	}
	causes := causesOf(e.types)
	if e.confirming != nil && err == nil {
		e.confirmAll(ctx, causes)
		err = ctx.Err()
	}
	r := e.result(causes)
	r.Left = e.ledger.Left()
	hideResult(e.secrets, r)
	return r, hideErr(e.secrets, cmp.Or(err, e.ledger.Failed()))
}

// An explorer explores one provider. Its workers share it. They only read it, except for the fields
// that the mutex guards.
type explorer struct {
	o        options
	provider Provider
	config   cty.Value // the provider's configuration, which the provider accepted
	own      *prober   // explores the provider's own configuration; nil if the provider has none
	learns   bool      // whether config is learned, because the hints do not contain it
	naming   repro.Naming
	secrets  hints.Secrets
	schemas  session.Schemas
	ignored  check.Filter    // findings that the factory ignores
	ledger   *session.Ledger // nil if nothing may be applied

	confirming *confirm.Program // nil if findings are not confirmed

	types     []*typeResult
	resources []scenario.Target // all resource types, including types that are not explored

	requests int // requests before the workers started

	mu     sync.Mutex
	counts Progress
}

// begin loads the schemas and finds a configuration that the provider accepts.
func (e *explorer) begin(ctx context.Context) (err error) {
	if e.o.confirmWith != "" {
		limit := 4 * e.o.limit // a command sends several requests
		e.confirming, err = confirm.New(ctx, e.o.confirmWith, e.o.executable, e.o.hints.Env(), limit)
		if err != nil {
			return err
		}
	}
	s := e.session()
	defer s.Stop()
	if err := s.Start(ctx); err != nil {
		return err
	}
	e.ignored = s.Ignored()
	provided, err := s.Catalog.Load(ctx)
	if err != nil {
		return err
	}
	var targets []scenario.Target
	for _, kind := range []Kind{Resource, Data, Ephemeral} {
		for _, name := range provided.Names(kind.Schema()) {
			schema := s.Catalog.Find(ctx, kind.Schema(), name)
			targets = append(targets, scenario.Target{Kind: kind, Name: name, Schema: schema})
		}
		if kind == Resource {
			e.resources = slices.Clone(targets)
		}
	}
	if len(targets) > 0 {
		e.naming.Name, _, _ = strings.Cut(targets[0].Name, "_")
	}
	targets = append(targets, scenario.Functions(provided.Functions)...)
	err = e.configure(ctx, s)
	e.secrets = e.o.hints.Secrets(e.naming.Schema.Block(), targets)
	e.naming.Hide = e.secrets.Hide
	if err == nil {
		err = errors.Join(e.checkTypes(targets), e.o.hints.Check(targets, e.naming.Schema.Block()))
	}
	if err == nil && e.ledger != nil {
		err = e.ledger.Open(e.naming.Full())
	}
	for _, t := range targets {
		if e.wanted(t.Name) {
			e.types = append(e.types, resultOf(t))
		}
	}
	e.counts.Types = len(e.types)
	e.requests += s.Requests
	return err
}

// checkTypes returns an error for patterns that match no type. It also returns an error if all
// types that Apply allows are excluded from the exploration.
func (e *explorer) checkTypes(targets []scenario.Target) error {
	var problems hints.Problems
	check := func(patterns []hints.Pattern, what string, among []scenario.Target) {
		var names []string
		for _, t := range among {
			names = append(names, t.Name)
		}
		for _, p := range patterns {
			p.Check(&problems, what, names)
		}
	}
	check(e.o.types, "type", targets)
	check(e.o.applies, "resource type", e.resources)
	applied := func(t scenario.Target) bool { return e.wanted(t.Name) && matches(e.o.applies, t.Name) }
	switch {
	case len(e.o.applies) == 0:
	case e.o.unconfigured:
		problems.Add("apply", "a provider that is not configured applies nothing")
	case problems.Err() == nil && !slices.ContainsFunc(e.resources, applied):
		problems.Add("apply", "no explored type matches the patterns")
	}
	return problems.Err()
}

// session returns a session of the configured provider. It does not start the provider.
func (e *explorer) session() *session.Session {
	return &session.Session{
		Provider: e.provider, Config: e.config, Limit: e.o.limit, Program: e.o.program, Ledger: e.ledger,
		Schemas: &e.schemas, Unconfigured: e.o.unconfigured,
	}
}

func (e *explorer) wanted(name string) bool {
	return len(e.o.types) == 0 || matches(e.o.types, name)
}

// matches reports whether one of the patterns matches the name.
func matches(patterns []hints.Pattern, name string) bool {
	return slices.ContainsFunc(patterns, func(p hints.Pattern) bool { return p.Matches(name) })
}

// exploreAll explores types on all processors, and reports progress.
func (e *explorer) exploreAll(ctx context.Context, types []*typeResult) error {
	return distribute(types, runtime.GOMAXPROCS(0), func(next <-chan *typeResult) (err error) {
		s := e.session()
		defer s.Stop()
		for f := range next {
			if err != nil {
				continue
			}
			before := *f
			err = e.explore(ctx, s, f)
			e.count(func(p *Progress) {
				if !before.explored {
					p.Done++
				}
				if f.reported.Reached {
					p.Reached++
				}
				p.Requests += f.reported.Requests - before.reported.Requests
				p.Findings += len(f.findings) - len(before.findings)
			})
		}
		return err
	})
}

// distribute passes the elements to at most n workers. A worker must receive until the channel is
// closed. distribute returns an error of a worker.
func distribute[T any](all []T, n int, worker func(next <-chan T) error) error {
	var workers sync.WaitGroup
	next := make(chan T)
	errs := make([]error, min(n, len(all)))
	for w := range errs {
		workers.Go(func() { errs[w] = worker(next) })
	}
	for _, one := range all {
		next <- one
	}
	close(next)
	workers.Wait()
	return cmp.Or(errs...)
}

// count changes the progress and reports it.
func (e *explorer) count(change func(*Progress)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(&e.counts)
	if e.o.progress != nil {
		e.o.progress(e.counts)
	}
}

// unconfiguredNote is the first note about a provider that was not configured.
const unconfiguredNote = "the provider was not configured: only validation and plans were checked, " +
	"and crashes are not reported"

// result combines the results of all types, in their order, and of the provider's own
// configuration. The causes are the findings.
func (e *explorer) result(causes []*candidate) *Result {
	r := &Result{Requests: e.requests}
	if e.o.unconfigured {
		r.Notes = []string{unconfiguredNote}
	}
	for _, f := range e.types {
		if !f.explored || f.reported.Kind == Configuration && len(f.findings) == 0 {
			continue // the context ended before the type was explored, or there is nothing to report
		}
		r.Types = append(r.Types, f.reported)
		r.Requests += f.reported.Requests + f.replayed
		r.Notes = append(r.Notes, f.notes...)
	}
	names := repro.TestNames{}
	for _, c := range causes {
		f := c.finding
		if f.HCL != "" {
			f.GoTest, f.GoFunc = repro.GoTest(c.broken.Scenario, e.naming, repro.Fault{
				Path: f.Places[0].Path, Rule: string(f.Rule), About: e.secrets.Hide(f.Message), Severity: f.Severity,
			}, names)
		}
		list := &r.Findings
		switch {
		case c.unstable:
			list = &r.Unstable
		case f.Confirmed != nil && f.Confirmed.Verdict == Unconfirmed:
			list = &r.Unconfirmed
		}
		*list = append(*list, f)
	}
	return r
}
