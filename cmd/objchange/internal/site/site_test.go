package site_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/api"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
	"github.com/objchange/objchange/cmd/objchange/internal/site"
)

func files(t *testing.T, asker site.Asker) site.Files {
	t.Helper()
	found, err := site.Make(asker)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestPages: each rule has a page with all that the book says, and leads to the
// playground if its example can be opened there, which has it in the list.
func TestPages(t *testing.T) {
	found := files(t, site.Served)
	index, front := string(found["rules/index.html"]), string(found["index.html"])
	for _, e := range rulebook.Entries() {
		page := string(found["rules/"+string(e.Rule)+".html"])
		if !strings.Contains(page, "<h1>"+string(e.Rule)+"</h1>") || !strings.Contains(page, "<strong>As a user:</strong>") || !strings.Contains(page, "objchange says") {
			t.Errorf("%s: %.300s", e.Rule, page)
		}
		if !strings.Contains(index, `<a href="`+string(e.Rule)+`.html">`) {
			t.Errorf("the list lacks %s", e.Rule)
		}
		checked := e.Checked
		if strings.Contains(page, `href="../#rule=`+string(e.Rule)+`"`) != checked || strings.Contains(page, "does not read this example") == checked {
			t.Errorf("%s: checked %t, and the page says otherwise", e.Rule, checked)
		}
		if strings.Contains(front, "<option>"+string(e.Rule)+"</option>") != checked {
			t.Errorf("the playground has %s: %t", e.Rule, !checked)
		}
	}
}

var links = regexp.MustCompile(`(?:href|src)="([^"]*)"|from "\./([^"]*)"`)

// TestLinks: what a page or a script refers to inside the site is there, and there is
// nothing in a page that the policy forbids.
func TestLinks(t *testing.T) {
	for _, asker := range []site.Asker{site.Served, site.Wasm} {
		found := files(t, asker)
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
				built := asker == site.Wasm && slices.Contains([]string{"objchange.mjs", "objchange.wasm", "wasm_exec.js"}, at)
				if _, ok := found[at]; !ok && !built {
					t.Errorf("%s refers to %s", name, m[0])
				}
			}
			if forbidden := regexp.MustCompile(`<script>|<style|\sstyle=|\son[a-z]+=`).FindString(string(text)); strings.HasSuffix(name, ".html") && forbidden != "" {
				t.Errorf("%s has %s", name, forbidden)
			}
			if strings.HasSuffix(name, ".html") && strings.Contains(string(text), `](`) {
				t.Errorf("%s has a link that is none", name)
			}
		}
		if followed < 100 {
			t.Errorf("only %d links", followed)
		}
	}
}

// ask asks the handler, and returns status and text.
func ask(t *testing.T, method, target, body string, header ...string) (int, string) {
	t.Helper()
	h, err := site.Handler("127.0.0.1:80")
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = "127.0.0.1:80"
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if csp := w.Header().Get("Content-Security-Policy"); w.Code == http.StatusOK && method == "GET" && !strings.HasPrefix(csp, site.Policy) {
		t.Errorf("%s has the policy %q", target, csp)
	}
	return w.Code, w.Body.String()
}

func TestHandler(t *testing.T) {
	const request = `{"command": "rules", "rule": "plan-key"}`
	for _, test := range []struct {
		method, target, body string
		header               []string
		status               int
		has                  string
	}{
		{"GET", "/", "", nil, 200, "objchange playground"},
		{"GET", "/rules/", "", nil, 200, "plan-key.html"},
		{"GET", "/rules/plan-key.html", "", nil, 200, "<h1>plan-key</h1>"},
		{"GET", "/ask.js", "", nil, 200, `fetch("answer"`},
		{"GET", "/ask-wasm.js", "", nil, 404, ""},
		{"GET", "/rules/none.html", "", nil, 404, ""},
		{"GET", "/../../etc/hostname", "", nil, 307, ""},
		{"POST", "/", request, nil, 405, ""},
		{"POST", "/answer", request, nil, 200, `"rule": "plan-key"`},
		{"POST", "/answer", strings.Repeat(" ", api.MaxRequest+10), nil, 200, fmt.Sprintf("%d bytes, of which %d are the most", api.MaxRequest+1, api.MaxRequest)},
		// Of other pages: those of another name that leads here, and those that only ask.
		{"GET", "/", "", []string{"Host", "elsewhere.example:80"}, 421, ""},
		{"GET", "/", "", []string{"Host", "127.0.0.1"}, 421, ""},
		{"POST", "/answer", request, []string{"Host", "elsewhere.example:80"}, 421, ""},
		{"POST", "/answer", request, []string{"Origin", "https://elsewhere.example"}, 403, ""},
		{"POST", "/answer", request, []string{"Sec-Fetch-Site", "cross-site"}, 403, ""},
		{"POST", "/answer", request, []string{"Origin", "http://127.0.0.1:80"}, 200, `"rule": "plan-key"`},
	} {
		status, text := ask(t, test.method, test.target, test.body, test.header...)
		if status != test.status || !strings.Contains(text, test.has) {
			t.Errorf("%s %s %v: %d %.200s", test.method, test.target, test.header, status, text)
		}
	}
}

// TestServe: it listens on this machine only, tells where, and ends at a signal.
func TestServe(t *testing.T) {
	stop := make(chan os.Signal, 1)
	err := site.Serve(0, stop, func(address string) error {
		if !strings.HasPrefix(address, "http://127.0.0.1:") {
			t.Errorf("at %s", address)
		}
		response, err := http.Get(address + "examples.json")
		if err != nil {
			return err
		}
		text, err := io.ReadAll(response.Body)
		if !strings.Contains(string(text), "plan-not-config") {
			t.Errorf("%s", text)
		}
		stop <- syscall.SIGTERM
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
