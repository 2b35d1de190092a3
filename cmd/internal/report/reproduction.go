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

// shown returns the configuration, the confirmation and the Go test function for a finding that
// counts. It returns "" for other findings.
func (f Finding) shown() string {
	if !f.Counted {
		return ""
	}
	_, test, _ := strings.Cut(f.code(f.GoTest), "\nfunc ")
	if test != "" {
		test = "func " + strings.ReplaceAll(test, "\t", "    ")
	}
	text := ""
	for _, b := range append(f.configuration(), block{"text", f.confirmation()}, block{"go", test}) {
		text = strings.TrimSpace(text + "\n\n" + b.text)
	}
	return text
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
