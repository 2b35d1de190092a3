package configschema

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/spelling"
	"github.com/zclconf/go-cty/cty"
)

// ProviderSchemas is the whole document that `terraform providers schema
// -json` writes: the schemas of all providers of a configuration. What it says
// of other things, functions for one, is left out.
type ProviderSchemas struct {
	// FormatVersion is the version of the format, such as "1.0".
	FormatVersion string
	// Providers are the providers by source address, in full as plans and
	// states have it: "registry.terraform.io/hashicorp/time".
	Providers map[string]*ProviderSchema
}

// ProviderSchema is what one provider of a [ProviderSchemas] has: the schema of
// its own configuration, or nil, and for each kind of thing it offers the
// schemas by type name.
type ProviderSchema struct {
	Provider                 *Schema
	ResourceSchemas          map[string]*Schema
	DataSourceSchemas        map[string]*Schema
	EphemeralResourceSchemas map[string]*Schema
	ListResourceSchemas      map[string]*Schema
	ResourceIdentitySchemas  map[string]*IdentitySchema
}

// Schema is the schema of a provider, a resource, a data source, an ephemeral
// resource or a list resource, and its version.
type Schema struct {
	// Version counts the changes of the schema that need old states upgraded.
	Version int64
	// Block is the schema itself. It may be nil: some providers without any
	// configuration have none.
	Block *Block
}

// IdentitySchema is the schema of what identifies a resource, and its version.
type IdentitySchema struct {
	// Version counts the changes of the schema that need old identities
	// upgraded.
	Version int64
	// Attributes are the parts of the identity, by name.
	Attributes map[string]*IdentityAttribute
}

// IdentityAttribute is one attribute of an [IdentitySchema].
type IdentityAttribute struct {
	Type              cty.Type
	Description       string
	RequiredForImport bool // an import by identity must have it
	OptionalForImport bool // an import by identity may have it
}

// ParseProviderSchemas reads the output of `terraform providers schema -json`,
// of the formats 0 and 1. Fields it does not know are ignored, and null stands
// for an absent field.
//
// It returns an error for input that is not JSON, for a document without a
// format version or with that of another format, and for a malformed document
// in the cases that [Block.UnmarshalJSON] names; then the error begins with the
// place:
//
//	.provider_schemas["x"].resource_schemas["y"].block.attributes["a"].type: unknown type "strin"
//
// A plan or a state is told as one. It does not ask whether the schemas are valid:
// see [Block.Validate]. Schemas of terraform-json's types come by way of their JSON,
// which json.Marshal makes of a tfjson.ProviderSchemas.
func ParseProviderSchemas(data []byte) (*ProviderSchemas, error) {
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		return nil, errors.New("this is a saved plan, not the schemas that `terraform providers schema -json` writes")
	}
	return parse[ProviderSchemas](data)
}

// Resource returns the schema of a resource type of the provider with that
// source address, written in full as in the document, host included. If the
// address is empty, it returns the schema of the only provider that has such a
// resource type. The schema has a Block.
//
// The error is a *[NotFoundError]: there is no such schema, or with an empty
// address more than one.
func (s *ProviderSchemas) Resource(provider, typeName string) (*Schema, error) {
	missing := &NotFoundError{Provider: provider, TypeName: typeName}
	if s == nil {
		return nil, missing
	}
	var found *Schema
	var names []string
	for address, p := range s.Providers {
		if provider != "" && provider != address || p == nil {
			continue
		}
		for name, schema := range p.ResourceSchemas {
			switch {
			case schema == nil || schema.Block == nil:
			case name == typeName:
				missing.Having, found = append(missing.Having, address), schema
			default:
				names = append(names, name)
			}
		}
	}
	if len(missing.Having) == 1 {
		return found, nil
	}
	slices.Sort(missing.Having)
	if _, known := s.Providers[provider]; provider != "" && !known {
		missing.Providers = slices.AppendSeq([]string{}, maps.Keys(s.Providers))
		slices.Sort(missing.Providers)
		missing.Nearest = nearestAddress(provider, missing.Providers)
	} else if len(missing.Having) == 0 {
		slices.Sort(names)
		missing.Nearest = spelling.Nearest(typeName, names)
	}
	return nil, missing
}

// nearestAddress returns the address of which somebody may have written a part.
func nearestAddress(part string, addresses []string) string {
	for _, address := range addresses {
		if strings.HasSuffix(address, "/"+part) {
			return address
		}
	}
	return spelling.Nearest(part, addresses)
}

// A NotFoundError says why there is no schema of a resource type.
type NotFoundError struct {
	Provider, TypeName string   // what was asked for
	Providers          []string // if there is no such provider: those that there are
	Having             []string // if no provider was named: those that have the resource type, several
	Nearest            string   // what may be meant: a provider, if there is none such, or a resource type
}

// Error says it in one line.
func (e *NotFoundError) Error() string {
	why := fmt.Sprintf("there is no resource type %q", e.TypeName)
	switch {
	case e.Providers != nil && len(e.Providers) == 0:
		why = fmt.Sprintf("there is no provider %q, nor any other", e.Provider)
	case e.Providers != nil:
		why = fmt.Sprintf("there is no provider %q, only %s", e.Provider, strings.Join(e.Providers, ", "))
	case len(e.Having) > 1:
		why = fmt.Sprintf("%q is of several providers, so the provider must be given: %s", e.TypeName, strings.Join(e.Having, " or "))
	case e.Provider != "":
		why += " of " + e.Provider
	}
	if e.Nearest != "" {
		why += fmt.Sprintf("; did you mean %q?", e.Nearest)
	}
	return why
}

func (s *ProviderSchemas) jsonFields(c *codec) {
	if c.out == nil {
		c.refuseOthers()
	}
	c.require("format_version")
	c.value("format_version", &s.FormatVersion)
	c.at(paths.Step{Name: "format_version"}, func() { c.checkFormat(s.FormatVersion) })
	entries(c, "provider_schemas", &s.Providers)
}

// others are fields by which other documents of Terraform are told.
var others = []struct{ field, what string }{
	{"planned_values", "a plan"}, {"resource_changes", "a plan"}, {"values", "a state"}, {"lineage", "a state file"},
}

// refuseOthers fails for a document that is another one of Terraform.
func (c *codec) refuseOthers() {
	for _, other := range others {
		if c.in[other.field] != nil && c.in["provider_schemas"] == nil {
			c.failf("this is %s, not the schemas that `terraform providers schema -json` writes", other.what)
		}
	}
}

// checkFormat fails for a version of the format that is none, or not known.
func (c *codec) checkFormat(version string) {
	major, minor, _ := strings.Cut(version, ".")
	for _, part := range []string{major, minor} {
		if _, err := strconv.ParseUint(part, 10, 32); err != nil {
			c.failf("%.60q is not a version such as \"1.0\"", version)
		}
	}
	if major != "0" && major != "1" {
		c.failf("unsupported version %.60q: only 0 and 1 are known", version)
	}
}

func (p *ProviderSchema) jsonFields(c *codec) {
	child(c, "provider", &p.Provider)
	entries(c, "resource_schemas", &p.ResourceSchemas)
	entries(c, "data_source_schemas", &p.DataSourceSchemas)
	entries(c, "ephemeral_resource_schemas", &p.EphemeralResourceSchemas)
	entries(c, "list_resource_schemas", &p.ListResourceSchemas)
	entries(c, "resource_identity_schemas", &p.ResourceIdentitySchemas)
}

func (s *Schema) jsonFields(c *codec) {
	c.value("version", &s.Version)
	child(c, "block", &s.Block)
}

func (s *IdentitySchema) jsonFields(c *codec) {
	c.value("version", &s.Version)
	entries(c, "attributes", &s.Attributes)
}

func (a *IdentityAttribute) jsonFields(c *codec) {
	c.ctyType("type", &a.Type)
	if a.Type == cty.NilType {
		c.failf("must have type")
	}
	optional(c, "description", &a.Description)
	optional(c, "required_for_import", &a.RequiredForImport)
	optional(c, "optional_for_import", &a.OptionalForImport)
}

// MarshalJSON writes the document as `terraform providers schema -json` does,
// always the same for the same schemas. Its errors are those of
// [Block.MarshalJSON] and of a format version that [ParseProviderSchemas] would
// not accept.
func (s ProviderSchemas) MarshalJSON() ([]byte, error) { return marshal(&s) }

// UnmarshalJSON reads the document, like [ParseProviderSchemas]. As always in
// Go, null as the whole input changes nothing.
func (s *ProviderSchemas) UnmarshalJSON(data []byte) error { return unmarshal(data, s) }

// MarshalJSON writes the schemas of the provider. Its errors are those of
// [Block.MarshalJSON].
func (p ProviderSchema) MarshalJSON() ([]byte, error) { return marshal(&p) }

// UnmarshalJSON reads the schemas of a provider, like [Block.UnmarshalJSON].
func (p *ProviderSchema) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }

// MarshalJSON writes the schema and its version. Its errors are those of
// [Block.MarshalJSON].
func (s Schema) MarshalJSON() ([]byte, error) { return marshal(&s) }

// UnmarshalJSON reads a schema and its version, like [Block.UnmarshalJSON].
func (s *Schema) UnmarshalJSON(data []byte) error { return unmarshal(data, s) }

// MarshalJSON writes the schema of an identity. Its errors are those of
// [Block.MarshalJSON].
func (s IdentitySchema) MarshalJSON() ([]byte, error) { return marshal(&s) }

// UnmarshalJSON reads the schema of an identity, like [Block.UnmarshalJSON].
func (s *IdentitySchema) UnmarshalJSON(data []byte) error { return unmarshal(data, s) }

// MarshalJSON writes the attribute of an identity. Its errors are those of
// [Block.MarshalJSON].
func (a IdentityAttribute) MarshalJSON() ([]byte, error) { return marshal(&a) }

// UnmarshalJSON reads an attribute of an identity, like [Block.UnmarshalJSON].
func (a *IdentityAttribute) UnmarshalJSON(data []byte) error { return unmarshal(data, a) }
