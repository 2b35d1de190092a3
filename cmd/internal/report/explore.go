package report

import (
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/words"
)

// maxTypes limits the types in a command. A command without types explores all of them.
const maxTypes = 4

// explorations returns the objchange explore commands that look for more findings. There is one for
// each provider whose types have findings that count or are tolerated.
func (r *Report) explorations() (commands []string) {
	types := map[string][]string{}
	var providers []string
	for _, s := range r.Subjects {
		more := slices.ContainsFunc(s.notable(), func(f Finding) bool { return f.Counted || f.Severity == objchange.Tolerated })
		if s.Explore == "" || !more || slices.Contains(types[s.Explore], s.Type) {
			continue
		}
		if types[s.Explore] == nil {
			providers = append(providers, s.Explore)
		}
		types[s.Explore] = append(types[s.Explore], s.Type)
	}
	for _, provider := range providers {
		command := "objchange explore"
		if len(types[provider]) <= maxTypes {
			for _, name := range types[provider] {
				command += " --type " + words.ShellWord(name)
			}
		}
		commands = append(commands, command+" "+words.ShellWord(provider))
	}
	return commands
}
