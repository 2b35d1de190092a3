package browser

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// times returns how long it took from the beginning of loading to the first answer, of
// which until the module was there, and the answers after it, in milliseconds.
func (p *page) times() (first, module float64, edits []float64) {
	p.Helper()
	all := js[[][2]float64](p, `performance.getEntriesByName("answer").map((e) => [e.startTime + e.duration, e.duration])`)
	for _, t := range all[1:] {
		edits = append(edits, t[1])
	}
	slices.Sort(edits)
	return all[0][0], js[float64](p, `performance.getEntriesByType("resource").find((e) => e.name.endsWith(".wasm")).responseEnd`), edits
}

// TestTimes: an answer about an example takes a twentieth of what it takes from the
// beginning of loading to the first one, at most. What each took is logged.
func TestTimes(t *testing.T) {
	p := open(t, served(t), "#rule=plan-not-config")
	for rule := range examples(t) {
		p.run(`location.hash = "rule=` + rule + `"`)
		p.do(chromedp.WaitReady(chromedp.CSS(`#violations li[data-rule="` + rule + `"]`)))
		p.answered()
	}
	first, module, edits := p.times()
	median := edits[len(edits)/2]
	t.Logf("the first answer after %.0f ms, with the module there after %.0f ms; then %d examples, median %.1f ms, slowest %.1f ms",
		first, module, len(edits), median, edits[len(edits)-1])
	if 20*median > first {
		t.Errorf("an answer takes %.1f ms, and the first one %.0f ms", median, first)
	}
}

// TestPolicy: the page can reach nothing but where it is from.
func TestPolicy(t *testing.T) {
	reached := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached = true
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	t.Cleanup(elsewhere.Close)
	p := open(t, served(t), "#rule=plan-not-config")
	p.content() // before anything is tried, nothing was refused
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

// axe is the script that looks for what is wrong for those who cannot see or use a mouse.
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

// TestAxe: axe finds nothing on any page, light or dark, nor where a request of a
// recording is chosen.
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
	p.write("pasted", strings.Join(recorded(t), ""))
	p.accessible(script)
	p.do(chromedp.EmulateViewport(360, 740))
	p.accessible(script)
}

// TestNarrow: on a telephone nothing is wider than the screen, and all is one column,
// above which a line says what was found below.
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

// TestServed: what the command serves is the same page, which it answers itself.
func TestServed(t *testing.T) {
	cmd := exec.Command(filepath.Join(folder(t), "objchange"), "rules", "--serve")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	home := strings.TrimSuffix(strings.TrimSpace(line), "/")
	p := open(t, home, "#rule=plan-not-config")
	if s := p.shown(); s.rules() != "plan-not-config" || len(s.Marks) != 1 {
		t.Errorf("%+v", s)
	}
	p.content()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("interrupted: %v", err)
	}
}

// TestScreens writes pictures into the folder that PICTURES names, to be looked at.
func TestScreens(t *testing.T) {
	dir := os.Getenv("PICTURES")
	if dir == "" {
		t.Skip("PICTURES names no folder")
	}
	home := served(t)
	for name, at := range map[string]string{"page": "/#rule=plan-not-config", "empty": "/", "recording": "/", "rules": "/rules/", "rule": "/rules/plan-not-config.html"} {
		for scheme, width := range map[string]int64{"light": 1400, "dark": 1400, "narrow": 380} {
			p := tab(t, home)
			value := map[bool]string{true: "dark", false: "light"}[scheme == "dark"]
			p.do(colours(value), chromedp.EmulateViewport(width, 900))
			p.do(chromedp.Navigate(home+at), chromedp.WaitReady(chromedp.CSS("main")))
			if !strings.HasPrefix(at, "/rules/") {
				p.answered()
			}
			if name == "recording" {
				p.write("pasted", strings.Join(recorded(t), ""))
				p.choose(applied)
			}
			picture, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name+"-"+scheme+".png"), picture, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
