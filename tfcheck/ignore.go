package tfcheck

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/globs"
	"github.com/objchange/objchange/internal/spelling"
)

// An Option of a checking server is a Program or an Ignored.
type Option interface{ set(*checker) }

func (p Program) set(c *checker) { c.program = p }

// An Ignored says which findings to ignore. It is safe for concurrent use.
type Ignored struct {
	rule, typeName, path globs.Glob
	err                  error
	used                 atomic.Bool
}

func (i *Ignored) set(c *checker) { c.ignored = append(c.ignored, i) }

// Ignore returns an Option that drops findings before any Report gets them. The first
// argument is RULE[:TYPE[:PATH]], as for --ignore of the command, where * is any text:
// "inconsistent-value:cloud_server:.tags*". Providers do not know addresses, so TYPE is a
// resource type. The root of a value has the path "(root)".
//
// No option prevents what Terraform does: it still rejects what is Rejected.
//
// If the notation names no rule, or an address in place of a type, or the reason is empty,
// factories that have the option return an error, and so do GetProviderSchema of a server
// and driver.New6. A nil *Ignored ignores nothing.
func Ignore(what, reason string) *Ignored {
	rule, typeName, path := globs.Split(what)
	i := &Ignored{rule: globs.New(rule), typeName: globs.New(typeName), path: globs.New(path)}
	var names []string
	for _, r := range objchange.Rules() {
		names = append(names, string(r))
	}
	for _, info := range rules {
		names = append(names, string(info.Rule))
	}
	switch {
	case strings.TrimSpace(reason) == "":
		i.err = fmt.Errorf("tfcheck.Ignore: %q is to be ignored without a reason", what)
	case rule == "":
		i.err = fmt.Errorf("tfcheck.Ignore: %q names no rule: * is any of them", what)
	case !slices.ContainsFunc(names, i.rule.Matches):
		i.err = fmt.Errorf("tfcheck.Ignore: no rule is called %q", rule)
		if near := spelling.Nearest(rule, names); near != "" {
			i.err = fmt.Errorf("%w: did you mean %s?", i.err, near)
		}
	case globs.CheckPath(path) != nil:
		i.err = fmt.Errorf("tfcheck.Ignore: %w", globs.CheckPath(path))
	case strings.Contains(typeName, "."):
		i.err = fmt.Errorf("tfcheck.Ignore: %q: providers know the types of resources, and no addresses: want a type in the place of %s", what, typeName)
	}
	return i
}

// Used reports whether a finding was ignored so far. After all tests have run, an Ignored
// that was not used can be removed.
func (i *Ignored) Used() bool { return i != nil && i.used.Load() }

// A Filter drops the findings that its options ignore.
type Filter []*Ignored

// Err returns what is wrong with the first option that is not valid.
func (all Filter) Err() error {
	for _, i := range all {
		if i != nil && i.err != nil {
			return i.err
		}
	}
	return nil
}

// Rest returns the finding without what is ignored, perhaps with no violations.
func (all Filter) Rest(f Finding) Finding {
	f.Violations = slices.DeleteFunc(slices.Clone(f.Violations), func(v *objchange.Violation) bool {
		path := v.PathString()
		if path == "" {
			path = globs.Root
		}
		ignored := false
		for _, i := range all {
			if i != nil && i.err == nil && i.rule.Matches(string(v.Rule)) && i.typeName.Matches(f.TypeName) && i.path.Matches(path) {
				if f.Severity != LegacyZero { // which never counts, so that no entry is needed
					i.used.Store(true)
				}
				ignored = true
			}
		}
		return ignored
	})
	return f
}

// with sets the options of a checker.
func (c *checker) with(opts []Option) *checker {
	for _, opt := range opts {
		if opt != nil {
			opt.set(c)
		}
	}
	return c
}
