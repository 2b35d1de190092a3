package audit

import (
	"errors"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
)

// An index says where in the documents each object is: it is some hundred bytes
// for each, whatever that holds. Values are read when their object is judged.
type index struct {
	format string
	others
	hasPrior, hasValues bool
	errored             bool

	changes, drift, deferred, values, prior, state []*place

	unclear        error // the first object of which nobody can tell which it is
	objects        map[key]*parts
	providers      map[string]provided // of the configuration
	configurations map[string]*configured
}

// A place is where an object is in a part of a document.
type place struct {
	*parts
	*section
	span
	i int
}

// A section is an array in a document.
type section struct {
	*source
	within string // the pointer to it
}

func (p *place) pointer() string { return fmt.Sprintf("%s/%d", p.within, p.i) }

// parts are where an object is in all documents, nil where it is not.
type parts struct {
	key
	change, planned, prior, state *place
	deferred, drift               []*place
	told                          bool // something was said of it
}

// of returns the parts of an object.
func (x *index) of(k key) *parts {
	p := x.objects[k]
	if p == nil {
		p = &parts{key: k}
		x.objects[k] = p
	}
	return p
}

// others tell documents of other kinds by what only they have.
type others struct{ plan, state, schemas, stateFile bool }

// kind says which other document it is, or "".
func (o others) kind() string {
	switch {
	case o.plan:
		return "a plan"
	case o.state:
		return "a state"
	case o.schemas:
		return "the schemas of providers"
	case o.stateFile:
		return `a state file, which "terraform show -json" has to print`
	}
	return ""
}

// scanPlan finds what is in a plan.
func (x *index) scanPlan(s *scanner) error {
	hasChanges := false
	err := s.document(func(name string) (err error) {
		switch name {
		case "resource_changes":
			hasChanges = s.PeekKind() != 'n'
			return x.list(s, "/resource_changes", &x.changes, func(o *parts) **place { return &o.change })
		case "resource_drift":
			return x.list(s, "/resource_drift", &x.drift, nil)
		case "deferred_changes":
			return x.list(s, "/deferred_changes", &x.deferred, nil)
		case "planned_values":
			x.hasValues = s.PeekKind() != 'n'
			return x.root(s, "/planned_values", &x.values, func(o *parts) **place { return &o.planned })
		case "prior_state":
			x.hasPrior = s.PeekKind() != 'n'
			return s.members(func(name string) error {
				if name != "values" {
					_, err := s.skip()
					return err
				}
				return x.root(s, "/prior_state/values", &x.prior, func(o *parts) **place { return &o.prior })
			})
		case "configuration":
			return x.configuration(s)
		case "errored":
			return s.into(&x.errored)
		}
		return x.common(s, name)
	})
	if err != nil {
		return err
	}
	x.plan = false
	if kind := x.kind(); kind != "" {
		return s.wrong(fmt.Errorf("this is %s, not a plan", kind))
	}
	if err := (&tfjson.Plan{FormatVersion: x.format}).Validate(); err != nil {
		return s.wrong(err)
	}
	if !x.hasValues && !hasChanges {
		return s.wrong(errors.New("this is not a plan: it has neither planned_values nor resource_changes"))
	}
	return x.unclear
}

// scanState finds what is in the state after apply.
func (x *index) scanState(s *scanner) error {
	x.format, x.others = "", others{}
	err := s.document(func(name string) error {
		if name == "values" {
			return x.root(s, "/values", &x.state, func(o *parts) **place { return &o.state })
		}
		return x.common(s, name)
	})
	if err != nil {
		return err
	}
	x.others.state = false
	if kind := x.kind(); kind != "" {
		return s.wrong(fmt.Errorf("this is %s, not a state", kind))
	}
	if err := (&tfjson.State{FormatVersion: x.format}).Validate(); err != nil {
		return s.wrong(err)
	}
	return x.unclear
}

// common reads what documents of all kinds have.
func (x *index) common(s *scanner, name string) error {
	switch name {
	case "format_version":
		return s.text(&x.format)
	case "planned_values", "resource_changes":
		return s.present(&x.plan)
	case "values":
		return s.present(&x.others.state)
	case "provider_schemas":
		return s.present(&x.schemas)
	case "lineage":
		return s.present(&x.stateFile)
	}
	_, err := s.skip()
	return err
}

// root scans the values of a state, or planned ones.
func (x *index) root(s *scanner, pointer string, to *[]*place, part func(*parts) **place) error {
	return s.members(func(name string) error {
		if name != "root_module" {
			_, err := s.skip()
			return err
		}
		return x.module(s, pointer+"/root_module", to, part)
	})
}

func (x *index) module(s *scanner, pointer string, to *[]*place, part func(*parts) **place) error {
	return s.members(func(name string) error {
		switch name {
		case "resources":
			return x.list(s, pointer+"/resources", to, part)
		case "child_modules":
			return s.elements(func(i int) error {
				return x.module(s, fmt.Sprintf("%s/child_modules/%d", pointer, i), to, part)
			})
		}
		_, err := s.skip()
		return err
	})
}

// list scans an array of objects. With a part, each must have an address, and none
// may be there twice.
func (x *index) list(s *scanner, pointer string, to *[]*place, part func(*parts) **place) error {
	in := &section{s.source, pointer}
	return s.elements(func(i int) error {
		p := &place{section: in, i: i}
		changes, err := x.object(s, p)
		if err != nil {
			return err
		}
		*to = append(*to, p)
		if part == nil {
			x.besides(p, to == &x.deferred)
			return nil
		}
		is := part(p.parts)
		switch {
		case p.address == "":
			x.doubt(p, "has no address")
		case to == &x.changes && !changes:
			x.doubt(p, "has no change")
		case *is != nil:
			x.doubt(p, p.key.String()+" is there twice")
		}
		*is = p
		return nil
	})
}

// doubt keeps what is unclear, of which is told if the document is sound otherwise.
func (x *index) doubt(p *place, reason string) {
	if x.unclear == nil {
		x.unclear = p.broken(p.pointer(), reason)
	}
}

// besides keeps a change that is not to be made: of one kind there may be several of
// an object.
func (x *index) besides(p *place, deferred bool) {
	if p.address == "" {
		return
	}
	if deferred {
		p.parts.deferred = append(p.parts.deferred, p)
	} else {
		p.parts.drift = append(p.parts.drift, p)
	}
}

// object scans one object, and reports whether it has a change.
func (x *index) object(s *scanner, p *place) (changes bool, err error) {
	p.from = s.InputOffset()
	k, changes, err := s.key()
	p.parts, p.to = x.of(k), s.InputOffset()
	return changes, err
}

// key reads an object, and returns what names it, and whether it has a change.
func (s *scanner) key() (k key, changes bool, err error) {
	err = s.members(func(name string) (err error) {
		switch name {
		case "address":
			return s.text(&k.address)
		case "deposed", "deposed_key":
			return s.text(&k.deposed)
		case "change":
			return s.present(&changes)
		case "resource_change": // of what is deferred
			k, _, err = s.key()
			return err
		}
		_, err = s.skip()
		return err
	})
	return k, changes, err
}
