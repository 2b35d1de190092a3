package report

import (
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// A Confirmation is what Terraform or OpenTofu said about a finding.
type Confirmation struct {
	Program string `json:"program"` // Terraform or OpenTofu
	Version string `json:"version"`
	Verdict string `json:"verdict"`          // confirmed, unconfirmed or untried
	Error   string `json:"error,omitempty"`  // as the program says it
	Reason  string `json:"reason,omitempty"` // why the finding is not confirmed
	Summary string `json:"-"`                // all of this in lines
}

// code returns code that reproduces the finding, of several lines, with what a terminal would
// act on escaped.
func (f Finding) code(text string) string { return strings.TrimSpace(words.Printable(text, "\n\t")) }

// A block is code in a language of Markdown.
type block struct{ language, text string }

// configuration returns the configuration, or the steps: commands, and the configuration before
// those that change it.
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

// confirmation returns what Terraform said, in lines, or "".
func (f Finding) confirmation() string {
	if f.Confirmed == nil {
		return ""
	}
	return f.code(f.Confirmed.Summary)
}

// shown returns the configuration that reproduces a finding that counts, what Terraform said, and
// the function of the Go test that reproduces it, or "".
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

// reproduction returns the other places of the finding and what reproduces it, each in lines
// below the finding, or "".
func (f Finding) reproduction() (text string) {
	for _, place := range f.Also {
		text += "\nalso: " + place
	}
	if shown := f.shown(); shown != "" {
		text += "\n\n" + shown
	}
	return text
}

// markdownReproduction returns the same for an item of a list, with the test.
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

// unpadded returns the text with lines of only spaces empty.
func unpadded(text string) string {
	all := strings.Split(text, "\n")
	for i := range all {
		if strings.TrimSpace(all[i]) == "" {
			all[i] = ""
		}
	}
	return strings.Join(all, "\n")
}
