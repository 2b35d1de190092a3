// Package browser tests the playground in a real browser.
package browser

import (
	"context"
	"encoding/json"
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
	found := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if at, err := exec.LookPath(name); err == nil {
			found = at
			break
		}
	}
	if found == "" {
		return nil, fmt.Errorf("there is no Chromium or Chrome on the PATH")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(found), chromedp.NoSandbox, chromedp.WSURLReadTimeout(time.Minute))
	ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop = chromedp.NewContext(ctx)
	return ctx, chromedp.Do(ctx)
})

var stop = func() {}

func TestMain(m *testing.M) {
	status := m.Run()
	stop()
	os.Exit(status)
}

// A page is a tab. The test fails if the console, the policy or scripts report errors, unless the
// test expects them.
type page struct {
	*testing.T
	ctx  context.Context
	home string // the address of the site

	mu         sync.Mutex
	complaints []string
}

// open returns the page of the site with a fragment, when it is ready.
func open(t *testing.T, home, fragment string) *page {
	t.Helper()
	p := tab(t, home)
	p.visit(fragment)
	return p
}

// tab returns an empty tab.
func tab(t *testing.T, home string) *page {
	t.Helper()
	ctx, err := browser()
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute) // so that the failing test is reported
	t.Cleanup(cancel)
	p := &page{T: t, ctx: ctx, home: home}
	err = chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			p.complain(e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError || e.Entry.Source == log.EntrySourceSecurity {
				p.complain(e.Entry.Text)
			}
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError {
				p.complain(fmt.Sprint(e.Args))
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, log.Enable, cdp.Empty{})
		return err
	}))
	return p
}

func (p *page) complain(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.complaints = append(p.complaints, text)
}

// told returns the reported errors and clears them.
func (p *page) told() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	told := p.complaints
	p.complaints = nil
	return told
}

// content fails the test if errors were reported.
func (p *page) content() {
	p.Helper()
	for _, text := range p.told() {
		p.Errorf("the browser complains: %s", text)
	}
}

func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.Fatalf("%v; %q", err, p.told())
	}
}

// visit reloads the page with a fragment, and waits until it is ready.
func (p *page) visit(fragment string) {
	p.Helper()
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(p.home+"/"+fragment), chromedp.WaitReady(chromedp.CSS("body:not(:has([aria-busy=true]))")))
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

// colours sets the preferred colour scheme of the browser.
func colours(scheme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	})
}

// write sets the text of a text area, as typing or pasting does, and waits for the result.
func (p *page) write(id, text string) {
	p.Helper()
	p.run(typed(id, text))
	p.answered()
}

// typed returns a script that sets the text of a text area.
func typed(id, text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // never fails for a string
	}
	return `{
		const area = document.getElementById("` + id + `");
		area.value = ` + string(quoted) + `;
		area.dispatchEvent(new Event("input", { bubbles: true }));
	}`
}

// answered waits until the page is not busy.
func (p *page) answered() {
	p.Helper()
	p.do(chromedp.WaitReady(chromedp.CSS("body:not(:has([aria-busy=true]))")))
}

// A shown is the content of the page.
type shown struct {
	Status, Class string // of the result
	Note, Linked  string
	Violations    []struct{ Rule, Pointer, Text string }
	Marks         []struct {
		Part, Kind string
		Line       int
	}
	Errors   []string // of parts
	Proposal string
	Parts    map[string]string
}

func (p *page) shown() shown {
	p.Helper()
	return js[shown](p, `(() => {
		const all = (selector, f) => [...document.querySelectorAll(selector)].map(f);
		const text = (id) => document.getElementById(id).textContent;
		return {
			Status: text("status"), Class: document.getElementById("status").className, Note: text("note"), Linked: text("linked"), Proposal: text("proposal"),
			Violations: all("#violations > li", (e) => ({ Rule: e.dataset.rule ?? "", Pointer: e.dataset.pointer ?? "", Text: e.textContent })),
			Marks: all(".bar", (e) => ({ Part: e.closest(".part").dataset.part, Kind: e.className, Line: Number(e.dataset.line) })),
			Errors: all(".error", (e) => e.textContent).filter((e) => e),
			Parts: Object.fromEntries(all(".part textarea", (e) => [e.id.slice(5), e.value]).filter(([, v]) => v)),
		};
	})()`)
}

// served serves the folder with the built site as static files.
func served(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(folder(t), "site"))))
	t.Cleanup(server.Close)
	return server.URL
}

// examples returns the examples of the site by rule.
func examples(t *testing.T) (all map[string]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder(t), "site", "examples.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// rules returns the broken rules on the page.
func (s shown) rules() string {
	var names []string
	for _, v := range s.Violations {
		names = append(names, v.Rule)
	}
	return strings.Join(names, " ")
}
