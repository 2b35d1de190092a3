package tfplan

import (
	"errors"
	"fmt"
	"io"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/objchange/objchange/internal/jsonpos"
)

// A section is a part of a plan or a state that contains objects.
type section int

const (
	changes section = iota
	planned
	prior
	applied
	drift
	deferred
	configuration
	numSections
)

// An index has the places of each object in the plan and the state. It needs a few hundred bytes
// for each object, regardless of the object's size. Values are read when their object is checked.
type index struct {
	lists   [numSections][]*place // in the order of the document
	objects map[key]*objectPlaces
	has     [numSections]bool // the document has this section; for applied, there is a state
	errored bool
	unread  []string // members of the plan that are not empty and not checked, apart from otherNames

	configurations map[string]*place // by the address without instance keys
}

// A key identifies an object: a resource instance, or a deposed object of it.
type key struct{ address, deposed string }

func (k key) String() string {
	if k.deposed == "" {
		return k.address
	}
	return fmt.Sprintf("%s (deposed %s)", k.address, k.deposed)
}

// objectPlaces are the places of one object.
type objectPlaces struct {
	key      key
	places   []*place
	reported bool // the object or configuration is part of a task
}

// A scanner reads a plan or a state once.
type scanner struct {
	*jsonpos.Reader
	index  *index
	source *source
}

// scan visits the members of a document. It returns an error if the document is of another kind, or
// if its format version is not supported.
func (x *index) scan(
	source *source, want jsonpos.Kind, valid func(format string) error, member func(s *scanner, name string) error,
) error {
	s := &scanner{source.reader(), x, source}
	format, names := "", map[string]bool{} // the members of the document that are not null
	err := s.Members(func(name string) error {
		if s.PeekKind() != 'n' {
			names[name] = true
		}
		if name == "format_version" {
			return s.Text(&format)
		}
		return member(s, name)
	})
	if err == nil {
		_, at := s.Next()
		if _, err = s.ReadToken(); err == nil {
			err = &jsonpos.Error{Position: at, Reason: "more data follows the document"}
		} else if err == io.EOF {
			err = nil
		} else {
			err = s.Error(err)
		}
	}
	kind := jsonpos.KindOf(func(name string) bool { return names[name] })
	switch {
	case err != nil:
	case kind != want && kind != jsonpos.Unknown:
		err = fmt.Errorf("this is %s, not %s", described(kind), want)
	default:
		notPlan := want == jsonpos.Plan && kind != want
		if format != "" || !notPlan {
			err = valid(format)
		}
		if err == nil && notPlan {
			err = errors.New("this is not a plan: it has neither planned_values nor resource_changes")
		}
	}
	if unusable := (*Error)(nil); err == nil || errors.As(err, &unusable) {
		return err
	}
	return source.wrong(err)
}

func (x *index) scanPlan(source *source) error {
	valid := func(format string) error { return (&tfjson.Plan{FormatVersion: format}).Validate() }
	return x.scan(source, jsonpos.Plan, valid, func(s *scanner, name string) error {
		in, ok := sectionNames[name]
		switch {
		case name == "errored":
			return s.Bool(&x.errored)
		case !ok:
			return s.other(name)
		case in == changes:
			return s.list(in, "/"+name, "")
		case in == drift || in == deferred: // only needed to hide what is sensitive there
			err := s.list(in, "/"+name, "")
			if len(x.lists[in]) > 0 {
				s.index.unread = append(s.index.unread, name)
			}
			return err
		}
		x.has[in] = s.PeekKind() != 'n'
		return s.module(in, "/"+name, "")
	})
}

// otherNames are the members of a plan that need no check.
var otherNames = map[string]bool{
	"terraform_version": true, "timestamp": true, "applyable": true, "complete": true, "variables": true,
	"output_changes": true, "relevant_attributes": true, "checks": true,
}

// other skips a member without objects. It records the name of the member if it may contain
// something to check.
func (s *scanner) other(name string) error {
	kind := s.PeekKind()
	from, _ := s.Next()
	err := s.Skip()
	hasParts := s.InputOffset()-from > int64(len("{}"))
	empty := kind == 'n' || (kind == '{' || kind == '[') && !hasParts
	if !empty && !otherNames[name] {
		s.index.unread = append(s.index.unread, name)
	}
	return err
}

func (x *index) scanState(source *source) error {
	x.has[applied] = true
	valid := func(format string) error { return (&tfjson.State{FormatVersion: format}).Validate() }
	return x.scan(source, jsonpos.State, valid, func(s *scanner, name string) error {
		if name == "values" {
			return s.module(applied, "/values", "")
		}
		return s.Skip()
	})
}

// described describes a kind of file, with a command that converts it if there is one.
func described(kind jsonpos.Kind) string {
	if kind == jsonpos.StateFile {
		return `a state file (convert it with "terraform show -json")`
	}
	return string(kind)
}

// sectionNames are the members of a plan that contain objects.
var sectionNames = map[string]section{
	"resource_changes": changes, "resource_drift": drift, "deferred_changes": deferred,
	"planned_values": planned, "prior_state": prior, "configuration": configuration,
}

// module scans a module or an object that contains modules. The parameter module is the address
// prefix of a module of the configuration.
func (s *scanner) module(in section, pointer, module string) error {
	return s.Members(func(name string) error {
		at := pointer + "/" + name
		switch name {
		case "resources":
			return s.list(in, at, module)
		case "values", "root_module", "module":
			return s.module(in, at, module)
		case "child_modules":
			return s.Elements(func(i int) error { return s.module(in, fmt.Sprintf("%s/%d", at, i), "") })
		case "module_calls":
			return s.Members(func(call string) error {
				return s.module(in, at+"/"+call, module+"module."+call+".")
			})
		}
		return s.Skip()
	})
}

// list scans an array of objects. In a configuration, addresses are relative to the module. Drift
// and deferred changes may contain an object several times or without an address.
func (s *scanner) list(in section, array, module string) error {
	return s.Elements(func(i int) error {
		from, at := s.Next()
		k, changed, err := s.key()
		if err != nil {
			return err
		}
		p := &place{s.source, &objectPlaces{key: k}, in, array, i, from, s.InputOffset(), at}
		if in == configuration {
			s.index.configurations[module+k.address] = p
			return nil
		}
		if known := s.index.objects[k]; known != nil {
			p.object = known
		}
		s.index.objects[k] = p.object
		s.index.lists[in] = append(s.index.lists[in], p)
		switch {
		case in == drift || in == deferred:
		case k.address == "":
			return p.wrong("has no address")
		case in == changes && !changed:
			return p.wrong("has no change")
		case slices.ContainsFunc(p.object.places, func(other *place) bool { return other.section == in }):
			return p.wrong(k.String() + " is listed twice")
		}
		p.object.places = append(p.object.places, p)
		return nil
	})
}

// key reads an object. It returns the key of the object, and whether the object has a change.
func (s *scanner) key() (k key, changed bool, err error) {
	err = s.Members(func(name string) (err error) {
		switch name {
		case "address":
			return s.Text(&k.address)
		case "deposed", "deposed_key":
			return s.Text(&k.deposed)
		case "resource_change": // of a deferred change
			k, _, err = s.key()
			return err
		case "values":
			return s.Members(func(string) error { return s.Skip() })
		case "change":
			changed = s.PeekKind() != 'n'
		}
		return s.Skip()
	})
	return k, changed, err
}
