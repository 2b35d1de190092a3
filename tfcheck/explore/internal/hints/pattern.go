package hints

import (
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/internal/globs"
	"github.com/objchange/objchange/internal/spelling"
)

// A Pattern is a text that may contain stars, with its place. In a file, the place is its line and
// column, such as ":3:5".
type Pattern struct {
	text, at string
	glob     globs.Glob
}

// NewPattern returns a pattern from the place.
func NewPattern(text, at string) Pattern { return Pattern{text, at, globs.New(text)} }

// UnmarshalYAML implements yaml.Unmarshaler.
func (p *Pattern) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return wrongNode(n)
	}
	*p = NewPattern(n.Value, fmt.Sprintf(":%d:%d", n.Line, n.Column))
	return nil
}

// Matches reports whether the pattern matches the text.
func (p Pattern) Matches(text string) bool { return p.glob.Matches(text) }

// Check adds a problem if the pattern is empty or matches none of the names.
func (p Pattern) Check(problems *Problems, what string, names []string) {
	if p.text == "" {
		problems.Add(p.at, "must be a pattern; use * for any name")
		return
	}
	if slices.ContainsFunc(names, p.Matches) {
		return
	}
	if near := spelling.Nearest(p.text, names); near != "" {
		problems.Add(p.at, "there is no %s %q: did you mean %q?", what, p.text, near)
	} else {
		problems.Add(p.at, "no %s matches %q", what, p.text)
	}
}

// Problems lists the problems of a file, in order.
type Problems struct {
	file string
	all  []error
}

// Add adds a problem at a place.
func (p *Problems) Add(at, format string, args ...any) {
	p.all = append(p.all, fmt.Errorf("%s%s: %s", p.file, at, fmt.Sprintf(format, args...)))
}

// Err returns an error that lists the problems. It returns nil if the list is empty.
func (p *Problems) Err() error { return errors.Join(p.all...) }
