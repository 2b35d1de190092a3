package report

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/severity"
)

// A kind stands for all findings with the same rule, type, path and severity. Indexes and keys in
// the path may differ.
type kind struct {
	first   Finding
	objects objects
}

// objects are the objects of a kind. Several requests for an object are one object.
type objects struct {
	first []Subject // at most shownObjects
	known map[objectID]bool
}

// An objectID identifies the object of a subject.
type objectID struct{ group, typeName, known, id string }

// shownObjects limits the names of objects that the text report shows for a finding.
const shownObjects = 3

func (o *objects) add(s Subject) {
	id := objectID{s.Group, s.typeName(), s.KnownBy(), s.object()}
	if o.known[id] {
		return
	}
	if o.known == nil {
		o.known = map[objectID]bool{}
	}
	o.known[id] = true
	if len(o.first) < shownObjects {
		o.first = append(o.first, s)
	}
}

// String returns the names of the first objects, and how many objects there are if there are several.
func (o objects) String() string {
	var names []string
	for _, s := range o.first {
		names = append(names, inLine(s.Name))
	}
	text := strings.Join(names, ", ")
	if len(o.known) > shownObjects {
		text += ", …"
	}
	if len(o.known) > 1 {
		text = words.Plural(len(o.known), "object") + ": " + text
	}
	return text
}

// typeName returns the type of the subject's object, or what else is the same for all its findings.
func (s Subject) typeName() string {
	return strings.TrimSpace(s.Kind + " " + cmp.Or(s.Type, s.Document, s.Address))
}

// kinds returns the kinds of the findings that want selects, in the order of the report.
func (r *Report) kinds(want func(Finding) bool) (kinds []*kind) {
	type key struct {
		rule           objchange.Rule
		typeName, path string
		severity       objchange.Severity
	}
	found := map[key]*kind{}
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			if !want(f) {
				continue
			}
			k := key{f.Rule, s.typeName(), index.ReplaceAllString(f.Path, ""), f.Severity}
			if found[k] == nil {
				found[k] = &kind{first: f}
				kinds = append(kinds, found[k])
			}
			found[k].objects.add(s)
		}
	}
	return kinds
}

// index matches an index or a key in a path, such as [0] or ["a"].
var index = regexp.MustCompile(`\[("(\\.|[^"\\])*"|[^]"])*]`)

// uncountedLines returns a line for each type with findings that do not count: the number of kinds
// and of objects. If there is only one kind, the line also has its finding.
func (r *Report) uncountedLines() (all []string) {
	types := map[string][]*kind{}
	var names []string
	for _, k := range r.kinds(func(f Finding) bool { return !f.Counted && f.Ignored == "" && !f.unconfirmed() }) {
		name := k.objects.first[0].typeName()
		if types[name] == nil {
			names = append(names, name)
		}
		types[name] = append(types[name], k)
	}
	for _, name := range names {
		kinds, n, objects := types[name], map[objchange.Severity]int{}, map[objectID]bool{}
		for _, k := range kinds {
			n[k.first.Severity]++
			for id := range k.objects.known {
				objects[id] = true
			}
		}
		var numbers []string
		for _, s := range severity.All {
			if n[s] > 0 {
				numbers = append(numbers, fmt.Sprintf("%d %s", n[s], s))
			}
		}
		noun, found := "kinds", ""
		if f := kinds[0].first; len(kinds) == 1 {
			noun, found = "kind", fmt.Sprintf(": %s %s: %s", f.Rule, cmp.Or(f.Path, "(root)"), f.Message)
		}
		all = append(all, inLine(fmt.Sprintf("%s: %s %s in %s%s",
			name, strings.Join(numbers, " and "), noun, words.Plural(len(objects), "object"), found)))
	}
	return all
}
