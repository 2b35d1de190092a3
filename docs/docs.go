// Package docs contains the project's documents for programs that show them.
package docs

import (
	"embed"
	"fmt"
)

// Home is the address of the project.
const Home = "https://github.com/objchange/objchange"

// URL is the address of the folder with the documents.
const URL = Home + "/blob/main/docs/"

//go:embed rules/*.md
var rules embed.FS

// A Page is one page of the rules reference, docs/rules.
type Page struct {
	Name string // without the extension, such as "plan"
	Text string // Markdown: a title, and a section with a heading of level two for each rule
}

// Pages returns the pages of the rules reference in the order of the lifecycle.
func Pages() []Page {
	pages := make([]Page, 0, 7)
	for _, name := range []string{"input", "config", "plan", "apply", "state", "provider", "saved-plan"} {
		text, err := rules.ReadFile("rules/" + name + ".md")
		if err != nil {
			panic(fmt.Sprint("docs: ", err)) // the build embeds each page
		}
		pages = append(pages, Page{Name: name, Text: string(text)})
	}
	return pages
}
