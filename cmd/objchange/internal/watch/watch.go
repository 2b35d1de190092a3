// Package watch has the providers of Terraform or OpenTofu judged while a command
// runs. Each is reached through a proxy, which the variable TF_REATTACH_PROVIDERS
// makes known: the proxy passes all on as it is, and a judge looks at copies.
package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/witness"
)

// Variable is the one by which Terraform and OpenTofu find running providers.
const Variable = "TF_REATTACH_PROVIDERS"

// A Session is providers that can be reached and are checked. It is made by Start.
type Session struct {
	Config
	folder  string // of sockets, for nobody else
	judge   *judge
	value   string
	watched []*watched
}

// A watched is a provider that can be reached.
type watched struct {
	Provider
	launch   func(context.Context) (*driver.Plugin, error)
	witness  *witness.Witness
	proxy    *proxy
	listener net.Listener
	spare    chan *driver.Plugin // the process that was asked for its protocol
	served   chan error
}

// A Config says what to watch, and how.
type Config struct {
	Dir       string // where the processes of providers run
	Providers map[string]Provider
	Before    string              // what the variable holds already
	Program   tfcheck.Program     // whose rules count; "" is Terraform
	Record    *exchanges.Recorder // records all that passes, if it is not nil
	Notes     []string            // for the report
	// Tell, if it is not nil, has findings added to the answers, except those that are Known.
	// An answer then waits until it is checked, but not for long.
	Tell  tfcheck.Report
	Known func(report.Subject, report.Finding) bool

	limit func() <-chan time.Time // of an answer's patience, if it is not nil
}

// Start makes the providers reachable, and starts a process of each. It keeps what the
// variable holds already: those providers are not checked. A provider that cannot be
// watched, and is not Named, is left to the program, which may not use it. End a session
// that started with Report.
func Start(ctx context.Context, c Config) (*Session, error) {
	value, err := readVariable(c.Before)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "objchange-watch-") // with 0700
	if err != nil {
		return nil, err
	}
	s := &Session{folder: folder, judge: newJudge(), Config: c}
	if c.Tell != nil {
		s.judge.teller = &teller{report: c.Tell, known: c.Known, limit: c.limit}
	}
	running := slices.Sorted(maps.Keys(value))
	for _, address := range running {
		s.Notes = append(s.Notes, fmt.Sprintf("%s runs already, as %s has it, and is not judged", address, Variable))
	}
	for _, address := range slices.Sorted(maps.Keys(c.Providers)) {
		if !slices.ContainsFunc(running, func(source string) bool { return standsFor(source, address) }) {
			s.watched = append(s.watched, &watched{Provider: c.Providers[address], spare: make(chan *driver.Plugin, 1), served: make(chan error, 1)})
		}
	}
	if err := s.start(ctx); err != nil {
		s.Report()
		return nil, err
	}
	for _, w := range s.watched {
		value[w.Address] = asJSON(w.reattachment())
	}
	s.value = string(asJSON(value))
	return s, nil
}

// asJSON returns the JSON of a value that always has one.
func asJSON(v any) json.RawMessage {
	text, _ := json.Marshal(v)
	return text
}

// readVariable returns what the variable holds.
func readVariable(text string) (map[string]json.RawMessage, error) {
	value := map[string]json.RawMessage{}
	if text == "" {
		return value, nil
	}
	err := json.Unmarshal([]byte(text), &value)
	if err == nil && value == nil {
		err = errors.New("it is null")
	}
	if err != nil {
		return nil, fmt.Errorf("%s is set already, and not to what it takes: %w", Variable, err)
	}
	return value, nil
}

// standsFor reports whether what may be a short address is that of a provider, of
// whatever host.
func standsFor(source, address string) bool {
	if !strings.Contains(source, "/") {
		source = "hashicorp/" + source
	}
	return source == address || strings.HasSuffix(address, "/"+source)
}

// start starts all providers at once, since large ones take their time.
func (s *Session) start(ctx context.Context) error {
	errs := make([]error, len(s.watched))
	var all sync.WaitGroup
	for i, w := range s.watched {
		socket := filepath.Join(s.folder, fmt.Sprint(i))
		all.Go(func() { errs[i] = w.start(ctx, socket, s) })
	}
	all.Wait()
	watched, failed := s.watched, []error(nil)
	s.watched = nil
	for i, w := range watched {
		switch {
		case errs[i] == nil || w.Named || ctx.Err() != nil:
			s.watched = append(s.watched, w)
		default:
			w.end()
			if w.Folder == "" { // the program may not use an override, and else reports it
				s.Notes = append(s.Notes, fmt.Sprintf("%s is not watched: %v", w.Address, errs[i]))
			}
			failed, errs[i] = append(failed, errs[i]), nil
		}
	}
	if len(s.watched) == 0 {
		errs = failed
	}
	return errors.Join(errs...)
}

// start launches a process, to ask for its protocol, and serves the proxy.
func (w *watched) start(ctx context.Context, socket string, s *Session) error {
	if err := w.verify(s.Program); err != nil {
		return err
	}
	w.launch = func(ctx context.Context) (*driver.Plugin, error) {
		return driver.Launch(ctx, w.Path, driver.WithDir(s.Dir))
	}
	// Later the session's own end is what ends a process.
	launching, cancel := context.WithCancel(context.Background())
	launched := context.AfterFunc(ctx, cancel)
	provider, err := w.launch(launching)
	launched()
	if err != nil {
		cancel()
		return err
	}
	w.spare <- provider
	if w.witness, err = witness.New(provider.Protocol(), s.Program); err != nil {
		return err
	}
	if w.listener, err = net.Listen("unix", socket); err != nil {
		return err
	}
	t := tap{
		wants:  w.witness.Wants,
		seen:   func(r *rpc) { s.judge.see(r.of(w)) },
		settle: s.judge.settle,
	}
	if s.Tell != nil {
		t.answer = func(r *rpc) []byte { return s.judge.answer(r.of(w)) }
	}
	if s.Record != nil {
		recordProvider(ctx, s.Record, w.Address, provider, w.witness)
		if err := ctx.Err(); err != nil {
			return err
		}
		t.record = func(x exchanges.RPC, then func()) {
			x.Provider = w.Address
			s.Record.RPC(x, then)
		}
	}
	w.proxy = newProxy(w.process, t, func(err error) { s.judge.crash(w.Address, err) })
	go func() { w.served <- w.proxy.serve(w.listener) }()
	return nil
}

// of returns the RPC as one of the provider.
func (r *rpc) of(w *watched) *rpc {
	r.address, r.explore, r.witness = w.Address, w.forExplore(), w.witness
	return r
}

// process returns a process that nobody else has.
func (w *watched) process(ctx context.Context) (*driver.Plugin, error) {
	select {
	case provider := <-w.spare:
		select {
		case <-provider.Exited(): // while it waited
			if err := provider.Close(); err != nil {
				w.proxy.crash(err)
			}
		default:
			return provider, nil
		}
	default:
	}
	return w.launch(ctx)
}

// reattachment is what the variable says of a provider. With Test, who connects does not
// end the process.
func (w *watched) reattachment() map[string]any {
	at := w.listener.Addr()
	return map[string]any{
		"Protocol": "grpc", "ProtocolVersion": w.witness.Protocol(), "Pid": os.Getpid(), "Test": true,
		"Addr": map[string]string{"Network": at.Network(), "String": at.String()},
	}
}

// Said is what providers wrote to their standard error before they crashed, as long as
// there is a Report of it: for people, since it may hold anything.
func (s *Session) Said() []string { return s.judge.excerpts }

// Value is that of the variable, for a command whose providers are to be judged.
func (s *Session) Value() string { return s.value }

// Reached reports, after Report, whether a provider that is watched was connected to.
func (s *Session) Reached() bool {
	return slices.ContainsFunc(s.watched, func(w *watched) bool { return w.proxy != nil && w.proxy.connected > 0 })
}

// Report ends all providers and returns what was found.
func (s *Session) Report() *report.Report {
	s.judge.settle()
	var ends sync.WaitGroup
	for _, w := range s.watched {
		ends.Go(w.end)
	}
	ends.Wait()
	_ = os.RemoveAll(s.folder) // at worst a socket is left that nobody serves
	if s.Record != nil {
		if err := s.Record.Close(); err != nil {
			s.Notes = append(s.Notes, err.Error())
		}
	}
	for _, w := range s.watched {
		if w.Named && w.proxy != nil && w.proxy.connected == 0 {
			s.Notes = append(s.Notes, w.Address+": nobody asked for it: is that its address in the configuration?")
		}
	}
	r := s.judge.report()
	r.Notes = append(s.Notes, r.Notes...)
	return r
}

func (w *watched) end() {
	if w.proxy != nil {
		w.proxy.close()
		<-w.served
	}
	select {
	case provider := <-w.spare:
		_ = provider.Close() // nobody has used it
	default:
	}
}
