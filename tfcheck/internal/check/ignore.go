package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/globs"
	"github.com/objchange/objchange/internal/spelling"
)

// An IgnoreOption selects findings to ignore. It is safe for concurrent use.
type IgnoreOption struct {
	rule, typeName, path globs.Glob
	reason               string
	err                  error
	matched              atomic.Bool
}

// Ignore returns an IgnoreOption for RULE[:TYPE[:PATH]].
func Ignore(what, reason string) *IgnoreOption {
	rule, typeName, path := globs.Split(what)
	i := &IgnoreOption{rule: globs.New(rule), typeName: globs.New(typeName), path: globs.New(path), reason: reason}
	var names []string
	for _, r := range objchange.Rules() {
		names = append(names, string(r))
	}
	switch {
	case strings.TrimSpace(reason) == "":
		i.err = fmt.Errorf("tfcheck.Ignore: %q needs a reason", what)
	case rule == "":
		i.err = fmt.Errorf("tfcheck.Ignore: %q does not name a rule; use * for any rule", what)
	case !slices.ContainsFunc(names, i.rule.Matches):
		i.err = fmt.Errorf("tfcheck.Ignore: there is no rule %q", rule)
		if near := spelling.Nearest(rule, names); near != "" {
			i.err = fmt.Errorf("%w: did you mean %s?", i.err, near)
		}
	case globs.CheckPath(path) != nil:
		i.err = fmt.Errorf("tfcheck.Ignore: %w", globs.CheckPath(path))
	case strings.Contains(typeName, "."):
		i.err = fmt.Errorf("tfcheck.Ignore: %q: use a resource type instead of %s, "+
			"because providers do not know addresses", what, typeName)
	}
	return i
}

// Used reports whether a finding was ignored so far.
func (i *IgnoreOption) Used() bool { return i.matched.Load() }

// A Filter drops the findings that its elements ignore.
type Filter []*IgnoreOption

// Err returns the error of the first invalid element.
func (all Filter) Err() error {
	for _, i := range all {
		if i.err != nil {
			return i.err
		}
	}
	return nil
}

// Rest returns the violations of a type that are not ignored.
func (all Filter) Rest(typeName string, found objchange.Violations) objchange.Violations {
	return slices.DeleteFunc(slices.Clone(found), func(v *objchange.Violation) bool {
		return all.first(typeName, v.Rule, v.PathString(), v.Severity) != nil
	})
}

// Reason returns the reason why a violation at the path is ignored, or "".
func (all Filter) Reason(typeName string, rule objchange.Rule, path string, severity objchange.Severity) string {
	i := all.first(typeName, rule, path, severity)
	if i == nil {
		return ""
	}
	return i.reason
}

// first returns the first option that ignores a violation, or nil. The option counts as used.
func (all Filter) first(typeName string, rule objchange.Rule, path string, s objchange.Severity) *IgnoreOption {
	path = cmp.Or(path, globs.Root)
	for _, i := range all {
		if i.err == nil && i.rule.Matches(string(rule)) && i.typeName.Matches(typeName) && i.path.Matches(path) {
			if s != objchange.LegacySDK { // these findings never fail a test, so they need no option
				i.matched.Store(true)
			}
			return i
		}
	}
	return nil
}
