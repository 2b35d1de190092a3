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
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
	"github.com/objchange/objchange/docs"
)

// policy is the content security policy of all pages: they load from where they are,
// and reach nothing else.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'"

// pages are the files of the site by their names.
type pages map[string][]byte

//go:embed assets
var assets embed.FS

// makePages returns the files of the site, but for WebAssembly and what loads it.
func makePages() (pages, error) {
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

// A page is what a template is executed with: of a rule, its rule, and of others the
// chapters.
type page struct {
	Policy, Home string
	Root         string // where the site begins, from the page on
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

// A rule is an entry of the book, whose Markdown becomes HTML.
type rule struct{ rulebook.Entry }

// Text returns what the book says of the rule, in full.
func (r rule) Text() (template.HTML, error) { return markdown(r.Entry.Text) }

// Fix returns how to fix what breaks the rule.
func (r rule) Fix() (template.HTML, error) { return markdown(r.Entry.Fix) }

var toRule = regexp.MustCompile(`\]\((?:[a-z-]+\.md)?#([a-z-]+)\)`)

// markdown returns the HTML of a text of the rules reference. Links lead to the pages of rules.
func markdown(text string) (template.HTML, error) {
	text = toRule.ReplaceAllString(text, "]($1.html)")
	var b bytes.Buffer
	if err := goldmark.Convert([]byte(text), &b); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil // of the book, without raw HTML
}
