package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck"
)

// launch starts a provider. Of what is none, the error says so.
func launch(ctx context.Context, path string) (*tfcheck.Plugin, error) {
	if reason := notStartable(path); reason != "" {
		return nil, fmt.Errorf("provider %s: %s", path, reason)
	}
	plugin, err := tfcheck.Launch(ctx, path)
	switch {
	case err == nil:
		return plugin, nil
	case errors.Is(err, syscall.ENOEXEC):
		return nil, fmt.Errorf("provider %s: is not a Terraform provider, nor any program that runs here", path)
	case !strings.Contains(err.Error(), "Unrecognized remote plugin message"):
		return nil, err
	case !strings.Contains(err.Error(), "stderr of the provider:"):
		return nil, fmt.Errorf("provider %s: is not a Terraform provider", path)
	}
	return nil, fmt.Errorf("%w\nIt is not a Terraform provider, or cannot start", err)
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
