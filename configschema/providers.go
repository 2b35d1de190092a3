package configschema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/objchange/objchange/internal/spelling"
)

// ProviderSchemas are the schemas of all providers of a configuration, in the format of
// `terraform providers schema -json`. They do not include functions and identities.
type ProviderSchemas struct {
	// FormatVersion is the version of the format, such as "1.0".
	FormatVersion string `json:"format_version"`
	// Providers are the providers by source address. As in plans and states, an address
	// includes the host: "registry.terraform.io/hashicorp/time".
	Providers map[string]*ProviderSchema `json:"provider_schemas,omitempty"`
}

// A ProviderSchema has the schema of the provider configuration, which may be nil, and the
// schemas of its resources and data sources, by type name.
type ProviderSchema struct {
	Provider                 *Schema            `json:"provider,omitempty"`
	ResourceSchemas          map[string]*Schema `json:"resource_schemas,omitempty"`
	DataSourceSchemas        map[string]*Schema `json:"data_source_schemas,omitempty"`
	EphemeralResourceSchemas map[string]*Schema `json:"ephemeral_resource_schemas,omitempty"`
	ListResourceSchemas      map[string]*Schema `json:"list_resource_schemas,omitempty"`
}

// A Schema is the schema of a provider, a resource, a data source, an ephemeral resource or a
// list resource.
type Schema struct {
	// Version increases when existing states need an upgrade.
	Version int64 `json:"version"`
	// Block is nil for some providers without a configuration.
	Block *Block `json:"block,omitempty"`
}

// ParseProviderSchemas reads the output of `terraform providers schema -json`. It accepts the
// formats 0 and 1. It ignores unknown fields. A null field is an absent field.
//
// It returns an error for input that is not JSON, for a missing or unsupported format version,
// and for the faults that [Block.UnmarshalJSON] lists, with the name of the attribute or block type.
// If the input is a plan or a state, the error says so. ParseProviderSchemas does not validate
// schemas: see [Block.Validate].
//
// To convert a tfjson.ProviderSchemas, parse what json.Marshal returns for it.
func ParseProviderSchemas(text []byte) (*ProviderSchemas, error) {
	var document struct {
		FormatVersion    string                     `json:"format_version"`
		Providers        map[string]*ProviderSchema `json:"provider_schemas"`
		TerraformVersion *json.RawMessage           `json:"terraform_version"` // of a plan or a state
	}
	err := json.Unmarshal(text, &document)
	if document.Providers == nil && document.TerraformVersion != nil {
		return nil, errors.New("this is a plan or a state, not the schemas that `terraform providers schema -json` writes")
	}
	unknown := checkFormat(document.FormatVersion)
	if err != nil && (unknown == nil || document.FormatVersion == "") {
		return nil, readable(err)
	}
	if unknown != nil {
		return nil, unknown
	}
	dropNil(document.Providers)
	for _, p := range document.Providers {
		dropNil(p.ResourceSchemas)
		dropNil(p.DataSourceSchemas)
		dropNil(p.EphemeralResourceSchemas)
		dropNil(p.ListResourceSchemas)
	}
	return &ProviderSchemas{document.FormatVersion, document.Providers}, nil
}

// dropNil deletes the entries that are null in JSON.
func dropNil[V any](m map[string]*V) {
	maps.DeleteFunc(m, func(_ string, v *V) bool { return v == nil })
}

func checkFormat(version string) error {
	if version == "" {
		return errors.New("format_version is missing")
	}
	major, minor, _ := strings.Cut(version, ".")
	for _, part := range []string{major, minor} {
		if _, err := strconv.ParseUint(part, 10, 32); err != nil {
			return fmt.Errorf("format_version: %.60q is not a version such as \"1.0\"", version)
		}
	}
	if major != "0" && major != "1" {
		return fmt.Errorf("format_version: unsupported version %.60q: only 0 and 1 are supported", version)
	}
	return nil
}

// Resource returns the schema of a resource type of the provider with the source address. The
// address must include the host, as in the JSON. If the address is empty, Resource returns the
// schema of the only provider that has the resource type. The Block of the schema is not nil.
//
// The error says that the schema does not exist, and the most similar name, or that the address is
// empty and several providers have the resource type.
func (s *ProviderSchemas) Resource(provider, typeName string) (*Schema, error) {
	s = cmp.Or(s, &ProviderSchemas{})
	if _, known := s.Providers[provider]; provider != "" && !known {
		addresses := slices.Sorted(maps.Keys(s.Providers))
		if len(addresses) == 0 {
			return nil, fmt.Errorf("there is no provider %q: the schemas contain no providers", provider)
		}
		return nil, fmt.Errorf("there is no provider %q, only %s", provider, strings.Join(addresses, ", "))
	}
	var found *Schema
	var owners, others []string
	for address, p := range s.Providers {
		if provider != "" && provider != address || p == nil {
			continue
		}
		for name, schema := range p.ResourceSchemas {
			switch {
			case schema == nil || schema.Block == nil:
			case name == typeName:
				owners, found = append(owners, address), schema
			default:
				others = append(others, name)
			}
		}
	}
	slices.Sort(owners)
	slices.Sort(others)
	switch {
	case len(owners) == 1:
		return found, nil
	case len(owners) > 1:
		return nil, fmt.Errorf("%q belongs to several providers: specify the provider: %s",
			typeName, strings.Join(owners, " or "))
	}
	of := ""
	if provider != "" {
		of = " of " + provider
	}
	if near := spelling.Nearest(typeName, others); near != "" {
		return nil, fmt.Errorf("there is no resource type %q%s; did you mean %q?", typeName, of, near)
	}
	return nil, fmt.Errorf("there is no resource type %q%s", typeName, of)
}
