package playground

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/rulebook"
)

var (
	links     = regexp.MustCompile(`(?:href|src)="([^"]*)"|from "\./([^"]*)"`)
	forbidden = regexp.MustCompile(`<script>|<style|\sstyle=|\son[a-z]+=`)
	built     = []string{"objchange.wasm", "wasm_exec.js"}
)

// TestPageRefersOnlyToItsFiles checks that the page lists the examples that it can open, that the page
// and its scripts refer only to files of the site, and that the page does not violate its policy.
func TestPageRefersOnlyToItsFiles(t *testing.T) {
	found, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	page, rules := string(found["index.html"]), string(found["rules.js"])
	for _, e := range rulebook.Entries() {
		if strings.Contains(page, "<option>"+string(e.Rule)+"</option>") != e.Checked || !strings.Contains(rules, e.Rule.Info().URL) {
			t.Errorf("%s: checked: %t", e.Rule, e.Checked)
		}
	}
	followed := 0
	for name, text := range found {
		for _, m := range links.FindAllStringSubmatch(string(text), -1) {
			to, _, _ := strings.Cut(m[1]+m[2], "#")
			if to == "" || strings.HasPrefix(to, "https://") || to == "data:," {
				continue
			}
			followed++
			if _, ok := found[to]; !ok && !slices.Contains(built, to) {
				t.Errorf("%s refers to %s", name, m[0])
			}
		}
	}
	if m := forbidden.FindString(page); m != "" || !strings.Contains(page, "Content-Security-Policy") || followed < 10 {
		t.Errorf("it has %q, or no policy, or only %d links", m, followed)
	}
}
