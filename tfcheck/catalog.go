package tfcheck

import (
	"sync"

	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
)

// A kind says in which of a provider's lists of schemas a type name is.
type kind int

const (
	providerKind kind = iota
	resourceKind
	dataKind
	ephemeralKind
	identityKind
)

// A described is a schema made ready for use, or why there is none.
type described struct {
	version int64
	block   *objchange.Block
	ty      cty.Type
	names   []string // of its attributes and blocks, in order
	legacy  bool     // it could be one of the legacy SDK
	err     error
}

func describe(schema *objchange.Schema, err error) *described {
	if err != nil {
		return &described{err: err}
	}
	ty := schema.Block.ImpliedType().WithoutOptionalAttributesDeep()
	return &described{version: schema.Version, block: schema.Block, ty: ty, names: namesOf(ty), legacy: couldBeLegacy(schema.Block)}
}

// couldBeLegacy reports whether the legacy SDK could have made the schema: Core
// takes such for its, and normalises what is read.
func couldBeLegacy(b *objchange.Block) bool {
	for _, a := range b.Attributes {
		if a.NestedType != nil || !legacyType(a.Type) {
			return false
		}
	}
	for _, nb := range b.BlockTypes {
		if nb.Computed || !couldBeLegacy(&nb.Block) {
			return false
		}
	}
	return true
}

// legacyType reports whether the legacy SDK could have an attribute of the type.
func legacyType(ty cty.Type) bool {
	switch {
	case ty.IsTupleType() || ty.IsObjectType():
		return false
	case ty.IsMapType() && ty.ElementType().IsObjectType():
		return false
	case ty.IsCollectionType() && ty.ElementType().IsCollectionType():
		return ty.ElementType().ElementType().IsPrimitiveType()
	}
	return true
}

// A catalog keeps what was made of a provider's schemas. A schema is made when
// it is first asked for: large providers have thousands.
type catalog struct {
	mu    sync.Mutex
	known map[kind]map[string]*described
}

// get returns the schema, made at the first time.
func (c *catalog) get(k kind, name string, make func() *described) *described {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.known[k][name]; d != nil {
		return d
	}
	if c.known == nil {
		c.known = map[kind]map[string]*described{}
	}
	if c.known[k] == nil {
		c.known[k] = map[string]*described{}
	}
	d := make()
	c.known[k][name] = d
	return d
}
