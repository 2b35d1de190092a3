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

	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/internal/jsonpos"
)

// A Pair is a plan, and the state after it was applied, if there is one: "" if not.
// With an error there is neither: it says why what is named so cannot be read.
type Pair struct {
	Plan, State string
	Err         error
}

// Find returns the plans that are named: files, folders with whatever is in them,
// and globs, in which ** is any folders. With each goes the state that lies beside it:
// it has its name, with "state" for "plan"; but with a plan that is named alone only a
// state that is named, too. One that goes with none is an error. Of folders and globs,
// JSON of other kinds and hidden folders are passed over, and links to folders are not
// followed; what cannot be read, is no JSON, or only has the name of a plan, is a plan:
// reading it reports the error. The files that were passed over are returned, too: those of other
// kinds, states that go with no plan, and links to folders.
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
	for _, file := range f.sorted() {
		switch kind := sniff(file); {
		case kind == jsonpos.State && len(f.files) > 1 && !calledPlan(file):
			states = append(states, file)
		case kind == jsonpos.Plan || f.named[file] || calledPlan(file) && kind != jsonpos.Schemas && kind != jsonpos.Report && kind != jsonpos.Document:
			plans = append(plans, file)
		default:
			passed = append(passed, file)
		}
	}
	if len(plans)+len(f.broken) == 0 {
		return nil, nil, fmt.Errorf("%s: there are no plans", strings.Join(names, ", "))
	}
	pairs, unused, err := f.pair(plans, states)
	passed = append(append(passed, unused...), f.links...)
	slices.Sort(passed)
	return append(pairs, f.broken...), passed, err
}

// A finder gathers the files that are named.
type finder struct {
	files  []string
	named  map[string]bool // those that are named themselves
	broken []Pair
	links  []string // to folders, which are not followed
}

// sorted returns each file once, in order.
func (f *finder) sorted() []string {
	slices.Sort(f.files)
	return slices.Compact(f.files)
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

// folder adds the files with JSON in a folder. It may be a link itself, and so may
// the files.
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

// calledPlan reports whether a file has the name of a plan. It is an error if it is none:
// what wrote it failed, and its changes must not pass unchecked.
func calledPlan(name string) bool {
	base := strings.ToLower(filepath.Base(name))
	return strings.LastIndex(base, "plan") > strings.LastIndex(base, "state") && isJSON(base)
}

// isJSON reports whether a file has the extension of JSON.
func isJSON(name string) bool {
	return strings.EqualFold(filepath.Ext(name), ".json")
}

// pair gives each plan its state. It returns the states that go with none, too.
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
			return nil, nil, fmt.Errorf("%s: is a state, and no plan goes with it: that would be called %s", state,
				strings.Replace(filepath.Base(state), "state", "plan", 1))
		default:
			unused = append(unused, state)
		}
	}
	return pairs, unused, nil
}

// besides returns what the state that goes with a plan is called.
func besides(plan string) string {
	base := filepath.Base(plan)
	if i := strings.LastIndex(base, "plan"); i >= 0 {
		return filepath.Join(filepath.Dir(plan), base[:i]+"state"+base[i+len("plan"):])
	}
	return ""
}

// readOnce reports whether a file is standard input, or another that cannot be
// opened twice.
func readOnce(name string) bool {
	info, err := os.Stat(name)
	return name == "-" || err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// sniff returns what a file is, by how it begins. What cannot be read, or only once, is a
// plan: reading it reports why.
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
		if err := r.Skip(); err != nil {
			return jsonpos.Plan
		}
		if _, err := r.ReadToken(); err != io.EOF {
			return jsonpos.Plan
		}
		return jsonpos.Unknown
	}
	kind, names := jsonpos.Unknown, map[string]bool{}
	known := errors.New("known")
	err = r.Members(func(name string) error {
		names[name] = true
		if kind = jsonpos.KindOf(func(name string) bool { return names[name] }); kind != jsonpos.Unknown {
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
		return jsonpos.State // of nothing
	}
	return jsonpos.Unknown
}

// A Shard is a part of many files: the K-th of N.
type Shard struct{ K, N int }

// ParseShard reads K/N.
func ParseShard(text string) (s Shard, err error) {
	if n, err := fmt.Sscanf(text, "%d/%d", &s.K, &s.N); n == 2 && err == nil && text == s.String() && 1 <= s.K && s.K <= s.N {
		return s, nil
	}
	return Shard{}, fmt.Errorf("%q is no shard: want K/N, as 3/20", text)
}

// String writes K/N.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.K, s.N) }

// Of returns the plans of the shard: every N-th.
func (s Shard) Of(pairs []Pair) (own []Pair) {
	for i, p := range pairs {
		if s.N == 0 || i%s.N == s.K-1 {
			own = append(own, p)
		}
	}
	return own
}
