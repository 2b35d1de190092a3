package tfconv

import (
	"errors"
	"fmt"
	"strings"

	"github.com/objchange/objchange/configschema"
)

// maxSchemaDepth is the number of levels that package objchange allows in a schema. A deeper schema
// may contain a cycle of pointers.
const maxSchemaDepth = 64

// maxSchemaFields is the number of attributes and blocks to read from a schema. It bounds the work
// for schemas that share nodes.
const maxSchemaFields = 1 << 20

// problems collects the errors of a schema during one traversal.
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

// canDescend reports whether to read the nested parts at the current path. It records a problem if
// the schema is too deep or too large.
func (p *problems) canDescend() bool {
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

// addNamed adds v under its name. It records a problem if the name is already in use.
func addNamed[V any](p *problems, to map[string]V, name string, v V) {
	if _, twice := to[name]; twice {
		p.fail("duplicate name")
		return
	}
	to[name] = v
}

// validBlock returns the block, or an error with all its problems.
func validBlock(block *configschema.Block, p problems) (*configschema.Block, error) {
	if err := errors.Join(p.list...); err != nil {
		return nil, err
	}
	if block.Usable() != nil {
		return nil, block.Validate() // all problems
	}
	return block, nil
}
