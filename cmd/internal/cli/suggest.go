package cli

import (
	"path/filepath"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/words"
)

// suggestions returns the commands that fit the files in the current folder: for a recording, a plan
// and a provider.
func suggestions() (commands []string) {
	for _, fit := range []struct{ pattern, before, after string }{
		{exchanges.Name, "objchange replay ", ""},
		{"*/" + exchanges.Name, "objchange replay ", ""},
		{"*plan*.json", "objchange audit ", " --schemas schemas.json"},
		{"terraform-provider-*", "objchange explore ./", ""},
	} {
		if found, _ := filepath.Glob(fit.pattern); len(found) > 0 { // the patterns are valid
			commands = append(commands, fit.before+words.ShellWord(found[0])+fit.after)
		}
	}
	return commands
}
