package report

import (
	"slices"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

// explorations returns the objchange explore commands that look for more findings. There is one for
// each type with a finding that counts or is tolerated.
func (r *Report) explorations() (commands []string) {
	for _, s := range r.Subjects {
		if s.Explore == "" || !slices.ContainsFunc(s.notable(), func(f Finding) bool { return f.Counted || f.Severity == tfcheck.Tolerated }) {
			continue
		}
		command := "objchange explore --type " + words.ShellWord(s.Type) + " " + words.ShellWord(s.Explore)
		if !slices.Contains(commands, command) {
			commands = append(commands, command)
		}
	}
	return commands
}
