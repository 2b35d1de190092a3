// Package playground makes the pages of the playground, for any server of static files. The page
// runs objchange as WebAssembly.
package playground

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/docs"
)

// policy is the content security policy of all pages. They load resources only from the site, and
// make no other connections.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'"

// pages are the files of the site by name.
type pages map[string][]byte

//go:embed assets
var assets embed.FS

// Pages returns the files of the site by name, except for the WebAssembly module and its loader.
func Pages() (map[string][]byte, error) {
	found := pages{}
	if err := found.addAssets(); err != nil {
		return nil, err
	}
	templates, err := template.ParseFS(assets, "assets/*.html")
	if err != nil {
		return nil, err
	}
	add := func(name, of string, p page) {
		var b bytes.Buffer
		if err == nil {
			err = templates.ExecuteTemplate(&b, of, p)
			found[name] = b.Bytes()
		}
	}
	base := page{Policy: policy, Home: docs.Home}
	examples := map[objchange.Rule]string{}
	for _, e := range rulebook.Entries() {
		base.add(rule{e})
		if e.Checked {
			examples[e.Rule] = e.Example
		}
	}
	add("index.html", "index.html", base)
	base.Root = "../"
	add("rules/index.html", "rules.html", base)
	for _, c := range base.Chapters {
		for _, r := range c.Rules {
			add("rules/"+string(r.Rule)+".html", "rule.html", page{Policy: policy, Home: docs.Home, Root: "../", rule: r})
		}
	}
	if err != nil {
		return nil, err
	}
	found["examples.json"], err = json.Marshal(examples)
	return found, err
}

// addAssets adds the files that are not templates.
func (p pages) addAssets() error {
	entries, err := assets.ReadDir("assets")
	for _, entry := range entries {
		if err == nil && !strings.HasSuffix(entry.Name(), ".html") {
			p[entry.Name()], err = assets.ReadFile("assets/" + entry.Name())
		}
	}
	return err
}

// A page is the data of a template. The page of a rule has the rule, and other pages have the
// chapters.
type page struct {
	Policy, Home string
	Root         string // the relative path from the page to the site's root
	Chapters     []chapter
	rule
}

type chapter struct {
	Title string
	Rules []rule
}

// add adds a rule to its chapter, which is the last one or a new one.
func (p *page) add(r rule) {
	if n := len(p.Chapters); n == 0 || p.Chapters[n-1].Title != r.Chapter {
		p.Chapters = append(p.Chapters, chapter{Title: r.Chapter})
	}
	last := &p.Chapters[len(p.Chapters)-1]
	last.Rules = append(last.Rules, r)
}

// A rule is an entry of the rules reference with methods that return HTML.
type rule struct{ rulebook.Entry }

// Text returns the text about the rule.
func (r rule) Text() (template.HTML, error) { return markdown(r.Entry.Text) }

// Fix returns the instructions for a fix.
func (r rule) Fix() (template.HTML, error) { return markdown(r.Entry.Fix) }

var toRule = regexp.MustCompile(`\]\((?:[a-z-]+\.md)?#([a-z-]+)\)`)

// markdown converts Markdown of the rules reference to HTML. Links lead to the pages of rules.
func markdown(text string) (template.HTML, error) {
	text = toRule.ReplaceAllString(text, "]($1.html)")
	var b bytes.Buffer
	if err := goldmark.Convert([]byte(text), &b); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil // from the rules reference, without raw HTML
}
