package report

import (
	"strings"

	"github.com/objchange/objchange/cmd/internal/words"
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

// code returns the text of code with characters escaped that control a terminal.
func (f Finding) code(text string) string { return strings.TrimSpace(words.Printable(text, "\n\t")) }

// A block is code in the given language of a Markdown code block.
type block struct{ language, text string }

// configuration returns the configuration of the finding, or its steps: the commands, and each
// configuration before the command that uses it first.
func (f Finding) configuration() (blocks []block) {
	if len(f.Steps) == 0 && f.code(f.HCL) != "" {
		return []block{{"hcl", f.code(f.HCL)}}
	}
	for _, step := range f.Steps {
		if hcl := f.code(step.HCL); hcl != "" {
			blocks = append(blocks, block{"hcl", hcl})
		}
		command := "$ " + words.Printable(step.Command, "")
		if last := len(blocks) - 1; last >= 0 && blocks[last].language == "console" {
			blocks[last].text += "\n" + command
		} else {
			blocks = append(blocks, block{"console", command})
		}
	}
	return blocks
}

// confirmation returns the summary of the confirmation, or "".
func (f Finding) confirmation() string {
	if f.Confirmed == nil {
		return ""
	}
	return f.code(f.Confirmed.Summary)
}

// maxShown limits the lines of code below a finding. The JSON format has all lines.
const maxShown = 56

// unconfirmed reports whether Terraform did not confirm the finding, so it does not count.
func (f Finding) unconfirmed() bool {
	return f.Confirmed != nil && f.Confirmed.Verdict == "unconfirmed"
}

// shown returns the configuration, the confirmation and the Go test function for a finding that
// counts or is not confirmed. It returns "" for other findings. It omits parts that are too long.
func (f Finding) shown() string {
	if !f.Counted && !f.unconfirmed() {
		return ""
	}
	_, test, _ := strings.Cut(f.code(f.GoTest), "\nfunc ")
	if test != "" {
		test = "func " + strings.ReplaceAll(test, "\t", "    ")
	}
	config := ""
	for _, b := range f.configuration() {
		config += b.text + "\n\n"
	}
	var parts []string
	lines, omitted := 0, 0
	for _, part := range []string{strings.TrimSpace(config), f.confirmation(), test} {
		switch n := strings.Count(part, "\n") + 1; {
		case part == "":
		case lines+n > maxShown:
			omitted += n
		default:
			lines += n + 1
			parts = append(parts, part)
		}
	}
	if omitted > 0 {
		parts = append(parts, words.Plural(omitted, "more line")+", which --format json shows")
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

// markdownReproduction returns the same for a list item, with the whole test.
func (f Finding) markdownReproduction() (text string) {
	for _, place := range f.Also {
		text += "  also in " + words.Span(place) + "\n"
	}
	for _, b := range append(f.configuration(), block{"text", f.confirmation()}, block{"go", f.code(f.GoTest)}) {
		if b.text == "" {
			continue
		}
		fence := "```"
		for strings.Contains(b.text, fence) {
			fence += "`"
		}
		text += "\n  " + unpadded(lines(fence+b.language+"\n"+b.text+"\n"+fence, 2)) + "\n"
	}
	return text
}

// unpadded returns the text with blank lines emptied.
func unpadded(text string) string {
	all := strings.Split(text, "\n")
	for i := range all {
		if strings.TrimSpace(all[i]) == "" {
			all[i] = ""
		}
	}
	return strings.Join(all, "\n")
}
