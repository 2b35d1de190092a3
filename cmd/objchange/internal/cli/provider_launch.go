package cli

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck"
)

// launch starts a provider.
func launch(ctx context.Context, path string) (*tfcheck.Plugin, error) {
	if reason := notStartable(path); reason != "" {
		return nil, fmt.Errorf("provider %s: %s", path, reason)
	}
	return tfcheck.Launch(ctx, path)
}

// notStartable says why the file cannot be started, or "" if it is not known.
func notStartable(path string) string {
	if _, err := exec.LookPath(path); err == nil {
		return ""
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return ""
	case info.IsDir():
		return "is a folder"
	case info.Mode()&0o111 == 0:
		return "is not executable"
	case filepath.Base(path) == path:
		return "is not in $PATH: did you mean ." + string(filepath.Separator) + path + "?"
	}
	return ""
}

// nearTypes returns the resource types that may be meant by one that there is not.
func (d *drive) nearTypes(ctx context.Context) (names []string) {
	const typos = 3
	for _, name := range d.typeNames(ctx) {
		if name == d.input.typeName {
			return nil // it is something else that is wrong
		}
		if levenshtein.Distance(d.input.typeName, name, nil) <= typos {
			names = append(names, name)
		}
	}
	return names
}

// typeNames returns the resource types of the provider, as far as it tells.
func (d *drive) typeNames(ctx context.Context) []string {
	if server := d.plugin.Server5(); server != nil {
		if all, err := server.GetProviderSchema(ctx, &tfprotov5.GetProviderSchemaRequest{}); err == nil {
			return slices.Sorted(maps.Keys(all.ResourceSchemas))
		}
		return nil
	}
	if all, err := d.plugin.Server6().GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{}); err == nil {
		return slices.Sorted(maps.Keys(all.ResourceSchemas))
	}
	return nil
}
