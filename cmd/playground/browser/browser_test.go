// Package browser tests the playground in a real browser.
package browser

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// folder returns the folder with the built site in site. The file axe.min.js may be beside it.
func folder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("PLAYGROUND")
	if dir == "" {
		t.Skip("PLAYGROUND names no folder with the site: see docs/playground.md")
	}
	return dir
}

// browser starts one browser for all tests. Each test has its own tab.
var browser = sync.OnceValues(func() (context.Context, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		found, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(found), chromedp.NoSandbox, chromedp.WSURLReadTimeout(time.Minute))
		ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, stop = chromedp.NewContext(ctx)
		return ctx, chromedp.Do(ctx)
	}
	return nil, fmt.Errorf("there is no Chromium or Chrome on the PATH")
})

var stop = func() {}

func TestMain(m *testing.M) {
	status := m.Run()
	stop()
	os.Exit(status)
}

// A page is a tab. The test fails if the console, the policy or scripts report errors that the test
// does not take.
type page struct {
	*testing.T
	ctx  context.Context
	home string // the address of the site

	mu     sync.Mutex
	errors []string
}

// open returns a tab with the site, served as static files, when the page with the fragment is ready.
func open(t *testing.T, fragment string) *page {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(folder(t), "site"))))
	t.Cleanup(server.Close)
	ctx, err := browser()
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute) // so that the failing test is reported
	t.Cleanup(cancel)
	p := &page{T: t, ctx: ctx, home: server.URL}
	t.Cleanup(func() {
		for _, text := range p.take() {
			t.Errorf("the browser reports: %s", text)
		}
	})
	err = chromedp.Listen(ctx, func(event any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			p.errors = append(p.errors, e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError || e.Entry.Source == log.EntrySourceSecurity {
				p.errors = append(p.errors, e.Entry.Text)
			}
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError {
				p.errors = append(p.errors, fmt.Sprint(e.Args))
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p.do(call(log.Enable, cdp.Empty{}))
	p.visit("/" + fragment)
	return p
}

// call returns an action that calls a method of the browser.
func call[P, R any](method cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, method, params)
		return err
	})
}

// take returns the reported errors and clears them.
func (p *page) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.errors
	p.errors = nil
	return all
}

func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.Fatalf("%v; %q", err, p.take())
	}
}

// click clicks an element, and waits for the result.
func (p *page) click(selector string) {
	p.Helper()
	p.do(chromedp.Click(chromedp.CSS(selector)), idle)
}

// await waits until an element exists, and the page is not busy.
func (p *page) await(selector string) {
	p.Helper()
	p.do(chromedp.WaitReady(chromedp.CSS(selector)), idle)
}

var idle = chromedp.WaitReady(chromedp.CSS("body:not(:has([aria-busy=true]))"))

// visit reloads a page, and waits until it is ready.
func (p *page) visit(at string) {
	p.Helper()
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(p.home+at), idle)
}

// show sets the size of the screen and the preferred colour scheme.
func (p *page) show(width, height int64, scheme string) {
	p.Helper()
	p.do(chromedp.EmulateViewport(width, height), call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}))
}

// js returns the value of a script, after waiting for it.
func js[T any](p *page, script string) T {
	p.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%v: %.300s", err, script)
	}
	return value
}

// run runs a script.
func (p *page) run(script string) {
	p.Helper()
	_ = js[int](p, script+"; 0")
}

// write sets the text of a text area, as typing or pasting does, and waits for the result.
func (p *page) write(id, text string) {
	p.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		p.Fatal(err)
	}
	p.run(`{
		const area = document.getElementById("` + id + `");
		area.value = ` + string(quoted) + `;
		area.dispatchEvent(new Event("input", { bubbles: true }));
	}`)
	p.do(idle)
}

// A pageContent is what the page shows.
type pageContent struct {
	Status, Class  string // of the result
	Note, Proposal string
	Rules          string // of the violations
	Pointers       []string
	Texts          []string // of the violations, and of errors in parts
	Marks          string   // as PART KIND LINE
	Parts          map[string]string
}

func (p *page) shown() pageContent {
	p.Helper()
	return js[pageContent](p, `(() => {
		const all = (selector, f) => [...document.querySelectorAll(selector)].map(f);
		const text = (id) => document.getElementById(id).textContent;
		return {
			Status: text("status"), Class: document.getElementById("status").className, Note: text("note"), Proposal: text("proposal"),
			Rules: all("#violations > li", (e) => e.dataset.rule ?? "").join(" "),
			Pointers: all("#violations > li", (e) => e.dataset.pointer ?? ""),
			Texts: all("#violations > li, .error", (e) => e.textContent).filter((e) => e),
			Marks: all(".bar", (e) => [e.closest(".part").dataset.part, e.className.slice(4), e.dataset.line].join(" ")).join(", "),
			Parts: Object.fromEntries(all(".part textarea", (e) => [e.id.slice(5), e.value]).filter(([, v]) => v)),
		};
	})()`)
}

// example returns the example of a rule.
func example(t *testing.T, rule string) string { return examples(t)[rule] }

// examples returns the examples of the site by rule.
func examples(t *testing.T) map[string]string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(folder(t), "site", "rules.js"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(strings.TrimSuffix(string(script), ";\n"), " = ")
	var rules map[string]struct{ Example string }
	if err := json.Unmarshal([]byte(text), &rules); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for rule, known := range rules {
		if known.Example != "" {
			all[rule] = known.Example
		}
	}
	return all
}

// TestModuleIsSmall checks that the compressed module has at most 6 MB.
func TestModuleIsSmall(t *testing.T) {
	module, err := os.ReadFile(filepath.Join(folder(t), "site", "objchange.wasm"))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, writeErr := w.Write(module)
	if err := errors.Join(err, writeErr, w.Close()); err != nil || packed.Len() > 6<<20 {
		t.Errorf("%d bytes, %v", packed.Len(), err)
	}
}

// TestPageConnectsToNoServer checks that the page cannot connect to other servers.
func TestPageConnectsToNoServer(t *testing.T) {
	reached := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached = true
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	t.Cleanup(elsewhere.Close)
	p := open(t, "#rule=plan-not-config")
	for _, attempt := range []string{
		`fetch("ADDRESS").then(() => "sent", () => "refused")`,
		`fetch("ADDRESS", { method: "POST", mode: "no-cors", body: "x" }).then(() => "sent", () => "refused")`,
		`new Promise((done) => { const i = new Image(); i.onload = () => done("sent"); i.onerror = () => done("refused"); i.src = "ADDRESS"; })`,
		`new Promise((done) => { const s = document.createElement("script"); s.onload = () => done("sent"); s.onerror = () => done("refused"); s.src = "ADDRESS"; document.head.append(s); })`,
		`new Promise((done) => { document.addEventListener("securitypolicyviolation", () => done("refused"), { once: true }); navigator.sendBeacon("ADDRESS", "x"); })`,
		`new Promise((done) => { document.addEventListener("securitypolicyviolation", () => done("refused"), { once: true }); const f = document.createElement("form"); f.method = "post"; f.action = "ADDRESS"; document.body.append(f); f.submit(); })`,
	} {
		outcome := js[string](p, strings.ReplaceAll(attempt, "ADDRESS", elsewhere.URL))
		if outcome != "refused" || len(p.take()) == 0 {
			t.Errorf("%s: %s", attempt, outcome)
		}
	}
	if reached {
		t.Error("something was sent")
	}
}

// TestPageIsAccessible checks that axe-core finds no accessibility problems on the page, in light and dark, also
// with explained errors, and that the page is not wider than the screen of a telephone.
func TestPageIsAccessible(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(folder(t), "axe.min.js"))
	if err != nil {
		t.Skip("there is no axe.min.js of axe-core beside the site")
	}
	const width = 360
	p := open(t, "")
	check := func(what string) {
		t.Helper()
		p.run(string(script))
		for _, scheme := range []string{"light", "dark"} {
			p.show(width, 740, scheme)
			if found := js[string](p, `axe.run({ resultTypes: ["violations"] }).then((r) => r.violations.map(({ id, help, nodes }) => id + ": " + help + ": " + nodes.map((n) => n.html + " " + n.failureSummary)).join("\n"))`); found != "" {
				t.Errorf("%s, %s: %.3000s", what, scheme, found)
			}
		}
		if wide := js[int](p, `document.documentElement.scrollWidth`); wide > width {
			t.Errorf("%s is %d wide", what, wide)
		}
	}
	for _, at := range []string{"/#rule=plan-set-element", "/#rule=plan-not-config", "/#rule=proposed-not-core"} {
		p.visit(at)
		check(at)
	}
	p.visit("/")
	p.write("pasted", fmt.Sprintf(boxed, "cloud_server.web")+fmt.Sprintf(boxed, `cloud_server.db["`+strings.Repeat("a", 200)+`"]`)+tolerated)
	p.run(`for (const all of document.querySelectorAll("#violations details")) all.open = true`)
	check("with explained errors")
}

// TestNarrowPageSummarizesResult checks that on a telephone a line above the single column
// summarizes the result below, and leads to it.
func TestNarrowPageSummarizesResult(t *testing.T) {
	p := open(t, "")
	p.show(360, 740, "light")
	p.visit("/#rule=plan-not-config")
	const inView = `(() => { const { top } = document.getElementById("status").getBoundingClientRect(); return top >= 0 && top < innerHeight; })()`
	if found := js[string](p, `document.getElementById("found").innerText`); found != "1 violation." || js[bool](p, inView) {
		t.Errorf("the line says %q", found)
	}
	p.click("#found")
	if hash := js[string](p, `location.hash`); !js[bool](p, inView) || hash != "#rule=plan-not-config" {
		t.Errorf("it does not lead to what was found, but to %s", hash)
	}
	p.show(1400, 900, "light")
	if js[bool](p, `document.getElementById("found").checkVisibility()`) {
		t.Error("the line is on wide screens, too")
	}
}
