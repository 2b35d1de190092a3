package audit

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Pair is a plan with the state after apply. State is "" if there is no state. If Err is not nil,
// the folder Plan cannot be read.
type Pair struct {
	Plan, State string
	Err         error
}

// Find returns the plans that the names stand for. A name is a file, or a folder that is searched
// recursively. If there are two files and the second one is not called a plan, it is the state of the first.
// If there is only one file, the plan has no state.
//
// Otherwise, the state of a plan is the file beside it with the same name, but "state" instead of "plan".
//
// In folders, Find takes the JSON files that are called plans. It ignores hidden folders, and does not follow
// links to folders. The returned names passed are the other JSON files.
func Find(names []string) (pairs []Pair, passed []string, err error) {
	if isFile(names[0]) && (len(names) == 1 || len(names) == 2 && isFile(names[1]) && !calledPlan(names[1])) {
		return []Pair{{Plan: names[0], State: strings.Join(names[1:], "")}}, nil, nil
	}
	f := finder{others: map[string]bool{}}
	for _, name := range names {
		if err := f.search(name); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range f.pairs {
		delete(f.others, p.State)
	}
	for name, named := range f.others {
		if named { // reading it reports what it is
			f.pairs = append(f.pairs, Pair{Plan: name})
		} else {
			passed = append(passed, name)
		}
	}
	if len(f.pairs) == 0 {
		return nil, nil, fmt.Errorf("%s: no plans found", strings.Join(names, ", "))
	}
	slices.Sort(passed)
	slices.SortFunc(f.pairs, func(a, b Pair) int { return cmp.Compare(a.Plan, b.Plan) })
	return slices.Compact(f.pairs), passed, nil
}

// A finder collects files.
type finder struct {
	pairs  []Pair
	others map[string]bool // files that are not called plans; true if the command line names the file
}

// search adds the file, or the files in the folder.
func (f *finder) search(root string) error {
	root = filepath.Clean(root)
	if !isFile(root) {
		root += string(filepath.Separator) // follows a link
	}
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case entry == nil:
			return err
		case err != nil:
			f.pairs = append(f.pairs, Pair{Plan: name, Err: err})
		case entry.IsDir() && name != root && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case entry.IsDir():
		case calledPlan(name):
			f.pairs = append(f.pairs, Pair{Plan: name, State: besides(name)})
		case name == root || isJSON(name):
			f.others[name] = name == root
		}
		return nil
	})
}

// calledPlan reports whether a file has the name of a plan. Such a file must be a plan. Otherwise
// the program that wrote it failed, and its changes must not pass unchecked.
func calledPlan(name string) bool {
	base := strings.ToLower(filepath.Base(name))
	return strings.LastIndex(base, "plan") > strings.LastIndex(base, "state") && isJSON(base)
}

func isJSON(name string) bool { return strings.EqualFold(filepath.Ext(name), ".json") }

// besides returns the name of the state of a plan, or "" if there is none.
func besides(plan string) string {
	folder, base := filepath.Split(plan)
	i := strings.LastIndex(base, "plan")
	if i < 0 {
		return ""
	}
	state := filepath.Join(folder, base[:i]+"state"+base[i+len("plan"):])
	if _, err := os.Stat(state); err != nil {
		return ""
	}
	return state
}

// isFile reports whether the name is not that of a folder.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err != nil || !info.IsDir()
}
