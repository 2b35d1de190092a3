package cli

import (
	"context"
	"errors"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/objchange/objchange/cmd/internal/watch"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore"
)

// A launcher launches processes of a provider. It keeps the running ones and the isolation of the
// first one.
type launcher struct {
	path    string
	options []driver.LaunchOption

	living context.Context // of all processes
	stop   context.CancelFunc

	mu       sync.Mutex
	stopped  bool
	starting sync.WaitGroup
	running  map[*driver.Plugin]bool
	barriers []driver.Barrier // of the first process
}

// newLauncher returns a launcher of isolated processes.
func newLauncher(options ...driver.LaunchOption) *launcher {
	l := &launcher{options: append(options, driver.Isolated(driver.Limits{})), running: map[*driver.Plugin]bool{}}
	l.living, l.stop = context.WithCancel(context.Background())
	return l
}

// executable matches the file name of a provider that Terraform accepts.
var executable = regexp.MustCompile(`^terraform-provider-([0-9a-z][0-9a-z-]*)(_v[^_]*)?(\.exe)?$`)

// find finds the provider that the command line names. It returns options with the known facts
// about it.
func (l *launcher) find(provider string) ([]explore.Option, error) {
	p, program, err := watch.Find(".", provider)
	if err == nil {
		l.path = p.Path
		return []explore.Option{explore.Address(p.Address), explore.For(program)}, nil
	}
	path, notFound := exec.LookPath(provider)
	if notFound != nil {
		return nil, err
	}
	l.path = path
	if name := executable.FindStringSubmatch(filepath.Base(path)); name != nil {
		return []explore.Option{explore.Address("hashicorp/" + name[1])}, nil // as Terraform infers it
	}
	return nil, nil
}

// errStopped is the error of a launch after the command was stopped.
var errStopped = errors.New("the command was stopped, so the provider is not started again")

func (l *launcher) launch(ctx context.Context) (*explore.Process, error) {
	l.mu.Lock()
	if l.stopped {
		l.mu.Unlock()
		return nil, errStopped
	}
	l.starting.Add(1)
	l.mu.Unlock()
	defer l.starting.Done()
	ctx, cancel := context.WithCancel(ctx)
	detach := context.AfterFunc(l.living, cancel)
	p, err := driver.Launch(ctx, l.path, l.options...)
	if err != nil {
		detach()
		cancel()
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[p] = true
	if l.barriers == nil {
		l.barriers = p.Isolation()
	}
	process := explore.ProcessOf(p)
	process.Close = func() error {
		err := p.Close()
		detach()
		cancel()
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.running, p)
		return err
	}
	return process, nil
}

// kill ends all processes at once, and removes their folders.
func (l *launcher) kill() {
	l.mu.Lock()
	l.stopped = true
	l.mu.Unlock()
	l.stop()
	l.starting.Wait()
	l.mu.Lock()
	running := slices.Collect(maps.Keys(l.running))
	l.mu.Unlock()
	var closing sync.WaitGroup
	for _, p := range running {
		closing.Go(func() { _ = p.Close() }) // the command returns another error
	}
	closing.Wait()
}

// gaps returns a note with the barriers that do not isolate, if there are any.
func (l *launcher) gaps() []string {
	var gaps []string
	for _, b := range l.barriers {
		if b.Gap != "" {
			gaps = append(gaps, b.String())
		}
	}
	if gaps == nil {
		return nil
	}
	return []string{"the provider was started with less isolation than usual: " + strings.Join(gaps, "; ")}
}
