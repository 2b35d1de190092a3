package tfconv

import (
	"errors"
	"fmt"
	"strings"

	"github.com/objchange/objchange/configschema"
)

// maxSchemaDepth is how deep package objchange lets schemas be nested. A deeper
// one may be a cycle of pointers.
const maxSchemaDepth = 64

// maxSchemaFields bounds what is read of a schema, so that a few shared pointers
// cannot keep us busy for ever.
const maxSchemaFields = 1 << 20

// problems are what is wrong with a schema, found on a way through it.
type problems struct {
	path    []string
	entered int
	list    []error
}

func (p *problems) enter(name string) {
	p.path = append(p.path, "."+name)
	p.entered++
}

func (p *problems) leave() { p.path = p.path[:len(p.path)-1] }

func (p *problems) fail(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if len(p.path) > 0 {
		text = strings.Join(p.path, "") + ": " + text
	}
	p.list = append(p.list, errors.New(text))
}

// goOn reports whether to read what is nested here.
func (p *problems) goOn() bool {
	switch {
	case len(p.path) > maxSchemaDepth:
		p.fail("nested deeper than %d levels", maxSchemaDepth)
	case p.entered > maxSchemaFields:
		if len(p.list) == 0 {
			p.fail("the schema has more than %d attributes and blocks", maxSchemaFields)
		}
	default:
		return true
	}
	return false
}

// addNamed adds what the path has come to, if nothing else has the name.
func addNamed[V any](p *problems, to map[string]V, name string, v V) {
	if _, twice := to[name]; twice {
		p.fail("the name is there twice")
		return
	}
	to[name] = v
}

// validBlock returns the block, or all that is wrong with it.
func validBlock(block *configschema.Block, p problems) (*configschema.Block, error) {
	if err := errors.Join(p.list...); err != nil {
		return nil, err
	}
	if err := usable(block); err != nil {
		return nil, err
	}
	return block, nil
}

// usable returns what is wrong with a schema that has no meaning. What Terraform
// refuses by convention alone is none of a judge's business.
func usable(block *configschema.Block) error {
	if block.ImpliedType().IsObjectType() {
		return nil
	}
	return block.Validate()
}
