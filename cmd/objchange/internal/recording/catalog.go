package recording

import (
	"path"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/zclconf/go-cty/cty"
)

// A catalog finds the schemas of requests.
type catalog struct {
	schemas *configschema.ProviderSchemas
	known   map[*configschema.Schema]*described
}

// A described is a schema that is ready for use.
type described struct {
	schema *objchange.Schema
	ty     cty.Type
	wrong  string // why it is none that can be used, or ""
}

func newCatalog(schemas *configschema.ProviderSchemas) *catalog {
	return &catalog{schemas, map[*configschema.Schema]*described{}}
}

// noSchema is the reason to skip a request for a type without a schema.
const noSchema = "no schema for this type"

// find returns the schema of what the request is about.
func (c *catalog) find(req *request) *described {
	schema := c.lookUp(req)
	if schema == nil || schema.Block == nil {
		return &described{wrong: noSchema}
	}
	if d, ok := c.known[schema]; ok {
		return d
	}
	compiled, err := document.Compile(schema.Block)
	d := &described{schema: compiled, ty: compiled.ImpliedType()}
	if err != nil {
		d.wrong = "invalid schema: " + words.Join(err, "; ")
	}
	c.known[schema] = d
	return d
}

// lookUp looks for the provider under its address. Providers know that by what
// their makers told them, which need not be what the configuration calls them:
// the registry is another in OpenTofu, for one. So the only provider of that
// namespace and name will do, and else the only one that has the type.
func (c *catalog) lookUp(req *request) *configschema.Schema {
	rpc := tfcheck.RPCNamed(req.rpc)
	if provider := c.schemas.Providers[req.provider]; provider != nil {
		return rpc.Schemas(provider)[req.typeName]
	}
	var same, all []*configschema.Schema
	for address, provider := range c.schemas.Providers {
		if provider == nil {
			continue
		}
		schema := rpc.Schemas(provider)[req.typeName]
		if schema == nil {
			continue
		}
		all = append(all, schema)
		if withoutHost(address) == withoutHost(req.provider) {
			same = append(same, schema)
		}
	}
	for _, found := range [][]*configschema.Schema{same, all} {
		if len(found) == 1 {
			return found[0]
		}
	}
	return nil
}

// withoutHost returns the namespace and the name in a provider's address.
func withoutHost(address string) string {
	namespace, name := path.Split(address)
	return path.Join(path.Base(namespace), name)
}
