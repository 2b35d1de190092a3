// Package explore finds faults in a provider from its schema alone. It generates
// configurations, learns from the provider's diagnostics which values it accepts, plans
// them, and checks each plan by the rules of Terraform Core.
//
// In a provider's tests, one call explores all of its types. Each finding is a subtest,
// which shows a minimal configuration and a Go test that reproduce it:
//
//	func TestExplore(t *testing.T) {
//		explore.Run(t, testAccProtoV6ProviderFactories["cloud"])
//	}
//
// Without Apply, nothing is applied: resources are validated and planned. States from hints are
// upgraded or moved. Data sources and ephemeral resources are validated; they are read only where
// hints allow it. Provider functions are called, because Terraform calls them when it plans.
//
// The same provider, options and seed give the same report.
package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/globs"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// An Option changes how Explore and Run explore.
type Option func(*options)

type options struct {
	types    []pattern
	seed     uint64
	budget   int
	limit    time.Duration
	hints    *Hints
	corpus   string
	program  tfcheck.Program
	address  string
	applies  []pattern
	state    string
	progress func(Progress)

	confirming *terraform // nil: nothing is confirmed
}

// Types explores only the types whose names match one of the patterns, in which * is any
// text. A pattern that matches none is an error.
func Types(patterns ...string) Option {
	return func(o *options) {
		for _, p := range patterns {
			o.types = append(o.types, pattern{p, "types", globs.New(p)})
		}
	}
}

// Seed chooses the random configurations. The default is 1.
func Seed(seed uint64) Option { return func(o *options) { o.seed = seed } }

// Requests limits the requests for each type. The default is 500. Replaying and shrinking
// what was found takes more.
func Requests(n int) Option { return func(o *options) { o.budget = n } }

// TimeLimit limits the time of each request, after which the provider is started again.
// After three such requests a type is explored no further. The default is 30 seconds.
func TimeLimit(limit time.Duration) Option { return func(o *options) { o.limit = limit } }

// WithHints uses what an author knows of the provider.
func WithHints(h *Hints) Option { return func(o *options) { o.hints = h } }

// Corpus keeps accepted configurations and findings in the folder, and tries first those
// that are there.
func Corpus(folder string) Option { return func(o *options) { o.corpus = folder } }

// For checks for that program. The default is Terraform.
func For(program tfcheck.Program) Option { return func(o *options) { o.program = program } }

// Address is the provider's source address, such as "hashicorp/time", for the configurations
// that reproduce findings. Without it, they use what Terraform infers from the type name.
func Address(source string) Option { return func(o *options) { o.address = source } }

// Apply allows objects to be created, changed and destroyed: those of the resource types whose
// names match one of the patterns. A pattern that matches no resource type is an error.
func Apply(patterns ...string) Option {
	return func(o *options) {
		for _, p := range patterns {
			o.applies = append(o.applies, pattern{p, "apply", globs.New(p)})
		}
	}
}

// StateFile keeps the state of what is applied in a file, until it is destroyed. What could not be
// destroyed stays there: the file is a state file of Terraform, with sensitive values. A file with
// objects is an error, because an earlier exploration left them.
func StateFile(file string) Option { return func(o *options) { o.state = file } }

// OnProgress calls the function after each type, one call at a time.
func OnProgress(f func(Progress)) Option { return func(o *options) { o.progress = f } }

// Progress is how far the exploration has come. In the end, Confirming findings are confirmed,
// and Confirmed of them were run.
type Progress struct{ Types, Done, Reached, Requests, Findings, Confirming, Confirmed int }

// A Result is what Explore found.
type Result struct {
	Types    []Type    `json:"types"`              // in order of kind and name, then the provider's own configuration if there is a finding
	Findings []Finding `json:"findings"`           // that happened again in a new process
	Unstable []Finding `json:"unstable,omitempty"` // that did not
	// Unconfirmed are findings that Terraform did not confirm: mistakes of explore.
	Unconfirmed []Finding `json:"unconfirmed,omitempty"`
	Left        []Left    `json:"left,omitempty"`  // objects that exist because of the exploration
	Requests    int       `json:"requests"`        // sent to the provider
	Notes       []string  `json:"notes,omitempty"` // what else matters, such as corpus files that cannot be used
}

// Reached returns how many types were reached, and how many were to be: skipped types are
// not counted, and neither is the provider's own configuration.
func (r *Result) Reached() (reached, of int) {
	for _, t := range r.Types {
		if t.Skipped != "" || t.Kind == Configuration {
			continue
		}
		if of++; t.Reached {
			reached++
		}
	}
	return reached, of
}

// A Type is what became of one type.
type Type struct {
	Kind     Kind   `json:"kind"`
	Name     string `json:"name"`
	Reached  bool   `json:"reached"` // a configuration was accepted
	Requests int    `json:"requests"`
	// Unreached says what the provider refused last, and which hint would help.
	Unreached string `json:"unreached,omitempty"`
	Skipped   string `json:"skipped,omitempty"` // why, from the hints
	// Lifecycle has what was done with objects of the type, in order of the first time: "create",
	// "update", "replace", "import", "import by identity" and "destroy".
	Lifecycle []string `json:"lifecycle,omitempty"`
	// Unapplied says why no object could be created.
	Unapplied string `json:"unapplied,omitempty"`
	// Interrupted says that the exploration ended before all of the type was explored.
	Interrupted bool `json:"interrupted,omitempty"`
}

// A Finding is one cause: the same rule is broken in the same way, perhaps in several
// places.
type Finding struct {
	Rule     objchange.Rule   `json:"rule"`
	Severity tfcheck.Severity `json:"severity"`
	Message  string           `json:"message"`
	Known    string           `json:"known,omitempty"`  // the reason, from the hints; then it does not count
	Places   []Place          `json:"places"`           // all of them, the first is reproduced
	Phase    Phase            `json:"phase"`            // in which it was found
	About    string           `json:"about,omitempty"`  // what is special about the configuration
	HCL      string           `json:"hcl"`              // a minimal configuration
	Steps    []Step           `json:"steps,omitempty"`  // of a lifecycle, the first with HCL
	GoTest   string           `json:"go_test"`          // that fails; "" for a zero value of the legacy SDK
	Requests int              `json:"requests"`         // for the type, until it was found
	Detail   string           `json:"detail,omitempty"` // of a crash: what the provider wrote
	// Confirmed is what Terraform said; nil if it was not asked.
	Confirmed *Confirmation `json:"confirmed,omitempty"`
}

// A Place is where a rule is broken.
type Place struct {
	Kind Kind   `json:"kind"`
	Type string `json:"type"`
	Path string `json:"path"` // nothing sensitive is in it
}

// Explore explores a provider. The error says that the provider cannot be started, that it
// accepts no configuration of its own, that an option or a hint is wrong, that the corpus cannot
// be read or written, or that the context ended. The result is never nil, and has what was found
// until then.
func Explore(ctx context.Context, provider Provider, opts ...Option) (*Result, error) {
	o := options{seed: 1, budget: 500, limit: 30 * time.Second}
	for _, opt := range opts {
		opt(&o)
	}
	e := &explorer{options: o, provider: provider, config: cty.NilVal, secrets: o.hints.secrets(nil, nil)}
	if len(o.applies) > 0 {
		e.ledger = &ledger{file: o.state}
	}
	targets, err := e.begin(ctx)
	all, which := make([]*found, len(targets)), make([]int, len(targets))
	for i := range which {
		which[i] = i
	}
	if err == nil {
		err = e.all(ctx, targets, all, which)
	}
	if err == nil {
		err = e.again(ctx, targets, all)
	}
	if e.own != nil {
		if i := slices.IndexFunc(all, func(f *found) bool { return f != nil && f.accepted != nil }); i >= 0 {
			e.naming.user = all[i].accepted
		}
		err = cmp.Or(err, e.own.confirm(ctx))
		all = append(all, e.own.found)
	}
	if e.confirming != nil && err == nil {
		e.confirmAll(ctx, all)
		err = ctx.Err()
	}
	r := e.result(all)
	left, failed := e.ledger.close()
	r.Left = e.secrets.left(left)
	return r, e.secrets.err(cmp.Or(err, failed))
}

// An explorer explores one provider. Its workers share it and only read it, but for what
// the mutex guards.
type explorer struct {
	options
	provider Provider
	config   cty.Value // of the provider, accepted
	own      *prober   // of it; nil if the provider has none
	learns   bool      // it, because the hints do not have it
	naming   naming
	notes    []string
	secrets  secrets
	ledger   *ledger // nil if nothing may be applied

	resources []target // all, also those that are not explored

	corpusFor map[target][]scenario

	requests int // before the workers began

	mu     sync.Mutex
	so     Progress
	unkept int // configurations with secrets, which the corpus does not have
}

// A target is a type to explore.
type target struct {
	kind   Kind
	name   string
	schema *catalog.Schema
}

// begin asks for the schemas, and finds a configuration of the provider.
func (e *explorer) begin(ctx context.Context) (targets []target, err error) {
	if e.confirming != nil {
		if err := e.confirming.begin(ctx, &e.options); err != nil {
			return nil, err
		}
	}
	s := e.session()
	defer s.stop()
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	provided, err := s.catalog.Load(ctx)
	if err != nil {
		return nil, err
	}
	for _, kind := range []Kind{Resource, Data, Ephemeral} {
		for _, name := range provided.Names(kinds[kind]) {
			targets = append(targets, target{kind, name, s.catalog.Find(ctx, kinds[kind], name)})
		}
	}
	if len(targets) > 0 {
		e.naming.name, _, _ = strings.Cut(targets[0].name, "_")
	}
	for _, t := range targets {
		if t.kind == Resource {
			e.resources = append(e.resources, t)
		}
	}
	targets = append(targets, functions(provided.Functions)...)
	err = e.configure(ctx, s, provided, targets)
	e.secrets = e.hints.secrets(e.naming.schema.Block(), targets)
	if err == nil {
		err = errors.Join(e.checkTypes(targets), e.hints.check(targets, e.naming.schema.Block()))
	}
	if err == nil && e.corpus != "" {
		e.corpusFor, e.notes, err = corpus{dir: e.corpus}.load(targets)
	}
	if err == nil && e.ledger != nil {
		err = e.ledger.open(e.naming.full())
	}
	targets = slices.DeleteFunc(targets, func(t target) bool { return !e.wanted(t.name) })
	e.so.Types = len(targets)
	e.requests += s.requests
	return targets, err
}

// checkTypes returns an error for patterns of types that match none, and if Apply allows only
// types that are not explored.
func (e *explorer) checkTypes(targets []target) error {
	var problems problems
	var names, resources []string
	common := false
	for _, t := range targets {
		names = append(names, t.name)
		if t.kind == Resource {
			resources = append(resources, t.name)
			common = common || e.wanted(t.name) && slices.ContainsFunc(e.applies, func(p pattern) bool { return p.Matches(t.name) })
		}
	}
	check := func(patterns []pattern, what string, names []string) {
		for _, p := range patterns {
			if p.text == "" { // which as a glob is any text
				problems.add(p.at, "want a pattern: * is any name")
			} else {
				p.mustMatch(&problems, what, names)
			}
		}
	}
	check(e.types, "type", names)
	check(e.applies, "resource type", resources)
	if len(e.applies) > 0 && !common && problems == nil {
		problems.add("apply", "the patterns match no type that is explored")
	}
	return problems.err()
}

// session returns a session of the configured provider, which is not started yet.
func (e *explorer) session() *session {
	return &session{provider: e.provider, config: e.config, limit: e.limit, program: e.program, ledger: e.ledger}
}

func (e *explorer) wanted(name string) bool {
	return len(e.types) == 0 || slices.ContainsFunc(e.types, func(p pattern) bool { return p.Matches(name) })
}

// all explores those of the targets, on all processors.
func (e *explorer) all(ctx context.Context, targets []target, into []*found, which []int) error {
	var workers sync.WaitGroup
	next := make(chan int)
	errs := make([]error, min(runtime.GOMAXPROCS(0), max(len(which), 1)))
	for w := range errs {
		workers.Go(func() {
			s := e.session()
			defer s.stop()
			for i := range next {
				if errs[w] == nil {
					var f *found
					f, errs[w] = e.explore(ctx, s, targets[i])
					e.done(into[i], f)
					into[i] = f.after(into[i])
				}
			}
		})
	}
	for _, i := range which {
		next <- i
	}
	close(next)
	workers.Wait()
	return cmp.Or(errs...)
}

// done reports progress: what was found, before perhaps with another configuration of the
// provider, and now.
func (e *explorer) done(before, f *found) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if before == nil {
		e.so.Done++
	}
	if f != nil {
		if f.Reached {
			e.so.Reached++
		}
		e.so.Requests += f.Requests
		e.so.Findings += len(f.findings)
	}
	e.report()
}

// report reports progress. The mutex is held.
func (e *explorer) report() {
	if e.progress != nil {
		e.progress(e.so)
	}
}

// result joins what was found of all types, in their order, and in the provider's own
// configuration.
func (e *explorer) result(all []*found) *Result {
	r := &Result{Requests: e.requests, Notes: e.notes}
	causes := map[string]int{}
	for _, f := range all {
		if f == nil || f.Kind == Configuration && len(f.findings) == 0 {
			continue // the context ended before, or there is nothing to say
		}
		r.Types = append(r.Types, f.Type)
		r.Requests += f.Requests + f.replayed
		r.Notes = append(r.Notes, f.notes...)
		for _, c := range f.findings {
			if c.replayed { // otherwise the context ended before
				r.add(c, causes)
			}
		}
	}
	if e.unkept > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("configurations with sensitive values from the hints, or with values of other resources, which the corpus does not keep: %d", e.unkept))
	}
	numberTests(r.Findings)
	r.Notes = append(r.Notes, e.hints.unmatched(r)...)
	r.separate()
	return e.secrets.result(r)
}

// add adds a finding, or its place to another finding of the same cause.
func (r *Result) add(c *candidate, causes map[string]int) {
	list := &r.Findings
	if c.unstable {
		list = &r.Unstable
	}
	key := fmt.Sprint(c.unstable, c.cause())
	if i, known := causes[key]; known {
		if !slices.Contains((*list)[i].Places, c.Places[0]) {
			(*list)[i].Places = append((*list)[i].Places, c.Places...)
		}
		return
	}
	causes[key] = len(*list)
	*list = append(*list, c.Finding)
}
