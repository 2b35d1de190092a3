package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/objchange/objchange/cmd/internal/explain"
)

// boxed is Terraform's error for an inconsistent result, with a placeholder for the address.
const boxed = `╷
│ Error: Provider produced inconsistent result after apply
│ 
│ When applying changes to %s, provider
│ "provider[\"registry.terraform.io/acme/cloud\"]" produced an unexpected new
│ value: .name: was cty.StringVal("web"), but now cty.StringVal("db").
│ 
│ This is a bug in the provider, which should be reported in the provider's
│ own issue tracker.
╵
`

// tolerated is Terraform's log for a provider with the legacy type system.
const tolerated = `2026-01-02T03:04:05.678Z [WARN]  Provider "provider[\"registry.terraform.io/acme/cloud\"]" produced an unexpected new value for cloud_server.web, but we are tolerating it because it is using the legacy plugin SDK.
    The following problems may be the cause of any confusing errors from downstream operations:
      - .name: was cty.StringVal("web"), but now cty.StringVal("db")
`

// explained checks that the page explains the error about cloud_server.web.
func (p *page) explained(from string, enforced bool) {
	p.Helper()
	s := p.shown()
	if s.Status != "1 error is explained." || s.rules() != "inconsistent-value" || s.Proposal != "" {
		p.Errorf("%s: %+v", from, s)
		return
	}
	e := explain.Error{Enforced: enforced}
	for _, want := range append([]string{
		"cloud_server.web of registry.terraform.io/acme/cloud", `.name: was "web", now "db"`, "inconsistent-value · apply · ",
		"Fault: " + e.Fault, "What you can do: ", "Fix by the provider's author: ", "# cloud_server: Provider produced",
	}, p.steps()...) {
		if !strings.Contains(s.Violations[0].Text, strings.ReplaceAll(want, "`", "")) {
			p.Errorf("%s: no %q in %q", from, want, s.Violations[0].Text)
		}
	}
}

// steps returns the steps of the first error on the page.
func (p *page) steps() []string {
	p.Helper()
	steps := explain.Find(p.shown().Parts["error"])[0].Steps
	if n := js[int](p, `document.querySelectorAll("#violations > li:first-child > ol > li").length`); n != len(steps) || n < 2 {
		p.Errorf("%d steps, want %d", n, len(steps))
	}
	return steps
}

// TestExplain checks that an error text is explained if it is pasted, typed in the field that the
// keyboard reaches, opened as a file, or in a link.
func TestExplain(t *testing.T) {
	home := served(t)
	p, text := open(t, home, "#rule=plan-not-config"), fmt.Sprintf(boxed, "cloud_server.web")
	p.write("pasted", text)
	p.explained("pasted", true)
	if s := p.shown(); s.Parts["error"] != text || s.Class != "bad" || js[string](p, `location.hash`) != "" {
		t.Errorf("%+v", s)
	}
	if left := js[string](p, `document.querySelector("#violations h3 ~ p.facts a").getAttribute("href")`); left != "rules/inconsistent-value.html" {
		t.Errorf("the rule leads to %s", left)
	}
	p.write("pasted", tolerated)
	p.explained("tolerated", false)
	if s := p.shown(); s.Class != "mild" {
		t.Errorf("%+v", s)
	}
	p.write("pasted", `{"@level":"error","@message":"Error: x","diagnostic":{"severity":"error","summary":"Provider produced inconsistent result after apply",`+
		`"detail":"When applying changes to cloud_server.web, provider \"provider[\\\"registry.terraform.io/acme/cloud\\\"]\" produced an unexpected new value: .name: was cty.StringVal(\"web\"), but now cty.StringVal(\"db\")."}}`)
	p.explained("terraform apply -json", true)

	p.do(chromedp.Click(chromedp.CSS("#clear")))
	p.answered()
	if s := p.shown(); len(s.Parts)+len(s.Violations) > 0 {
		t.Errorf("cleared: %+v", s)
	}
	p.do(chromedp.EmulateViewport(1400, 900), chromedp.Focus(chromedp.CSS("input[value=parts]")), chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown+"\t\t\t")) // past the buttons
	if at := js[string](p, `document.querySelector("input[name=view]:checked").value + " " + document.activeElement.id`); at != "error part-error" {
		t.Errorf("the keyboard leads to %s", at)
	}
	p.write("part-error", text)
	p.explained("written", true)

	p.do(chromedp.Click(chromedp.CSS("#link")), chromedp.WaitReady(chromedp.CSS("#linked:not(:empty)")))
	fragment := js[string](p, `location.hash`)
	if !strings.HasPrefix(fragment, "#error=") {
		t.Error(fragment)
	}
	q := open(t, home, fragment)
	q.explained("a link", true)
	q.content()

	name := filepath.Join(t.TempDir(), "apply.txt")
	bytes := []byte{0xff, 0xfe} // as PowerShell writes it
	for _, unit := range utf16.Encode([]rune(text)) {
		bytes = append(bytes, byte(unit), byte(unit>>8))
	}
	if err := os.WriteFile(name, bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	p.visit("")
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{name}), chromedp.WaitReady(chromedp.CSS("#violations li")))
	p.answered()
	p.explained("a file", true)
	p.content()
}

// TestExplainNone checks the messages for a text without such an error, and for one that is too
// large.
func TestExplainNone(t *testing.T) {
	p := open(t, served(t), "")
	p.write("pasted", fmt.Sprintf(boxed, "cloud_server.web"))
	p.write("pasted", "Error: Reference to undeclared resource\n\n  on main.tf line 3, in output \"id\":\n")
	if s := p.shown(); s.Status != explain.None || s.Class != "" || len(s.Violations) > 0 {
		t.Errorf("%+v", s)
	}
	p.write("part-error", strings.Repeat("x", 4<<20))
	if s := p.shown(); !strings.HasPrefix(s.Status, "The text cannot be explained: the request has 41943") || s.Class != "bad" || len(s.Violations) > 0 {
		t.Errorf("%q", s.Status)
	}
	var many strings.Builder
	for i := range 101 {
		fmt.Fprintf(&many, boxed, fmt.Sprintf("cloud_server.web[%d]", i))
	}
	p.write("part-error", many.String())
	if s := p.shown(); s.Status != "101 errors are explained. The page shows the first 100. Run objchange explain to see all of them." || len(s.Violations) != 100 {
		t.Errorf("%d: %q", len(s.Violations), s.Status)
	}
	p.content()
}

// TestExplainViews checks that a document and an error text do not change each other.
func TestExplainViews(t *testing.T) {
	p := open(t, served(t), "#rule=plan-not-config")
	before := p.shown()
	show := func(view string) shown {
		p.do(chromedp.Click(chromedp.CSS("input[value=" + view + "]")))
		p.answered()
		return p.shown()
	}
	if s := show("error"); len(s.Violations) > 0 || !strings.HasPrefix(s.Status, "The page is empty") || js[string](p, `location.hash`) != "" {
		t.Errorf("%+v", s)
	}
	text := fmt.Sprintf(boxed, "cloud_server.web")
	p.write("part-error", text)
	if s := show("whole"); s.rules() != "plan-not-config" || s.Parts["document"] == "" || s.Proposal == "" {
		t.Errorf("%+v", s)
	}
	if s := show("error"); s.rules() != "inconsistent-value" || s.Parts["error"] != text {
		t.Errorf("%+v", s)
	}
	s := show("parts")
	delete(s.Parts, "error")
	if fmt.Sprint(s.Parts) != fmt.Sprint(before.Parts) || s.rules() != "plan-not-config" {
		t.Errorf("%+v, want %+v", s, before)
	}
	for _, document := range []string{"{\"schema\": {}}\n{\"schema\": {}}", "[\n{\"schema\": ", "{"} {
		show("error")
		p.write("pasted", document)
		if s := p.shown(); s.Parts["document"] != document {
			t.Errorf("%q is no document: %+v", document, s)
		}
	}
	p.content()
}

// TestExplainHostile checks that no part of a text is executed or becomes an element of the page.
func TestExplainHostile(t *testing.T) {
	home, key := served(t), `"<img src=x onerror=document.title='executed'>"`
	p := open(t, home, "")
	title := js[string](p, `document.title`)
	p.write("pasted", strings.ReplaceAll(fmt.Sprintf(boxed, "cloud_server.web["+key+"]"), `"web"`, key))
	check := func(p *page) {
		s := p.shown()
		if s.rules() != "inconsistent-value" || !strings.HasPrefix(s.Violations[0].Text, "cloud_server.web["+key+"] of ") || !strings.Contains(s.Violations[0].Text, "was "+key) {
			t.Errorf("%+v", s)
		}
		if n := js[int](p, `document.querySelectorAll("#results :is(img, script)").length`); n > 0 || js[string](p, `document.title`) != title {
			t.Errorf("%d elements of the text are in the page", n)
		}
		p.content()
	}
	check(p)
	p.do(chromedp.Click(chromedp.CSS("#link")), chromedp.WaitReady(chromedp.CSS("#linked:not(:empty)")))
	check(open(t, home, js[string](p, `location.hash`)))
}

// TestExplainCopy checks that a button copies the issue report, or selects it if copying is not
// allowed.
func TestExplainCopy(t *testing.T) {
	p := open(t, served(t), "")
	text := fmt.Sprintf(boxed, "cloud_server.web")
	report := explain.Find(text)[0].Report
	p.write("pasted", text)
	p.run(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`)
	p.do(chromedp.Focus(chromedp.CSS("#violations button")), chromedp.KeyEvent("\r"), chromedp.WaitReady(chromedp.CSS("#violations output:not(:empty)")))
	if got := js[string](p, `window.copied`); got != report {
		t.Errorf("%q", got)
	}
	p.write("part-error", text)
	p.run(`navigator.clipboard.writeText = async () => { throw new Error("no"); }`)
	p.do(chromedp.Click(chromedp.CSS("#violations button")), chromedp.WaitReady(chromedp.CSS("#violations output:not(:empty)")))
	if got := js[string](p, `getSelection().toString()`); strings.TrimSpace(got) != strings.TrimSpace(report) {
		t.Errorf("%q", got)
	}
	p.content()
}
