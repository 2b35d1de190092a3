package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/severity"
)

// A kind stands for all findings with the same rule, type and path. Indexes and keys in the path
// may differ.
type kind struct {
	Finding // the first one
	objects objects
}

// objects are the objects of a kind. Several requests for an object are one object.
type objects struct {
	first []Subject // at most shownObjects
	seen  map[objectID]bool
}

// An objectID identifies the object of a subject.
type objectID struct{ group, typeName, known, id string }

// shownObjects limits the names of objects that the text report shows for a finding.
const shownObjects = 3

func (o *objects) add(s Subject) {
	id := objectID{s.Group, s.typeName(), s.KnownBy(), s.object()}
	if o.seen[id] {
		return
	}
	if o.seen == nil {
		o.seen = map[objectID]bool{}
	}
	o.seen[id] = true
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
	if len(o.seen) > shownObjects {
		text += ", …"
	}
	if len(o.seen) > 1 {
		text = words.Plural(len(o.seen), "object") + ": " + text
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
				found[k] = &kind{Finding: f}
				kinds = append(kinds, found[k])
			}
			found[k].objects.add(s)
		}
	}
	return kinds
}

// index matches an index or a key in a path, such as [0] or ["a"].
var index = regexp.MustCompile(`\[("(\\.|[^"\\])*"|[^]"])*]`)

// A typeKinds has the kinds of one type that do not count.
type typeKinds struct {
	typeName string
	kinds    []*kind
}

// uncounted returns the kinds that do not count, for each type with such kinds.
func (r *Report) uncounted() (all []*typeKinds) {
	types := map[string]*typeKinds{}
	for _, k := range r.kinds(func(f Finding) bool { return !f.Counted && f.Ignored == "" }) {
		name := k.objects.first[0].typeName()
		if types[name] == nil {
			types[name] = &typeKinds{typeName: name}
			all = append(all, types[name])
		}
		types[name].kinds = append(types[name].kinds, k)
	}
	return all
}

// String returns the number of kinds and of objects on one line. If there is only one kind, the
// line also has its finding.
func (t typeKinds) String() string {
	n, all := map[objchange.Severity]int{}, map[objectID]bool{}
	for _, k := range t.kinds {
		n[k.Severity]++
		for id := range k.objects.seen {
			all[id] = true
		}
	}
	var numbers []string
	for _, s := range severity.All {
		if n[s] > 0 {
			numbers = append(numbers, fmt.Sprintf("%d %s", n[s], s))
		}
	}
	noun := "kinds"
	if len(t.kinds) == 1 {
		noun = "kind"
	}
	text := fmt.Sprintf("%s: %s %s in %s",
		t.typeName, strings.Join(numbers, " and "), noun, words.Plural(len(all), "object"))
	if len(t.kinds) == 1 {
		k := t.kinds[0]
		text += fmt.Sprintf(": %s %s: %s", k.Rule, cmp.Or(k.Path, "(root)"), k.Message)
	}
	return text
}

// sameObjects reports whether both kinds were found in the same objects.
func (k *kind) sameObjects(other *kind) bool {
	return len(k.objects.seen) == len(other.objects.seen) && slices.EqualFunc(k.objects.first, other.objects.first,
		func(a, b Subject) bool { return a.Name == b.Name && a.Group == b.Group })
}
