// Package watch checks the providers of Terraform or OpenTofu while a command runs. The command
// reaches each provider through a proxy, whose address is in the variable TF_REATTACH_PROVIDERS.
// The proxy forwards all messages unchanged, and copies of them are checked.
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

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// Variable is the environment variable with the addresses of running providers, for Terraform and
// OpenTofu.
const Variable = "TF_REATTACH_PROVIDERS"

// A Session is a set of running proxies whose providers are checked. Use Start to create one.
type Session struct {
	config  Config
	folder  string // of sockets, with access for this user only
	checker *checker
	value   string
	watched []*watchedProvider
}

// A watchedProvider is a provider with a proxy.
type watchedProvider struct {
	provider Provider
	launch   func(context.Context) (*driver.Plugin, error)
	encoded  *encoded.Checker
	proxy    *proxy
	listener net.Listener
	spare    chan *driver.Plugin // the process that was launched to find out the protocol
	served   chan error
}

// A Config selects the providers to watch, and the way to check them.
type Config struct {
	Dir       string // the working directory of the providers
	Providers map[string]Provider
	Before    string              // the present value of Variable
	Program   tfcheck.Program     // whose rules apply; "" means Terraform
	Record    *exchanges.Recorder // records all messages, if it is not nil
	Notes     []string            // for the report
}

// Start launches a process of each provider and serves a proxy for it. It keeps the providers in
// c.Before and does not check them. If a provider cannot be watched and is not Named, Start leaves
// it to the program, which may not use it. The caller must end the session with Report.
func Start(ctx context.Context, c Config) (*Session, error) {
	value, err := readVariable(c.Before)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "objchange-watch-") // with mode 0700
	if err != nil {
		return nil, err
	}
	s := &Session{folder: folder, checker: newChecker(), config: c}
	running := slices.Sorted(maps.Keys(value))
	for _, address := range running {
		s.note("%s already runs (see %s), so it is not checked", address, Variable)
	}
	for _, address := range slices.Sorted(maps.Keys(c.Providers)) {
		if !slices.ContainsFunc(running, func(source string) bool { return standsFor(source, address) }) {
			s.watched = append(s.watched, &watchedProvider{
				provider: c.Providers[address],
				spare:    make(chan *driver.Plugin, 1), served: make(chan error, 1),
			})
		}
	}
	if err := s.start(ctx); err != nil {
		s.Report()
		return nil, err
	}
	for _, w := range s.watched {
		value[w.provider.Address] = asJSON(w.reattachment())
	}
	s.value = string(asJSON(value))
	return s, nil
}

func (s *Session) note(format string, values ...any) {
	s.config.Notes = append(s.config.Notes, fmt.Sprintf(format, values...))
}

// asJSON returns the JSON encoding of a value that can always be encoded.
func asJSON(v any) json.RawMessage {
	text, _ := json.Marshal(v)
	return text
}

// readVariable parses the value of Variable.
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
		return nil, fmt.Errorf("%s is already set, but its value is invalid: %w", Variable, err)
	}
	return value, nil
}

// standsFor reports whether the source, which may be a short address, stands for the provider's
// address with any host.
func standsFor(source, address string) bool {
	if !strings.Contains(source, "/") {
		source = "hashicorp/" + source
	}
	return source == address || strings.HasSuffix(address, "/"+source)
}

// start starts all providers at the same time, because large ones take long.
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
		case errs[i] == nil || w.provider.Named || ctx.Err() != nil:
			s.watched = append(s.watched, w)
		default:
			w.end()
			if w.provider.Folder == "" { // the program may not use an override, and reports it if it does
				s.note("%s is not watched: %v", w.provider.Address, errs[i])
			}
			failed, errs[i] = append(failed, errs[i]), nil
		}
	}
	if len(s.watched) == 0 {
		errs = failed
	}
	return errors.Join(errs...)
}

// start launches a process to find out its protocol, and serves the proxy.
func (w *watchedProvider) start(ctx context.Context, socket string, s *Session) error {
	if err := w.provider.verify(s.config.Program); err != nil {
		return err
	}
	w.launch = func(ctx context.Context) (*driver.Plugin, error) {
		return driver.Launch(ctx, w.provider.Path, driver.WithDir(s.config.Dir))
	}
	provider, err := detached(ctx, w.launch) // only the end of the session ends the process
	if err != nil {
		return err
	}
	w.spare <- provider
	if w.encoded, err = encoded.New(provider.Protocol(), s.config.Program); err != nil {
		return err
	}
	if w.listener, err = net.Listen("unix", socket); err != nil {
		return err
	}
	t := tap{
		seen:   func(x exchanges.RPC, ask encoded.Caller) { s.seen(w, x, ask) },
		settle: s.checker.settle,
	}
	if s.config.Record != nil {
		w.recordProvider(ctx, s.config.Record, provider)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	w.proxy = newProxy(w.process, t, func(err error) { s.checker.crash(w.provider.Address, err) })
	go func() { w.served <- w.proxy.serve(w.listener) }()
	return nil
}

// checks reports whether the checker needs the RPC.
func (w *watchedProvider) checks(method string) bool {
	return w.encoded.Wants(method) || isPhase(method)
}

// seen records an RPC and passes it to the checker. The order is the same in both.
func (s *Session) seen(w *watchedProvider, x exchanges.RPC, ask encoded.Caller) {
	x.Provider = w.provider.Address
	check := func() {
		if w.checks(x.Method) && (x.Status != nil || x.Single()) {
			p := &rpc{exchange: x}
			p.checkWith(w.encoded, ask)
			s.checker.enqueue(p)
		}
	}
	if s.config.Record == nil {
		check()
		return
	}
	s.config.Record.RPC(x, check)
}

// process returns a process that no other connection uses.
func (w *watchedProvider) process(ctx context.Context) (*driver.Plugin, error) {
	select {
	case provider := <-w.spare:
		select {
		case <-provider.Exited(): // while it was waiting
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

// reattachment returns the provider's entry for Variable. Because of Test, clients do not end the
// process.
func (w *watchedProvider) reattachment() map[string]any {
	at := w.listener.Addr()
	return map[string]any{
		"Protocol": "grpc", "ProtocolVersion": w.encoded.Protocol(), "Pid": os.Getpid(), "Test": true,
		"Addr": map[string]string{"Network": at.Network(), "String": at.String()},
	}
}

// Excerpts returns the outputs of providers to standard error before they crashed. It is valid after
// Report. The outputs may contain secrets, so show them only to the user.
func (s *Session) Excerpts() []string { return s.checker.excerpts }

// Value returns the value of Variable for the command whose providers are to be checked.
func (s *Session) Value() string { return s.value }

// Reached reports whether a client connected to any watched provider. Call it after Report.
func (s *Session) Reached() bool {
	return slices.ContainsFunc(s.watched, (*watchedProvider).reached)
}

func (w *watchedProvider) reached() bool { return w.proxy != nil && w.proxy.connected > 0 }

// Report ends all providers and returns the report.
func (s *Session) Report() *report.Report {
	s.checker.settle()
	var ends sync.WaitGroup
	for _, w := range s.watched {
		ends.Go(w.end)
	}
	ends.Wait()
	_ = os.RemoveAll(s.folder) // at worst, unused sockets remain
	if s.config.Record != nil {
		if err := s.config.Record.Close(); err != nil {
			s.note("%v", err)
		}
	}
	for _, w := range s.watched {
		if w.provider.Named && w.proxy != nil && !w.reached() {
			s.note("%s: the command did not use it: check that the configuration uses this address", w.provider.Address)
		}
	}
	r := s.checker.report()
	r.Notes = append(s.config.Notes, r.Notes...)
	return r
}

func (w *watchedProvider) end() {
	if w.proxy != nil {
		w.proxy.close()
		<-w.served
	}
	select {
	case provider := <-w.spare:
		_ = provider.Close() // it was not used
	default:
	}
}
