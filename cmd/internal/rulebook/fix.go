package rulebook

import (
	"regexp"
	"strings"

	"github.com/objchange/objchange"
)

// withLinks returns Markdown of the rules reference with links that are valid anywhere.
func withLinks(markdown string) string {
	return ruleLink.ReplaceAllStringFunc(markdown, func(link string) string {
		return "](" + objchange.Rule(ruleLink.FindStringSubmatch(link)[1]).Info().URL + ")"
	})
}

// ruleLink is a link from one section of the rules reference to another.
var ruleLink = regexp.MustCompile(`\]\((?:[a-z-]+\.md)?#([a-z-]+)\)`)

// FixText returns how to fix it as plain text: paragraphs, each as wrap breaks it, and code, indented.
func (e Entry) FixText(wrap func(string) string) string {
	var parts []string
	for i, text := range strings.Split("\n"+e.Fix, "\n```") {
		if i%2 == 1 { // code, after its language
			_, code, _ := strings.Cut(text, "\n")
			parts = append(parts, Indent(strings.ReplaceAll(code, "\t", "    ")))
			continue
		}
		for _, paragraph := range paragraphs(text) {
			parts = append(parts, wrap(paragraph))
		}
	}
	return strings.Join(parts, "\n\n")
}

// paragraphs returns the paragraphs of the Markdown, one line each, without markup.
func paragraphs(markdown string) (all []string) {
	for paragraph := range strings.SplitSeq(markdown, "\n\n") {
		if line := strings.Join(strings.Fields(paragraph), " "); line != "" {
			all = append(all, markup.ReplaceAllString(line, "$1$2"))
		}
	}
	return all
}

// markup matches a link or emphasised text.
var markup = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)|\*+([^*]+)\*+`)

var lineStart = regexp.MustCompile(`(?m)^(.)`)

// Indent returns the text with each line that is not empty indented.
func Indent(text string) string { return lineStart.ReplaceAllString(text, "  $1") }
