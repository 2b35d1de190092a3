package rulebook

import (
	"fmt"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// jsonRule is an entry of the rule book for programs.
type jsonRule struct {
	Rule       objchange.Rule    `json:"rule"`
	Phases     []objchange.Phase `json:"phases"`
	Enforced   Enforcement       `json:"enforced"`
	Tolerated  []objchange.Phase `json:"tolerated,omitempty"`
	Counts     bool              `json:"counts"`
	Meaning    string            `json:"meaning"`
	Text       string            `json:"text"`
	Remedy     string            `json:"remedy"`
	Workaround string            `json:"workaround"`
	Example    string            `json:"example"`
	Checked    bool              `json:"checked"`
	Message    string            `json:"message"`
	Fix        string            `json:"fix"`
}

// JSON returns the JSON of entries of the rule book.
func JSON(entries ...Entry) ([]byte, error) {
	rules := []jsonRule{}
	for _, e := range entries {
		rules = append(rules, jsonRule{
			Rule: e.Rule, Phases: e.Phases, Enforced: e.Enforced, Tolerated: e.Tolerated, Counts: e.Counts,
			Meaning: e.Meaning, Text: e.Text, Remedy: e.Remedy, Workaround: e.Workaround,
			Example: e.Example, Checked: e.Checked, Message: e.Message, Fix: e.FixMarkdown(),
		})
	}
	return words.JSON(rules, "  ")
}

// Unknown is the error for a name that no rule has.
func Unknown(name string) error {
	return fmt.Errorf("unknown rule %q%s", name, words.DidYouMean(Near(name)))
}
