package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestSurfaceIsSmall limits the numbers of commands and flags, and the lines of the help before the
// flags. The topics below "help schema" print JSON Schemas, which may be longer.
func TestSurfaceIsSmall(t *testing.T) {
	const maxCommands, maxFlags, maxHelp = 8, 33, 25
	commands, flags := 0, map[string]bool{}
	var walk func(cmd *cobra.Command, path []string)
	walk = func(cmd *cobra.Command, path []string) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
		var out, errOut strings.Builder
		Run(append(path, "--help"), strings.NewReader(""), &out, &errOut)
		help, _, _ := strings.Cut(out.String(), "\nFlags:\n")
		if lines := strings.Count(strings.TrimSuffix(help, "\n")+"\n", "\n"); lines > maxHelp || out.Len() == 0 && !cmd.Hidden {
			t.Errorf("the help of %q has %d lines before the flags, want 1 to %d: %s", cmd.CommandPath(), lines, maxHelp, &errOut)
		}
		for _, child := range cmd.Commands() {
			if cmd.CommandPath() == "objchange help schema" {
				continue
			}
			if !cmd.HasParent() && !child.Hidden {
				commands++
			}
			walk(child, append(slices.Clone(path), child.Name()))
		}
	}
	a, _ := newApp("")
	walk(a.newRoot(nil), nil)
	if commands > maxCommands || len(flags) > maxFlags {
		t.Errorf("%d commands, want at most %d; %d flags, want at most %d", commands, maxCommands, len(flags), maxFlags)
	}
}
