package report

import (
	"regexp"
	"slices"
	"strings"

	"github.com/objchange/objchange/tfcheck"
)

// explorations returns the commands that look for more findings, one for each type with a finding
// that counts or is tolerated.
func (r *Report) explorations() (commands []string) {
	for _, s := range r.Subjects {
		if s.Explore == "" || !slices.ContainsFunc(s.notable(), func(f Finding) bool { return f.Counted || f.Severity == tfcheck.Tolerated }) {
			continue
		}
		command := "objchange explore --type " + shellWord(s.Type) + " " + shellWord(s.Explore)
		if !slices.Contains(commands, command) {
			commands = append(commands, command)
		}
	}
	return commands
}

var plainWord = regexp.MustCompile(`^[\w./:@%+=-]+$`)

// shellWord returns the text as one word for a shell.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
