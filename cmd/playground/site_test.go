package playground

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/rulebook"
)

func made(t *testing.T) pages {
	t.Helper()
	found, err := Pages()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestPages checks that each rule has a page with its text, and a link to the playground if its
// example can be opened there.
func TestPages(t *testing.T) {
	found := made(t)
	index, front := string(found["rules/index.html"]), string(found["index.html"])
	for _, e := range rulebook.Entries() {
		page := string(found["rules/"+string(e.Rule)+".html"])
		if !strings.Contains(page, "<h1>"+string(e.Rule)+"</h1>") || !strings.Contains(page, "<strong>As a user:</strong>") || !strings.Contains(page, "Message of objchange") {
			t.Errorf("%s: %.300s", e.Rule, page)
		}
		if !strings.Contains(index, `<a href="`+string(e.Rule)+`.html">`) {
			t.Errorf("the list lacks %s", e.Rule)
		}
		if strings.Contains(page, `href="../#rule=`+string(e.Rule)+`"`) != e.Checked || strings.Contains(page, "does not read this example") == e.Checked {
			t.Errorf("%s: checked %t, and the page says otherwise", e.Rule, e.Checked)
		}
		if strings.Contains(front, "<option>"+string(e.Rule)+"</option>") != e.Checked {
			t.Errorf("the playground has %s: %t", e.Rule, !e.Checked)
		}
	}
}

var (
	links     = regexp.MustCompile(`(?:href|src)="([^"]*)"|from "\./([^"]*)"`)
	forbidden = regexp.MustCompile(`<script>|<style|\sstyle=|\son[a-z]+=|\]\(`)
	built     = []string{"objchange.wasm", "wasm_exec.js"}
)

// TestLinks checks that pages and scripts refer only to files of the site, and that no page
// violates its policy or has a broken link.
func TestLinks(t *testing.T) {
	found := made(t)
	followed := 0
	for name, text := range found {
		for _, m := range links.FindAllStringSubmatch(string(text), -1) {
			to, _, _ := strings.Cut(m[1]+m[2], "#")
			if to == "" || strings.HasPrefix(to, "https://") || to == "data:," {
				continue
			}
			followed++
			at := path.Join(path.Dir(name), to)
			if strings.HasSuffix(to, "/") {
				at = path.Join(at, "index.html")
			}
			if _, ok := found[at]; !ok && !slices.Contains(built, at) {
				t.Errorf("%s refers to %s", name, m[0])
			}
		}
		if strings.HasSuffix(name, ".html") && (forbidden.Match(text) || !strings.Contains(string(text), "Content-Security-Policy")) {
			t.Errorf("%s has %q, or no policy", name, forbidden.Find(text))
		}
	}
	if followed < 100 {
		t.Errorf("only %d links", followed)
	}
}
