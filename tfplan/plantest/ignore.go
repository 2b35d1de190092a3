package plantest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/globs"
	"github.com/objchange/objchange/internal/spelling"
	"github.com/objchange/objchange/tfplan"
)

// ignored is a compiled key of Ignore.
type ignored struct{ rule, typeName, path globs.Glob }

func (i ignored) matches(typeName string, f tfplan.Finding) bool {
	return i.rule.Matches(string(f.Rule)) && i.typeName.Matches(typeName) && i.path.Matches(cmp.Or(f.Path, globs.Root))
}

// compile compiles Ignore.
func (p *Providers) compile() error {
	var rules []string
	for _, rule := range objchange.Rules() {
		rules = append(rules, string(rule))
	}
	var wrong []error
	for what, reason := range p.Ignore {
		rule, typeName, path := globs.Split(what)
		i := ignored{globs.New(rule), globs.New(typeName), globs.New(path)}
		err := globs.CheckPath(path)
		switch {
		case strings.TrimSpace(reason) == "":
			err = errors.New("the reason is empty")
		case rule == "" || !slices.ContainsFunc(rules, i.rule.Matches):
			err = fmt.Errorf("there is no rule %q", rule)
			if near := spelling.Nearest(rule, rules); near != "" {
				err = fmt.Errorf("%w: did you mean %s?", err, near)
			}
		case strings.Contains(typeName, "."):
			err = fmt.Errorf("use a resource type instead of %s", typeName)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("ignore %q: %w", what, err))
		}
		p.ignored = append(p.ignored, i)
	}
	return errors.Join(wrong...)
}
