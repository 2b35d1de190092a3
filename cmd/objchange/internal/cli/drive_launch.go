package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/agext/levenshtein"

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
func (d *drive) nearTypes() (names []string) {
	const typos = 3
	for _, name := range d.driver.ResourceTypes() {
		if name == d.input.typeName {
			return nil // it is something else that is wrong
		}
		if levenshtein.Distance(d.input.typeName, name, nil) <= typos {
			names = append(names, name)
		}
	}
	return names
}
