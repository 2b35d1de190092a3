package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newTestRoot returns the root command, as Run makes it.
func newTestRoot(t *testing.T) *cobra.Command {
	t.Helper()
	a, _ := newApp("")
	return a.newRoot(nil)
}

// TestSurfaceIsSmall limits the numbers of commands and flags, and the length of the help.
func TestSurfaceIsSmall(t *testing.T) {
	const maxCommands, maxFlags, maxRootHelp, maxHelp = 9, 45, 12, 25
	var commands []string
	flags := map[string]bool{}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
		limit := maxHelp
		if !cmd.HasParent() {
			limit = maxRootHelp
		}
		if lines := strings.Count(strings.TrimSpace(cmd.Long), "\n") + 1; lines > limit {
			t.Errorf("the help of %s has %d lines before the usage, want at most %d", cmd.CommandPath(), lines, limit)
		}
		for _, child := range cmd.Commands() {
			if child.Hidden || slices.Contains([]string{"help", "completion", "version"}, child.Name()) {
				continue
			}
			if !cmd.HasParent() {
				commands = append(commands, child.Name())
			}
			walk(child)
		}
	}
	walk(newTestRoot(t))
	if len(commands) > maxCommands {
		t.Errorf("%d commands, want at most %d: %s", len(commands), maxCommands, commands)
	}
	if len(flags) > maxFlags {
		t.Errorf("%d flags, want at most %d", len(flags), maxFlags)
	}
	t.Logf("%d commands, %d flags", len(commands), len(flags))
}

// TestHelpFitsOnAScreen checks that the help of every command and topic has at most 25 lines
// before the flags. The topics below "help schema" print JSON Schemas, which may be longer.
func TestHelpFitsOnAScreen(t *testing.T) {
	const limit = 25
	var walk func(cmd *cobra.Command, path []string)
	walk = func(cmd *cobra.Command, path []string) {
		var out, errOut strings.Builder
		Run(append(path, "--help"), strings.NewReader(""), &out, &errOut)
		help, _, _ := strings.Cut(out.String(), "\nFlags:\n")
		if lines := strings.Count(strings.TrimSuffix(help, "\n")+"\n", "\n"); lines > limit || out.Len() == 0 && !cmd.Hidden {
			t.Errorf("the help of %q has %d lines before the flags, want 1 to %d: %s", cmd.CommandPath(), lines, limit, &errOut)
		}
		if cmd.CommandPath() == "objchange help schema" {
			return
		}
		for _, child := range cmd.Commands() {
			walk(child, append(slices.Clone(path), child.Name()))
		}
	}
	walk(newTestRoot(t), nil)
}
