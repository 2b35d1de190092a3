package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/objchange/objchange"
)

const schemasName = "schemas.json"

// readSchemas reads the schemas of the providers from the file, or if that is
// "" from schemas.json in dir or in its parent.
func readSchemas(file, dir string) (*objchange.ProviderSchemas, error) {
	if file != "" {
		return parseSchemas(file)
	}
	for _, in := range []string{dir, filepath.Join(dir, "..")} {
		schemas, err := parseSchemas(filepath.Join(in, schemasName))
		if !errors.Is(err, fs.ErrNotExist) {
			return schemas, err
		}
	}
	return nil, fmt.Errorf("%s: no schemas: there is no %s in it or in its parent, and no -schemas FILE is given", dir, schemasName)
}

func parseSchemas(file string) (*objchange.ProviderSchemas, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	schemas, err := objchange.ParseProviderSchemas(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return schemas, nil
}

// findSchema returns the schema of the request's resource type, or why there is
// none. Providers know their address by what their makers told them, which need
// not be what the configuration calls them; where the schemas have no such
// provider, the one that has the resource type will do.
func findSchema(schemas *objchange.ProviderSchemas, req *request) (schema *objchange.Block, why string) {
	provider := req.provider
	if schemas.Providers[provider] == nil {
		provider = ""
	}
	found := schemas.Resource(provider, req.resourceType)
	if found == nil || found.Block == nil {
		return nil, "no schema for this resource type"
	}
	if err := found.Block.Validate(); err != nil {
		return nil, "invalid schema: " + strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	return found.Block, ""
}
