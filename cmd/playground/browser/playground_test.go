package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/explain"
)

const schema = `{"attributes": {"name": {"type": "string", "required": true}, "id": {"type": "string", "computed": true}, "size": {"type": "number", "optional": true}}}`

// TestExamplesShowTheirRule checks that each example shows the broken rule, marks its place in the right part,
// shows the fix, and links to the rules reference.
func TestExamplesShowTheirRule(t *testing.T) {
	p, all := open(t, ""), examples(t)
	if len(all) < 30 {
		t.Errorf("only %d examples", len(all))
	}
	for rule := range all {
		p.run(`location.hash = "rule=` + rule + `"`)
		p.await(`#violations li[data-rule="` + rule + `"]`)
		s := p.shown()
		part, _, _ := strings.Cut(strings.TrimPrefix(strings.Join(s.Pointers, ""), "/"), "/")
		mark, said := part+" violation ", "1 violation."
		if strings.Contains(s.Marks, " mild ") {
			mark, said = part+" mild ", "No violation that counts, 1 unchecked."
		}
		if s.Rules != rule || s.Status != said || !strings.HasPrefix(s.Marks, mark) || strings.Contains(s.Marks, ",") ||
			!strings.Contains(s.Texts[0], "Fix: ") || !strings.Contains(s.Texts[0], "As a user: ") {
			t.Errorf("%s: %+v", rule, s)
		}
	}
	if left := js[string](p, `document.querySelector("#violations a").href`); !strings.Contains(left, "/docs/rules/") {
		t.Errorf("the rule leads to %s", left)
	}
}

// TestViolationLinksToItsPlace checks that a violation links to its place, also with the keyboard.
func TestViolationLinksToItsPlace(t *testing.T) {
	p := open(t, "")
	p.write("part-schema", schema)
	p.write("part-prior", "null")
	p.write("part-config", `{"name": "web"}`)
	p.write("part-initial_planned", "{\n  \"id\": {\"$unknown\": true},\n  \"name\": \"db\"\n}")
	if s := p.shown(); s.Rules != "plan-not-config" || s.Marks != "initial_planned violation 3" || s.Proposal != `{"id": null, "name": "web", "size": null}` {
		t.Errorf("%+v", s)
	}
	p.do(chromedp.Focus(chromedp.CSS("#violations .place")), chromedp.KeyEvent("\r"))
	at := js[string](p, `(() => { const a = document.activeElement; return a.id + " " + a.value.slice(a.selectionStart, a.selectionEnd); })()`)
	if at != `part-initial_planned "db"` {
		t.Errorf("focuses %s", at)
	}
}

// TestTypedTextIsChecked checks that typed text is checked, and that numbers keep their precision.
func TestTypedTextIsChecked(t *testing.T) {
	p := open(t, "#rule=plan-not-config")
	p.click("#part-initial_planned")
	p.write("part-initial_planned", "")
	p.do(chromedp.SendKeys(chromedp.CSS("#part-initial_planned"), `{"name": "db"}`))
	p.await("#status.good")
	if s := p.shown(); s.Rules+s.Marks != "" || !strings.HasPrefix(s.Status, "No violations") {
		t.Errorf("%+v", s)
	}
	p.write("part-schema", schema)
	p.write("part-config", `{"name": "db", "size": 12345678901234567890.5}`)
	if s := p.shown(); !strings.Contains(s.Proposal, "12345678901234567890.5") {
		t.Errorf("%+v", s)
	}
}

// TestErrorsAreShownAtTheirLine checks that errors are shown at their line, and that older results are marked as such.
func TestErrorsAreShownAtTheirLine(t *testing.T) {
	p := open(t, "")
	for _, test := range []struct{ part, text, fault, marks string }{
		{"config", "{\n  \"name\": \"db\",\n}", `line 3: want a name in double quotes`, "config broken 3"},
		{"config", "{\n  \"name\": [1", `line 2: the text ends, but "," or "]" is missing`, "config broken 2"},
		{"config", strings.Repeat("[", 5000), `line 1: the nesting exceeds 1000 levels`, "config broken 1"},
		{"config", "{\n  \"name\": [1]\n}", `/config/name: .name: must be a string, not a list`, "config broken 2"},
		{"schema", `{"attributes": {"name": {"type": "text"}}}`, `/schema: attribute "name": not a type, such as "string" or ["list", "string"]`, "schema broken 1"},
	} {
		p.write("pasted", example(t, "plan-not-config"))
		p.write("part-"+test.part, test.text)
		if s := p.shown(); !strings.Contains(strings.Join(s.Texts, "\n"), test.fault) || s.Marks != test.marks || s.Status == "1 violation." {
			t.Errorf("%.30s: %+v", test.text, s)
		}
	}
}

// TestWholeTextMayContainSeveralDocuments checks the view of the text, which may contain several documents.
func TestWholeTextMayContainSeveralDocuments(t *testing.T) {
	p := open(t, "#rule=inconsistent-value")
	p.click("input[value=whole]")
	s := p.shown()
	one := strings.Join(strings.Fields(s.Parts["document"]), "")
	if s.Rules != "inconsistent-value" || !strings.HasPrefix(s.Marks, "document violation ") {
		t.Errorf("%+v", s)
	}
	for _, several := range []string{one + "\n" + one + "\n", "[" + one + ",\n" + one + "]"} {
		p.write("part-document", several)
		if s = p.shown(); s.Status != "2 violations." || s.Marks != "document violation 1, document violation 2" {
			t.Errorf("%s: %+v", several, s)
		}
	}
	p.click("input[value=parts]")
	if s = p.shown(); s.Parts["document"] == "" || s.Note == "" {
		t.Errorf("several documents have no parts: %+v", s)
	}
	p.write("part-document", "{\n  \"schema\": ,\n}")
	if s = p.shown(); s.Marks != "document broken 2" || !strings.Contains(s.Texts[0], "line 2: not JSON") {
		t.Errorf("broken: %+v", s)
	}
	p.write("part-document", one)
	p.click("input[value=parts]")
	if s = p.shown(); s.Parts["document"] != "" || s.Parts["new"] == "" || s.Rules != "inconsistent-value" {
		t.Errorf("one has: %+v", s)
	}
}

// linked returns the fragment of a link to the text of the page.
func (p *page) linked() string {
	p.Helper()
	p.click("#link")
	p.await("#linked:not(:empty)")
	return js[string](p, `location.hash`)
}

// TestLinkContainsTheDocument checks that a link contains the exact document, and that a broken link is reported.
func TestLinkContainsTheDocument(t *testing.T) {
	p := open(t, "")
	p.write("pasted", `{"schema": `+schema+`, "config": {"name": "Zürich 🎉 </script>", "size": 0.10000000000000000001}}`)
	before, fragment := p.shown(), p.linked()
	p.visit("/" + fragment)
	if after := p.shown(); fmt.Sprint(after.Parts) != fmt.Sprint(before.Parts) || !strings.Contains(after.Parts["config"], "0.10000000000000000001") {
		t.Errorf("%s: %+v, want %+v", fragment, after, before)
	}
	for broken, want := range map[string]string{
		"#doc=" + fragment[5:len(fragment)-4]: "The link is incomplete: its document cannot be read.", "#doc=%": "The link is incomplete: its document cannot be read.",
		"#rule=no-such-rule": "The playground has no example of a rule no-such-rule.",
	} {
		p.visit("/" + broken)
		if s := p.shown(); s.Note != want {
			t.Errorf("%s: %+v", broken, s)
		}
	}
}

// TestFirstDroppedFileIsOpened checks that the first of the dropped files is opened.
func TestFirstDroppedFileIsOpened(t *testing.T) {
	p := open(t, "")
	var names []string
	for _, name := range []string{"one.json", "other.json"} {
		name = filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(name, []byte(example(t, "inconsistent-value")), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	for _, event := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		p.do(call(input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: event, X: 200, Y: 300, Data: &input.DragData{Items: []*input.DragDataItem{}, Files: names, DragOperationsMask: 1},
		}))
	}
	p.await("#violations li")
	if s := p.shown(); s.Rules != "inconsistent-value" || s.Note != "The page shows one file at a time. It shows one.json." {
		t.Errorf("%+v", s)
	}
}

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
func (p *page) explained(from, class string) {
	p.Helper()
	s := p.shown()
	if s.Status != "1 error is explained." || s.Class != class || s.Rules != "inconsistent-value" || s.Proposal != "" {
		p.Errorf("%s: %+v", from, s)
		return
	}
	for _, want := range append([]string{
		"cloud_server.web of registry.terraform.io/acme/cloud", `.name: was "web", now "db"`, "inconsistent-value · apply · ",
		"Fault: ", "What you can do: ", "Fix by the provider's author: ", "# cloud_server: ",
	}, explain.Find(s.Parts["error"])[0].Steps...) {
		if !strings.Contains(s.Texts[0], strings.ReplaceAll(want, "`", "")) {
			p.Errorf("%s: no %q in %q", from, want, s.Texts[0])
		}
	}
}

// TestErrorTextIsExplained checks that an error text is explained if it is pasted, typed in the field that the
// keyboard reaches, opened as a file, or in a link.
func TestErrorTextIsExplained(t *testing.T) {
	p, text := open(t, "#rule=plan-not-config"), fmt.Sprintf(boxed, "cloud_server.web")
	p.write("pasted", text)
	p.explained("pasted", "bad")
	if s := p.shown(); s.Parts["error"] != text || js[string](p, `location.hash`) != "" {
		t.Errorf("%+v", s)
	}
	if left := js[string](p, `document.querySelector("#violations h3 ~ p.facts a").getAttribute("href")`); left != objchange.RuleInconsistentValue.Info().URL {
		t.Errorf("the rule leads to %s", left)
	}
	p.write("pasted", tolerated)
	p.explained("tolerated", "mild")

	p.click("#clear")
	if s := p.shown(); len(s.Parts) > 0 || s.Rules != "" {
		t.Errorf("cleared: %+v", s)
	}
	p.show(1400, 900, "light")                                                                                      // without the line above the result
	p.do(chromedp.Focus(chromedp.CSS("input[value=parts]")), chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown+"\t\t\t")) // past the buttons
	if at := js[string](p, `document.querySelector("input[name=view]:checked").value + " " + document.activeElement.id`); at != "error part-error" {
		t.Errorf("the keyboard leads to %s", at)
	}
	p.write("part-error", text)
	p.explained("written", "bad")
	p.visit("/" + p.linked())
	p.explained("a link", "bad")

	name := filepath.Join(t.TempDir(), "apply.txt")
	bytes := []byte{0xff, 0xfe} // as PowerShell writes it
	for _, unit := range utf16.Encode([]rune(text)) {
		bytes = append(bytes, byte(unit), byte(unit>>8))
	}
	if err := os.WriteFile(name, bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	p.visit("/")
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{name}))
	p.await("#violations li")
	p.explained("a file", "bad")
}

// crashed is the text of a crash with its stack trace.
const crashed = `│ Error: Plugin did not respond
│ 
│   with cloud_zone.example,
│   on main.tf line 7, in resource "cloud_zone" "example":
│ 
│ The plugin encountered an error, and failed to respond to the
│ plugin.(*GRPCProvider).PlanResourceChange call.

Stack trace from the terraform-provider-cloud plugin:

panic: interface conversion: interface {} is nil

goroutine 44 [running]:
github.com/acme/terraform-provider-cloud/dns.resourceZone.func2({0x0, 0x0})
	/home/runner/dns/resource_zone.go:274 +0x1a5
`

// TestExplainOtherErrors checks that the page shows the place of a panic, and an error that no rule is
// about.
func TestExplainOtherErrors(t *testing.T) {
	p := open(t, "")
	for text, want := range map[string]string{
		crashed: "panic: interface conversion: interface {} is nil, in github.com/acme/terraform-provider-cloud/dns.resourceZone.func2 resource_zone.go:274",
		"Error: Unexpected Identity Change: During the read operation, the provider returned a different identity.\n": "Unexpected Identity Change",
	} {
		p.write("pasted", text)
		if s := p.shown(); len(s.Texts) != 1 || !strings.Contains(s.Texts[0], want) || strings.Contains(s.Texts[0], "undefined") {
			t.Errorf("%+v, want %q", s, want)
		}
	}
}

// TestTextWithoutErrorHasMessage checks the messages for a text without such an error, and with many.
func TestTextWithoutErrorHasMessage(t *testing.T) {
	p := open(t, "")
	p.write("pasted", "Error: Reference to undeclared resource\n\n  on main.tf line 3, in output \"id\":\n")
	if s := p.shown(); s.Status != explain.None || s.Class != "" || s.Rules != "" {
		t.Errorf("%+v", s)
	}
	var many strings.Builder
	for i := range 101 {
		fmt.Fprintf(&many, boxed, fmt.Sprintf("cloud_server.web[%d]", i))
	}
	p.write("part-error", many.String())
	if s := p.shown(); s.Status != "101 errors are explained. The page shows the first 100. Run objchange explain to see all of them." || len(s.Texts) != 100 {
		t.Errorf("%d: %q", len(s.Texts), s.Status)
	}
}

// TestViewsDoNotChangeEachOther checks that a document and an error text do not change each other.
func TestViewsDoNotChangeEachOther(t *testing.T) {
	p := open(t, "#rule=plan-not-config")
	before, text := p.shown(), fmt.Sprintf(boxed, "cloud_server.web")
	show := func(view string) pageContent {
		p.click("input[value=" + view + "]")
		return p.shown()
	}
	if s := show("error"); s.Rules != "" || !strings.HasPrefix(s.Status, "The page is empty") || js[string](p, `location.hash`) != "" {
		t.Errorf("%+v", s)
	}
	p.write("part-error", text)
	if s := show("whole"); s.Rules != "plan-not-config" || s.Parts["document"] == "" || s.Proposal == "" {
		t.Errorf("%+v", s)
	}
	if s := show("error"); s.Rules != "inconsistent-value" || s.Parts["error"] != text {
		t.Errorf("%+v", s)
	}
	s := show("parts")
	delete(s.Parts, "error")
	if fmt.Sprint(s.Parts) != fmt.Sprint(before.Parts) || s.Rules != "plan-not-config" {
		t.Errorf("%+v, want %+v", s, before)
	}
	for _, document := range []string{"{\"schema\": {}}\n{\"schema\": {}}", "[\n{\"schema\": ", "{"} {
		show("error")
		p.write("pasted", document)
		if s := p.shown(); s.Parts["document"] != document {
			t.Errorf("%q is no document: %+v", document, s)
		}
	}
}

// TestHostileTextIsNotExecuted checks that no part of a text is executed or becomes an element of the page.
func TestHostileTextIsNotExecuted(t *testing.T) {
	const key = `"<img src=x onerror=document.title='executed'>"`
	p := open(t, "")
	p.write("pasted", strings.ReplaceAll(fmt.Sprintf(boxed, "cloud_server.web["+key+"]"), `"web"`, key))
	if s := p.shown(); s.Rules != "inconsistent-value" || !strings.HasPrefix(s.Texts[0], "cloud_server.web["+key+"] of ") || !strings.Contains(s.Texts[0], "was "+key) {
		t.Errorf("%+v", s)
	}
	if n := js[int](p, `document.querySelectorAll("#results :is(img, script)").length`); n > 0 || js[string](p, `document.title`) == "executed" {
		t.Errorf("%d elements of the text are in the page", n)
	}
}

// TestButtonCopiesIssueReport checks that a button copies the issue report, or selects it if copying is not
// allowed.
func TestButtonCopiesIssueReport(t *testing.T) {
	p, text := open(t, ""), fmt.Sprintf(boxed, "cloud_server.web")
	report := strings.TrimSpace(explain.Find(text)[0].Report)
	for copying, copied := range map[string]string{
		`async (text) => { window.copied = text; }`: `window.copied`, `async () => { throw new Error("no"); }`: `getSelection().toString()`,
	} {
		p.write("pasted", text)
		p.run(`navigator.clipboard.writeText = ` + copying)
		p.do(chromedp.Focus(chromedp.CSS("#violations button")), chromedp.KeyEvent("\r"))
		p.await("#violations output:not(:empty)")
		if got := js[string](p, copied); strings.TrimSpace(got) != report {
			t.Errorf("%s: %q", copying, got)
		}
	}
}
