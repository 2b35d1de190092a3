package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestPolicy checks that the page cannot connect to other servers.
func TestPolicy(t *testing.T) {
	reached := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached = true
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	t.Cleanup(elsewhere.Close)
	p := open(t, served(t), "#rule=plan-not-config")
	p.content() // no violations before the attempts
	for _, attempt := range []string{
		`fetch("ADDRESS").then(() => "sent", () => "refused")`,
		`fetch("ADDRESS", { method: "POST", mode: "no-cors", body: "x" }).then(() => "sent", () => "refused")`,
		`new Promise((done) => { const i = new Image(); i.onload = () => done("sent"); i.onerror = () => done("refused"); i.src = "ADDRESS"; })`,
		`new Promise((done) => { const s = document.createElement("script"); s.onload = () => done("sent"); s.onerror = () => done("refused"); s.src = "ADDRESS"; document.head.append(s); })`,
		`new Promise((done) => { document.addEventListener("securitypolicyviolation", () => done("refused"), { once: true }); navigator.sendBeacon("ADDRESS", "x"); })`,
		`new Promise((done) => { document.addEventListener("securitypolicyviolation", () => done("refused"), { once: true }); const f = document.createElement("form"); f.method = "post"; f.action = "ADDRESS"; document.body.append(f); f.submit(); })`,
	} {
		outcome := js[string](p, strings.ReplaceAll(attempt, "ADDRESS", elsewhere.URL))
		if outcome != "refused" || len(p.told()) == 0 {
			t.Errorf("%s: %s", attempt, outcome)
		}
	}
	if reached {
		t.Error("something was sent")
	}
}

// axe returns the script of axe-core, which finds accessibility problems.
func axe(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(folder(t), "axe.min.js"))
	if err != nil {
		t.Skip("there is no axe.min.js of axe-core beside the site")
	}
	return string(script)
}

// accessible fails the test if axe finds anything.
func (p *page) accessible(axe string) {
	p.Helper()
	p.run(axe)
	found := js[[]struct {
		ID, Help string
		Nodes    []struct{ HTML, FailureSummary string }
	}](p, `axe.run({ resultTypes: ["violations"] }).then((r) => r.violations.map(({ id, help, nodes }) => ({
		ID: id, Help: help, Nodes: nodes.map((n) => ({ HTML: n.html, FailureSummary: n.failureSummary })),
	})))`)
	if len(found) > 0 {
		text, _ := json.MarshalIndent(found, "", "  ")
		p.Errorf("%.3000s", text)
	}
}

// TestAxe checks that axe finds no problems on any page, in light and dark, including pages with
// explained errors.
func TestAxe(t *testing.T) {
	script, home := axe(t), served(t)
	for _, scheme := range []string{"light", "dark"} {
		for _, at := range []string{"/", "/#rule=plan-set-element", "/#rule=plan-not-config", "/#rule=proposed-not-core", "/rules/", "/rules/plan-not-config.html", "/rules/deferral.html"} {
			t.Run(scheme+at, func(t *testing.T) {
				p := tab(t, home)
				p.do(colours(scheme), chromedp.Navigate(home+at))
				if !strings.HasPrefix(at, "/rules/") {
					p.answered()
				}
				p.accessible(script)
			})
		}
	}
	p := open(t, home, "")
	p.do(chromedp.EmulateViewport(360, 740))
	p.accessible(script)
	p.write("pasted", fmt.Sprintf(boxed, "cloud_server.web")+fmt.Sprintf(boxed, `cloud_server.db["`+strings.Repeat("a", 200)+`"]`)+tolerated)
	p.run(`for (const all of document.querySelectorAll("#violations details")) all.open = true`)
	for _, scheme := range []string{"light", "dark"} {
		p.do(colours(scheme))
		p.accessible(script)
	}
	if wide := js[int](p, `document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("explained errors are %d wide", wide)
	}
	p.do(chromedp.EmulateViewport(1400, 900))
	p.accessible(script)
}

// TestNarrow checks that on a telephone no page is wider than the screen, and that a line above the
// single column summarizes the result below.
func TestNarrow(t *testing.T) {
	home := served(t)
	p := tab(t, home)
	p.do(chromedp.EmulateViewport(360, 740))
	for _, at := range []string{"/#rule=plan-not-config", "/rules/", "/rules/plan-not-config.html", "/rules/inconsistent-set-element.html"} {
		p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(home+at), chromedp.WaitReady(chromedp.CSS("main")))
		wide := js[int](p, `document.documentElement.scrollWidth`)
		if wide > 360 {
			t.Errorf("%s is %d wide", at, wide)
		}
	}
	p.visit("#rule=plan-not-config")
	const inView = `(() => { const { top } = document.getElementById("status").getBoundingClientRect(); return top >= 0 && top < innerHeight; })()`
	found := js[string](p, `document.getElementById("found").innerText`)
	if found != "1 violation." || js[bool](p, inView) {
		t.Errorf("the line says %q", found)
	}
	p.do(chromedp.Click(chromedp.CSS("#found")))
	if hash := js[string](p, `location.hash`); !js[bool](p, inView) || hash != "#rule=plan-not-config" {
		t.Errorf("it does not lead to what was found, but to %s", hash)
	}
	p.do(chromedp.EmulateViewport(1400, 900))
	if js[bool](p, `document.getElementById("found").checkVisibility()`) {
		t.Error("the line is on wide screens, too")
	}
	p.content()
}
