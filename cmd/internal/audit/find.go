package audit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/internal/jsonpos"
)

// A Pair is a plan with the state after apply. State is "" if there is no state. If Err is not nil,
// the file or folder Plan cannot be read.
type Pair struct {
	Plan, State string
	Err         error
}

// Find returns the plans that the names stand for. A name is a file, a folder that is searched
// recursively, or a glob, in which ** matches any folders.
//
// The state of a plan is the file beside it with the same name, but "state" instead of "plan". If
// the only plan is named itself, the state must be named too. It is an error if a named state
// belongs to no plan.
//
// In folders and globs, Find ignores hidden folders, and does not follow links to folders. It
// passes over JSON files of other kinds. A file counts as a plan if it cannot be read, is not JSON,
// or only has the name of a plan. Reading it reports the error. The returned names passed are the
// files of other kinds, the states without a plan, and the links to folders.
func Find(names []string) (pairs []Pair, passed []string, err error) {
	if len(names) == 2 && readOnce(names[1]) {
		return []Pair{{Plan: names[0], State: names[1]}}, nil, nil
	}
	f := finder{named: map[string]bool{}}
	for _, name := range names {
		if err := f.expand(name); err != nil {
			return nil, nil, err
		}
	}
	var plans, states []string
	slices.Sort(f.files)
	f.files = slices.Compact(f.files)
	for _, file := range f.files {
		switch kind := sniff(file); {
		case kind == jsonpos.State && len(f.files) > 1 && !calledPlan(file):
			states = append(states, file)
		case kind == jsonpos.Plan || f.named[file] || calledPlan(file) && !slices.Contains(others, kind):
			plans = append(plans, file)
		default:
			passed = append(passed, file)
		}
	}
	if len(plans)+len(f.broken) == 0 {
		return nil, nil, fmt.Errorf("%s: no plans found", strings.Join(names, ", "))
	}
	pairs, unused, err := f.pair(plans, states)
	passed = append(append(passed, unused...), f.links...)
	slices.Sort(passed)
	return append(pairs, f.broken...), passed, err
}

// others are the kinds of files that are no plans even with the name of a plan.
var others = []jsonpos.Kind{jsonpos.Schemas, jsonpos.Report, jsonpos.Document}

// A finder collects files.
type finder struct {
	files  []string
	named  map[string]bool // files that are named themselves
	broken []Pair
	links  []string // links to folders, which are not followed
}

// expand adds the files that a name stands for.
func (f *finder) expand(name string) error {
	info, err := os.Stat(name)
	switch {
	case name == "-" || err == nil && !info.IsDir():
		f.files = append(f.files, name)
		f.named[name] = true
		return nil
	case err == nil:
		f.folder(name)
		return nil
	case !strings.ContainsAny(name, "*?[{"):
		return err
	}
	found, globErr := doublestar.FilepathGlob(name, doublestar.WithFilesOnly(), doublestar.WithNoFollow())
	if globErr != nil || len(found) == 0 {
		return errors.Join(err, globErr)
	}
	f.files = append(f.files, found...)
	return nil
}

// folder adds the JSON files in a folder. The folder and the files may be links.
func (f *finder) folder(name string) {
	entries, err := os.ReadDir(name)
	if err != nil {
		f.broken = append(f.broken, Pair{Plan: name, Err: err})
	}
	for _, entry := range entries {
		path := filepath.Join(name, entry.Name())
		switch {
		case entry.IsDir() && !strings.HasPrefix(entry.Name(), "."):
			f.folder(path)
		case entry.Type()&fs.ModeSymlink != 0 && isFolder(path):
			f.links = append(f.links, path+" (a link to a folder)")
		case !entry.IsDir() && isJSON(path):
			f.files = append(f.files, path)
		}
	}
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// calledPlan reports whether a file has the name of a plan. Such a file must be a plan. Otherwise
// the program that wrote it failed, and its changes must not pass unchecked.
func calledPlan(name string) bool {
	base := strings.ToLower(filepath.Base(name))
	return strings.LastIndex(base, "plan") > strings.LastIndex(base, "state") && isJSON(base)
}

// isJSON reports whether a file has the extension .json.
func isJSON(name string) bool {
	return strings.EqualFold(filepath.Ext(name), ".json")
}

// pair finds the state of each plan. It also returns the states without a plan.
func (f *finder) pair(plans, states []string) (pairs []Pair, unused []string, err error) {
	used := map[string]bool{}
	alone := len(plans) == 1 && f.named[plans[0]]
	for _, plan := range plans {
		p := Pair{Plan: plan}
		if beside := besides(plan); slices.Contains(states, beside) {
			p.State = beside
		} else if len(plans) == 1 && len(states) == 1 && f.named[states[0]] {
			p.State = states[0]
		} else if !alone && sniff(beside) == jsonpos.State {
			p.State = beside
		}
		used[p.State] = true
		pairs = append(pairs, p)
	}
	for _, state := range states {
		switch {
		case used[state]:
		case f.named[state]:
			return nil, nil, fmt.Errorf("%s: is a state without a plan: the plan must be named %s", state,
				strings.Replace(filepath.Base(state), "state", "plan", 1))
		default:
			unused = append(unused, state)
		}
	}
	return pairs, unused, nil
}

// besides returns the name of the state that belongs to a plan, or "".
func besides(plan string) string {
	base := filepath.Base(plan)
	if i := strings.LastIndex(base, "plan"); i >= 0 {
		return filepath.Join(filepath.Dir(plan), base[:i]+"state"+base[i+len("plan"):])
	}
	return ""
}

// readOnce reports whether a file can be opened only once, such as standard input.
func readOnce(name string) bool {
	info, err := os.Stat(name)
	return name == "-" || err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// sniff returns the kind of a file from its beginning. A file that cannot be read, or only once, is
// a plan, because then reading it reports the reason.
func sniff(name string) jsonpos.Kind {
	if name == "" {
		return jsonpos.Unknown
	}
	file, err := files.Regular(name)
	if err != nil {
		return jsonpos.Plan
	}
	defer file.Close()
	r := jsonpos.NewReader(jsonpos.PlainText(file), jsonpos.Lenient)
	if r.PeekKind() != '{' {
		if err := r.Skip(); err == nil {
			if _, err = r.ReadToken(); err == io.EOF {
				return jsonpos.Unknown
			}
		}
		return jsonpos.Plan
	}
	kind, names := jsonpos.Unknown, map[string]bool{}
	known := errors.New("known")
	err = r.Members(func(name string) error {
		names[name] = true
		kind = jsonpos.KindOf(func(name string) bool { return names[name] })
		if kind != jsonpos.Unknown {
			return known
		}
		return r.Skip()
	})
	delete(names, "format_version")
	delete(names, "terraform_version")
	switch {
	case err == known:
		return kind
	case err != nil:
		return jsonpos.Plan
	case len(names) == 0:
		return jsonpos.State // an empty state
	}
	return jsonpos.Unknown
}
