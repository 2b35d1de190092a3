package report

import (
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// code returns code that reproduces the finding, of several lines, with what a terminal would
// act on escaped.
func (f Finding) code(text string) string { return strings.TrimSpace(words.Printable(text, "\n\t")) }

// shown returns the configuration that reproduces a finding that counts, and the function of the
// Go test that does, or "".
func (f Finding) shown() string {
	if !f.Counted {
		return ""
	}
	_, test, _ := strings.Cut(f.code(f.GoTest), "\nfunc ")
	if test != "" {
		test = "func " + strings.ReplaceAll(test, "\t", "    ")
	}
	return strings.TrimSpace(f.code(f.HCL) + "\n\n" + test)
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
		text += "  also in " + span(place) + "\n"
	}
	for _, block := range [][2]string{{"hcl", f.code(f.HCL)}, {"go", f.code(f.GoTest)}} {
		if block[1] == "" {
			continue
		}
		fence := "```"
		for strings.Contains(block[1], fence) {
			fence += "`"
		}
		text += "\n  " + unpadded(lines(fence+block[0]+"\n"+block[1]+"\n"+fence, 2)) + "\n"
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
