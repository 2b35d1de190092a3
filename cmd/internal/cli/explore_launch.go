package cli

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/objchange/objchange/cmd/internal/watch"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore"
)

// A launcher launches isolated processes of a provider, and can end them.
type launcher struct {
	path    string
	options []driver.LaunchOption

	living   context.Context // of all processes
	stop     context.CancelFunc
	starting sync.RWMutex
	running  sync.WaitGroup

	first    sync.Once
	barriers []driver.Barrier // of the first process
}

func newLauncher(options ...driver.LaunchOption) *launcher {
	l := &launcher{options: append(options, driver.Isolated())}
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
		return nil, errors.Join(err, notFound)
	}
	l.path = path
	if name := executable.FindStringSubmatch(filepath.Base(path)); name != nil {
		return []explore.Option{explore.Address("hashicorp/" + name[1])}, nil // as Terraform infers it
	}
	return nil, nil
}

func (l *launcher) launch(ctx context.Context) (*explore.Process, error) {
	l.starting.RLock()
	defer l.starting.RUnlock()
	ctx, cancel := context.WithCancel(ctx)
	detach := context.AfterFunc(l.living, cancel)
	p, err := driver.Launch(ctx, l.path, l.options...)
	if err != nil {
		detach()
		cancel()
		return nil, err
	}
	l.first.Do(func() { l.barriers = p.Isolation() })
	l.running.Add(1)
	process := explore.ProcessOf(p)
	process.Close = func() error {
		defer l.running.Done()
		defer cancel()
		detach()
		return p.Close()
	}
	return process, nil
}

// kill ends all processes at once. The exploration then closes them, which removes their folders.
func (l *launcher) kill() {
	l.stop()
	l.starting.Lock()
	defer l.starting.Unlock()
	l.running.Wait()
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
