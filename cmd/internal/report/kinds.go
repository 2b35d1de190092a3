package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/print"
)

// A row is a finding of a subject, or only the subject.
type row struct {
	subject Subject
	finding Finding
}

// rows returns the findings with the wanted standings, in the order of the report.
func (r *Report) rows(standings ...standing) (rows []row) {
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			if slices.Contains(standings, f.standing) {
				rows = append(rows, row{s, f})
			}
		}
	}
	return rows
}

// grouped splits items by their keys, in the order of the first item of each key.
func grouped[T any, K comparable](items []T, key func(T) K) (groups [][]T) {
	at := map[K]int{}
	for _, item := range items {
		k := key(item)
		if _, known := at[k]; !known {
			at[k] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[k]] = append(groups[at[k]], item)
	}
	return groups
}

func (r *Report) groups() [][]Subject {
	return grouped(r.Subjects, func(s Subject) string { return s.Group })
}

// A kind stands for all findings with the same rule, type, path and severity. Indexes and keys in
// the path may differ.
type kind struct {
	rule           objchange.Rule
	typeName, path string
	severity       objchange.Severity
}

func (r row) kind() kind {
	f := r.finding
	return kind{f.Rule, r.typeName(), cmp.Or(paths.Pattern(f.Shown), f.Path), f.Severity}
}

// typeName returns the type of the subject's object, or what else is the same for all its findings. Documents
// have no type, so their findings are the same if they have the same rule, path and message.
func (r row) typeName() string {
	if r.subject.Document != "" {
		return r.finding.text()
	}
	return strings.TrimSpace(r.subject.Kind + " " + cmp.Or(r.subject.Type, r.subject.Address))
}

// An objectID identifies the object of a subject. Several requests for an object are one object.
type objectID struct{ group, typeName, name, object string }

func (r row) object() objectID {
	s := r.subject
	return objectID{s.Group, s.Kind + s.Type, s.KnownBy(), s.object()}
}

// shownObjects limits the names of objects that the text report shows for a finding.
const shownObjects = 3

// objectNames returns the names of the first objects, and how many objects there are if there are several.
func objectNames(rows []row) string {
	all := grouped(rows, row.object)
	var names []string
	for _, same := range all[:min(len(all), shownObjects)] {
		names = append(names, inLine(same[0].subject.Name))
	}
	text := strings.Join(names, ", ")
	if len(all) > shownObjects {
		text += ", …"
	}
	if len(all) > 1 {
		text = print.Plural(len(all), "object") + ": " + text
	}
	return text
}

// uncountedLines returns a line for each type with findings that do not count: the number of kinds
// and of objects. If there is only one kind, the line also has its finding.
func (r *Report) uncountedLines() (all []string) {
	for _, rows := range grouped(r.rows(tolerated, unchecked, legacySDK), row.typeName) {
		kinds := grouped(rows, row.kind)
		n := map[standing]int{}
		for _, k := range kinds {
			n[k[0].finding.standing]++
		}
		numbers := counted(" and ", n[tolerated], tolerated, n[unchecked], unchecked, n[legacySDK], legacySDK)
		noun, found := "kinds", ""
		if f := kinds[0][0].finding; len(kinds) == 1 {
			noun, found = "kind", fmt.Sprintf(": %s %s: %s", f.Rule, cmp.Or(f.Path, "(root)"), f.Message)
		}
		name := rows[0].typeName()
		if rows[0].subject.Document != "" {
			name = objectNames(rows)
		}
		all = append(all, inLine(fmt.Sprintf("%s: %s %s in %s%s",
			name, numbers, noun, print.Plural(len(grouped(rows, row.object)), "object"), found)))
	}
	return all
}
