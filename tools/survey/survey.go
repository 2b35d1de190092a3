package survey

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/module"
)

// A surveyor surveys providers, and writes their lines.
type surveyor struct {
	how     task // the common fields of all tasks
	jobs    int
	limit   time.Duration
	details bool
	output  string // a file, or "" for out

	mu       sync.Mutex // guards the fields below
	out, log io.Writer
}

// survey surveys the modules in the list that are not in the output file.
func (s *surveyor) survey(ctx context.Context, list []entry) error {
	done := map[module.Version]bool{}
	if s.output != "" {
		lines, err := readFile(s.output)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, l := range lines {
			done[module.Version{Path: l.Module, Version: l.Version}] = true
		}
		file, err := os.OpenFile(s.output, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		defer file.Close()
		s.out = file
	}
	next := make(chan entry)
	errs := make([]error, s.jobs)
	var workers sync.WaitGroup
	for w := range errs {
		workers.Go(func() {
			for e := range next {
				if errs[w] == nil {
					errs[w] = s.one(ctx, e)
				}
			}
		})
	}
	for _, e := range list {
		if !done[e.module] {
			done[e.module] = true
			next <- e
		}
	}
	close(next)
	workers.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted; with -o, the same command continues: %w", ctx.Err())
	}
	return errors.Join(errs...)
}

// one surveys one provider, and writes its line unless the context has ended.
func (s *surveyor) one(ctx context.Context, e entry) (err error) {
	if ctx.Err() != nil {
		return nil
	}
	dir, err := os.MkdirTemp("", "survey")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	line := Line{Module: e.module.Path, Version: e.module.Version, Findings: []Finding{}}
	failed := s.fill(ctx, &line, e, dir)
	if ctx.Err() != nil {
		return nil
	}
	if failed != nil && !errors.As(failed, &line.Error) {
		return failed
	}
	if line.Error != nil {
		line.Error.Text = strings.ReplaceAll(line.Error.Text, dir+string(filepath.Separator), "")
	}
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(s.log, line.summary())
	_, err = s.out.Write(append(text, '\n'))
	return err
}

// fill builds and explores the provider in the folder. Failures of the provider have the type
// *Failure.
func (s *surveyor) fill(ctx context.Context, line *Line, e entry, dir string) error {
	building, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	executable, err := build(building, e.module, dir)
	if err != nil {
		return err
	}
	if line.SDK, err = sdkOf(executable); err != nil {
		return &Failure{StepBuild, err.Error()}
	}
	t := s.how
	t.Executable, t.Address, t.Hints, t.Limit = executable, e.address, e.hints, s.limit
	o, err := t.start(ctx)
	line.Protocol, line.Gaps, line.Seconds = o.Protocol, o.Gaps, o.Seconds
	if o.Result != nil {
		line.add(o.Result)
		if s.details {
			line.Details = o.Result
		}
	}
	return err
}

// summary returns the line as text.
func (l *Line) summary() string {
	reached, of := l.reach()
	text := fmt.Sprintf("%s %s: %d of %d types, %d requests, %d findings, %.1f s", l.Module, l.Version, reached, of, l.Requests, len(l.Findings), l.Seconds)
	if l.Error != nil {
		text += "; " + l.Error.Error()
	}
	return text
}

// reach returns the number of types that were reached, and the number of all types, for all kinds.
func (l *Line) reach() (reached, of int) {
	for _, r := range l.Types {
		reached, of = reached+r.Reached, of+r.Of
	}
	return reached, of
}
