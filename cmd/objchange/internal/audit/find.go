package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
)

// A Pair is a plan, and the state after it was applied, if there is one: "" if not.
type Pair struct{ Plan, State string }

// Find returns the plans that are named: files, folders with whatever is in them,
// and globs, in which ** is any folders. With several plans goes the state that lies
// beside each: it has its name, with "state" for "plan". With one goes a state that is
// named. A named one that goes with none is an error. Of folders and globs, other files
// than plans and states are passed over.
func Find(names []string) ([]Pair, error) {
	if len(names) == 2 && readOnce(names[1]) {
		return []Pair{{names[0], names[1]}}, nil
	}
	named, found := map[string]bool{}, []string{}
	for _, name := range names {
		files, literal, err := expand(name)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			named[file] = named[file] || literal
		}
		found = append(found, files...)
	}
	if len(names) > 1 || len(found) > 1 {
		slices.Sort(found)
	}
	var plans, states []string
	for _, file := range slices.Compact(found) {
		switch kind := sniff(file); {
		case kind == kindState && len(found) > 1:
			states = append(states, file)
		case kind == kindPlan || named[file]: // what it is otherwise, reading tells
			plans = append(plans, file)
		}
	}
	if len(plans) == 0 && len(found) > 0 {
		return nil, fmt.Errorf("%s: there are no plans", strings.Join(names, ", "))
	}
	return pair(plans, states, named)
}

// expand returns the files that a name stands for, and whether it is that of one.
func expand(name string) (files []string, literal bool, err error) {
	info, err := os.Stat(name)
	switch {
	case name == "-" || err == nil && !info.IsDir():
		return []string{name}, true, nil
	case err == nil:
		err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ".json" {
				files = append(files, path)
			}
			return err
		})
		return files, false, err
	case !strings.ContainsAny(name, "*?[{"):
		return nil, false, err
	}
	files, globErr := doublestar.FilepathGlob(name, doublestar.WithFilesOnly())
	if globErr != nil || len(files) == 0 {
		return nil, false, errors.Join(err, globErr)
	}
	return files, false, nil
}

// pair gives each plan its state.
func pair(plans, states []string, named map[string]bool) (pairs []Pair, err error) {
	used := map[string]bool{}
	for _, plan := range plans {
		p := Pair{Plan: plan}
		if beside := besides(plan); slices.Contains(states, beside) {
			p.State = beside
		} else if len(plans) == 1 && len(states) == 1 && named[states[0]] {
			p.State = states[0]
		} else if len(plans) > 1 && sniff(beside) == kindState {
			p.State = beside
		}
		used[p.State] = true
		pairs = append(pairs, p)
	}
	for _, state := range states {
		if named[state] && !used[state] {
			return nil, fmt.Errorf("%s: is a state, and no plan goes with it: that would be called %s", state,
				strings.Replace(filepath.Base(state), "state", "plan", 1))
		}
	}
	return pairs, nil
}

// besides returns what the state that goes with a plan is called.
func besides(plan string) string {
	base := filepath.Base(plan)
	if i := strings.LastIndex(base, "plan"); i >= 0 {
		return filepath.Join(filepath.Dir(plan), base[:i]+"state"+base[i+len("plan"):])
	}
	return ""
}

// The kinds of documents.
type kind int

const (
	kindOther kind = iota
	kindPlan
	kindState
)

// readOnce reports whether a file is standard input, or another that cannot be
// opened twice.
func readOnce(name string) bool {
	info, err := os.Stat(name)
	return name == "-" || err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// sniff returns what a file begins like. What can be read only once is a plan.
func sniff(name string) kind {
	if readOnce(name) {
		return kindPlan
	}
	file, err := os.Open(name)
	if err != nil {
		return kindOther
	}
	defer file.Close()
	dec := jsontext.NewDecoder(document.PlainText(file), lenient)
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return kindOther
	}
	other, versioned := false, false
	for {
		token, err := dec.ReadToken()
		switch {
		case err == nil && token.Kind() == '}' && versioned && !other:
			return kindState // of nothing
		case err != nil || token.Kind() != '"':
			return kindOther
		}
		switch token.String() {
		case "planned_values", "resource_changes":
			return kindPlan
		case "values":
			return kindState
		case "format_version":
			versioned = true
		case "terraform_version":
		default:
			other = true
		}
		if dec.SkipValue() != nil {
			return kindOther
		}
	}
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
