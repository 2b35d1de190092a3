package tfcheck

import "github.com/objchange/objchange/tfcheck/internal/check"

// An Option configures a checking server. It is a Program or an *IgnoreOption.
type Option interface{ set(*checker) }

func (p Program) set(c *checker) { c.program = p }

// An IgnoreOption selects findings to ignore. It is safe for concurrent use.
type IgnoreOption struct{ selection *check.IgnoreOption }

func (i *IgnoreOption) set(c *checker) {
	if i != nil {
		c.ignored = append(c.ignored, i.selection)
	}
}

// Ignore returns an Option that drops matching findings before any Report receives them. The
// first argument is RULE[:TYPE[:PATH]], as for --ignore of the command, and * matches any text:
// "inconsistent-value:cloud_server:.tags*". TYPE is a resource type, because providers do not
// receive addresses. The path of the root value is "(root)". The second argument gives the
// reason.
//
// Ignore does not change Terraform's behavior: Terraform still rejects findings that are
// Rejected. A driver then returns an error with the reason.
//
// The IgnoreOption is invalid if the notation contains no rule name, an unknown rule name, an
// invalid path, or an address in place of a type, or if the reason is empty. Then factories with
// this option return an error, and so do driver.New6 and GetProviderSchema of a server. A nil
// *IgnoreOption ignores nothing.
func Ignore(what, reason string) *IgnoreOption { return &IgnoreOption{check.Ignore(what, reason)} }

// Used reports whether a finding was ignored so far. If it returns false after all tests have
// run, the IgnoreOption can be removed. Findings that are LegacySDK do not count.
func (i *IgnoreOption) Used() bool { return i != nil && i.selection.Used() }

// with applies the options to the checker.
func (c *checker) with(opts []Option) *checker {
	for _, opt := range opts {
		if opt != nil {
			opt.set(c)
		}
	}
	return c
}
