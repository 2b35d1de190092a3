package tfcheck

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

// An Option configures a checking server. It is a Program or an *Ignored.
type Option interface{ set(*checker) }

func (p Program) set(c *checker) { c.program = p }

// An Ignored selects findings to ignore. It is safe for concurrent use.
type Ignored struct {
	rule, typeName, path globs.Glob
	reason               string
	err                  error
	used                 atomic.Bool
}

func (i *Ignored) set(c *checker) { c.ignored = append(c.ignored, i) }

// Ignore returns an Option that drops matching findings before any Report receives them. The
// first argument is RULE[:TYPE[:PATH]], as for --ignore of the command, and * matches any text:
// "inconsistent-value:cloud_server:.tags*". TYPE is a resource type, because providers do not
// receive addresses. The path of the root value is "(root)". The second argument gives the
// reason.
//
// Ignore does not change Terraform's behavior: Terraform still rejects findings that are
// Rejected. A driver then returns an error with the reason.
//
// The Ignored is invalid if the notation contains no rule name, an unknown rule name, an invalid
// path, or an address in place of a type, or if the reason is empty. Then factories with this
// option return an error, and so do driver.New6 and GetProviderSchema of a server. A nil *Ignored
// ignores nothing.
func Ignore(what, reason string) *Ignored {
	rule, typeName, path := globs.Split(what)
	i := &Ignored{rule: globs.New(rule), typeName: globs.New(typeName), path: globs.New(path), reason: reason}
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
		i.err = fmt.Errorf("tfcheck.Ignore: %q: use a resource type instead of %s, because providers do not know addresses", what, typeName)
	}
	return i
}

// Used reports whether a finding was ignored so far. If it returns false after all tests have
// run, the Ignored can be removed. Findings that are LegacySDK do not count.
func (i *Ignored) Used() bool { return i != nil && i.used.Load() }

// A Filter drops the findings that its options ignore.
type Filter []*Ignored

// Err returns the error of the first invalid option.
func (all Filter) Err() error {
	for _, i := range all {
		if i != nil && i.err != nil {
			return i.err
		}
	}
	return nil
}

// Rest returns the finding without the ignored violations. The result may have no violations.
func (all Filter) Rest(f Finding) Finding {
	f.Violations = slices.DeleteFunc(slices.Clone(f.Violations), func(v *objchange.Violation) bool {
		i := all.first(f.TypeName, v.Rule, v.PathString())
		if i != nil && f.Severity != objchange.LegacySDK { // these findings never fail a test, so they need no option
			i.used.Store(true)
		}
		return i != nil
	})
	return f
}

// Reason returns the reason why a violation at the path is ignored, or "".
func (all Filter) Reason(typeName string, rule objchange.Rule, path string) string {
	i := all.first(typeName, rule, path)
	if i == nil {
		return ""
	}
	i.used.Store(true)
	return i.reason
}

// first returns the first option that ignores a violation, or nil.
func (all Filter) first(typeName string, rule objchange.Rule, path string) *Ignored {
	for _, i := range all {
		if i != nil && i.err == nil && i.rule.Matches(string(rule)) && i.typeName.Matches(typeName) && i.path.Matches(cmp.Or(path, globs.Root)) {
			return i
		}
	}
	return nil
}

// with applies the options to the checker.
func (c *checker) with(opts []Option) *checker {
	for _, opt := range opts {
		if opt != nil {
			opt.set(c)
		}
	}
	return c
}
