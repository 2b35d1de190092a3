// Package playground makes the files of the playground, for any server of static files. The page
// runs objchange as WebAssembly.
package playground

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/docs"
)

// policy is the content security policy of the page. It loads resources only from the site, and
// makes no other connections.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'"

//go:embed assets
var assets embed.FS

// A rule has the data of a rule for the page.
type rule struct {
	URL     string   `json:"url"`               // of its section in the rules reference
	Example string   `json:"example,omitempty"` // a document in which check finds the rule broken
	Remedy  string   `json:"remedy"`
	Steps   []string `json:"steps"` // for users of the provider
}

// Files returns the files of the site by name, except for the WebAssembly module and its loader.
func Files() (map[string][]byte, error) {
	found := map[string][]byte{}
	entries, err := assets.ReadDir("assets")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if found[entry.Name()], err = assets.ReadFile(path.Join("assets", entry.Name())); err != nil {
			return nil, err
		}
	}
	page := struct {
		Policy, Home, Reference string
		Rules                   []rulebook.Entry
	}{policy, docs.Home, docs.URL + "rules/README.md", rulebook.Entries()}
	index, err := template.New("index").Parse(string(found["index.html"]))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := index.Execute(&b, page); err != nil {
		return nil, err
	}
	found["index.html"] = b.Bytes()
	rules := map[objchange.Rule]rule{}
	for _, e := range page.Rules {
		known := rule{URL: e.Rule.Info().URL, Remedy: e.Remedy, Steps: e.Steps}
		if e.Checked {
			known.Example = e.Example
		}
		rules[e.Rule] = known
	}
	text, err := json.Marshal(rules)
	found["rules.js"] = fmt.Appendf(nil, "// The rules of objchange.\nexport const rules = %s;\n", text)
	return found, err
}
