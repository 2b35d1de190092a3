package report

import (
	"strings"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/print"
)

// A Confirmation is the result of reproducing a finding with Terraform or OpenTofu.
type Confirmation struct {
	Program string `json:"program"` // Terraform or OpenTofu
	Version string `json:"version"`
	Verdict string `json:"verdict"`          // confirmed, unconfirmed or untried
	Error   string `json:"error,omitempty"`  // the program's error message
	Reason  string `json:"reason,omitempty"` // the reason why the finding is not confirmed
	Summary string `json:"-"`                // all of this as lines
}

// A block is code in the given language of a Markdown code block.
type block struct{ language, text string }

// blocks returns the code that reproduces the finding: its configuration, or its steps with each
// configuration before the command that uses it first; what Terraform printed; and the test.
func (f Finding) blocks() (blocks []block) {
	add := func(language, text string) {
		last := len(blocks) - 1
		switch text = strings.TrimSpace(words.Printable(text, "\n\t")); {
		case text == "":
		case language == "console" && last >= 0 && blocks[last].language == language:
			blocks[last].text += "\n" + text
		default:
			blocks = append(blocks, block{language, text})
		}
	}
	if len(f.Steps) == 0 {
		add("hcl", f.HCL)
	}
	for _, step := range f.Steps {
		add("hcl", step.HCL)
		add("console", "$ "+words.Printable(step.Command, ""))
	}
	if f.Confirmed != nil {
		add("text", f.Confirmed.Summary)
	}
	add("go", f.GoTest)
	return blocks
}

// maxShown limits the lines of code below a finding. The JSON format has all lines.
const maxShown = 56

// shown returns the blocks of a finding that counts or is not confirmed, with only the function of a
// test. It returns "" for other findings. It omits blocks that are too long.
func (f Finding) shown() string {
	if f.standing != counting && f.standing != unconfirmed {
		return ""
	}
	var parts []string
	lines, omitted := 0, 0
	for _, b := range f.blocks() {
		if b.language == "go" {
			b.text = strings.ReplaceAll(strings.TrimSpace(words.Printable(f.GoFunc, "\n\t")), "\t", "    ")
		}
		n := strings.Count(b.text, "\n") + 1
		if lines+n > maxShown {
			omitted += n
			continue
		}
		lines += n + 1
		parts = append(parts, b.text)
	}
	if omitted > 0 {
		parts = append(parts, print.Plural(omitted, "more line")+", which --format json shows")
	}
	return strings.Join(parts, "\n\n")
}

// reproduction returns the lines below a finding: its other paths and the code that reproduces it.
// It may return "".
func (f Finding) reproduction() (text string) {
	for _, place := range f.Also {
		text += "\nalso: " + place
	}
	if shown := f.shown(); shown != "" {
		text += "\n\n" + shown
	}
	return text
}

// markdownReproduction returns the same for a list item, with all code.
func (f Finding) markdownReproduction() (text string) {
	for _, place := range f.Also {
		text += "  also in " + words.Span(place) + "\n"
	}
	for _, b := range f.blocks() {
		text += "\n  " + lines(words.Fenced(b.text, b.language), 2) + "\n"
	}
	return text
}
