package cli

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/words"
)

// suggestions returns the commands that fit the files in the current folder: for a recording, a plan,
// a provider and a configuration.
func suggestions() (commands []string) {
	for _, fit := range []struct{ pattern, before, after string }{
		{exchanges.Name, "objchange replay ", ""},
		{"*/" + exchanges.Name, "objchange replay ", ""},
		{"*plan*.json", "objchange audit ", " --schemas schemas.json"},
		{"terraform-provider-*", "objchange explore ./", ""},
	} {
		found, _ := filepath.Glob(fit.pattern) // the patterns are valid
		if at := slices.IndexFunc(found, isFile); at >= 0 {
			commands = append(commands, fit.before+words.ShellWord(found[at])+fit.after)
		}
	}
	if found, _ := filepath.Glob("*.tf"); len(found) > 0 {
		commands = append(commands, "objchange watch -- terraform plan")
	}
	return commands
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}
