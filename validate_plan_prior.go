package objchange

import (
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// A prior is the prior value at a place of a plan: one value or, inside a set,
// where nothing says which prior element a planned one was made from, any of a
// pool.
type prior struct {
	one  cty.Value
	pool *pool
}

// barePrior returns the prior value without marks of its own.
func barePrior(p prior) prior {
	if p.pool == nil {
		p.one = values.Unmarked(p.one)
	}
	return p
}

// part returns the prior value of an attribute of a bare object.
func (p prior) part(name string) prior {
	if p.pool != nil {
		return prior{pool: p.pool.part(name)}
	}
	return prior{one: part(p.one, name)}
}

// equals reports whether the value is the prior one, which is not null.
func (p prior) equals(n cty.Value) bool {
	if p.pool != nil {
		return p.pool.has(n)
	}
	return !p.one.IsNull() && values.Equal(n, p.one, values.Content)
}

// open returns the elements of a bare prior collection.
func (p prior) open(n nest) priorMembers {
	if p.pool != nil {
		return priorMembers{pool: p.pool.members(n)}
	}
	return priorMembers{members: n.openIf(p.one)}
}

type priorMembers struct {
	members
	pool *pool
}

// like returns the prior element for a planned one: the one at the same index
// or key or, from a pool, any.
func (ps *priorMembers) like(ns *members, i int) prior {
	if ps.pool != nil {
		return prior{pool: ps.pool}
	}
	one, _ := ps.members.like(ns, i)
	return prior{one: one}
}

// elements returns the pool of all elements of a prior set.
func (p prior) elements(n nest) prior {
	if p.pool != nil {
		return prior{pool: p.pool.members(n)}
	}
	one := p.one
	return prior{pool: (&pool{load: func() []cty.Value { return []cty.Value{one} }}).members(n)}
}

// A pool is all prior values at one place in the elements of a set. It is
// filled when it is first asked for, which a plan that follows the
// configuration never does.
type pool struct {
	load   func() []cty.Value
	loaded bool
	values []cty.Value // without marks, known or not, never null
	byHash map[uint64][]cty.Value
	parts  map[string]*pool
	inner  *pool
}

func (p *pool) all() []cty.Value {
	if !p.loaded {
		p.loaded = true
		for _, v := range p.load() {
			if v, _ = values.Bare(v); !v.IsNull() {
				p.values = append(p.values, v)
			}
		}
	}
	return p.values
}

// part is the pool of the named attribute of all objects.
func (p *pool) part(name string) *pool {
	if part := p.parts[name]; part != nil {
		return part
	}
	part := &pool{load: func() (vals []cty.Value) {
		for _, object := range p.all() {
			vals = append(vals, object.GetAttr(name))
		}
		return vals
	}}
	if p.parts == nil {
		p.parts = map[string]*pool{}
	}
	p.parts[name] = part
	return part
}

// members is the pool of the elements of all collections.
func (p *pool) members(n nest) *pool {
	if p.inner == nil {
		p.inner = &pool{load: func() (vals []cty.Value) {
			for _, v := range p.all() {
				ms := n.openIf(v)
				ms.load()
				for i := range ms.n {
					vals = append(vals, ms.elem(i))
				}
			}
			return vals
		}}
	}
	return p.inner
}

// has reports whether an equal value is in the pool.
func (p *pool) has(n cty.Value) bool {
	if n.IsNull() || len(p.all()) == 0 {
		return false
	}
	if p.byHash == nil {
		p.byHash = make(map[uint64][]cty.Value, len(p.values))
		for _, v := range p.values {
			h := values.Hash(v)
			p.byHash[h] = append(p.byHash[h], v)
		}
	}
	for _, v := range p.byHash[values.Hash(n)] {
		if values.Equal(n, v, values.Content) {
			return true
		}
	}
	return false
}
