package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

const schema = `{"attributes": {"name": {"type": "string", "required": true}, "id": {"type": "string", "computed": true}, "size": {"type": "number", "optional": true}}}`

// TestExamples checks that each example shows the broken rule, marks its place in the right part,
// shows the fix, and links to the rule's page.
func TestExamples(t *testing.T) {
	home := served(t)
	p := open(t, home, "")
	all := examples(t)
	if len(all) < 30 {
		t.Errorf("only %d examples", len(all))
	}
	for rule := range all {
		p.run(`location.hash = "rule=` + rule + `"`)
		p.do(chromedp.WaitReady(chromedp.CSS(`#violations li[data-rule="` + rule + `"]`)))
		p.answered()
		s := p.shown()
		said := "1 violation."
		if s.Marks[0].Kind == "bar mild" {
			said = "No violation that counts, 1 unchecked."
		}
		if s.rules() != rule || len(s.Marks) != 1 || s.Status != said {
			t.Errorf("%s: %+v", rule, s)
			continue
		}
		v := s.Violations[0]
		if part, _, _ := strings.Cut(strings.TrimPrefix(v.Pointer, "/"), "/"); part != s.Marks[0].Part {
			t.Errorf("%s: %s is marked in %s", rule, v.Pointer, s.Marks[0].Part)
		}
		if !strings.Contains(v.Text, "Fix: ") || !strings.Contains(v.Text, "As a user: ") {
			t.Errorf("%s: no remedy: %s", rule, v.Text)
		}
	}
	p.content()
	p.run(`document.querySelector("#violations a").click()`)
	p.do(chromedp.WaitReady(chromedp.CSS("#fix")))
}

// TestPlace checks that a violation links to its place, also with the keyboard.
func TestPlace(t *testing.T) {
	p := open(t, served(t), "")
	p.write("part-schema", schema)
	p.write("part-prior", "null")
	p.write("part-config", `{"name": "web"}`)
	p.write("part-initial_planned", "{\n  \"id\": {\"$unknown\": true},\n  \"name\": \"db\"\n}")
	s := p.shown()
	if s.rules() != "plan-not-config" || fmt.Sprint(s.Marks) != "[{initial_planned bar violation 3}]" {
		t.Errorf("%+v", s)
	}
	if s.Proposal != `{"id": null, "name": "web", "size": null}` {
		t.Errorf("%+v", s)
	}
	p.do(chromedp.Focus(chromedp.CSS("#violations .place")), chromedp.KeyEvent("\r"))
	at := js[string](p, `(() => { const a = document.activeElement; return a.id + " " + a.value.slice(a.selectionStart, a.selectionEnd); })()`)
	if at != `part-initial_planned "db"` {
		t.Errorf("focuses %s", at)
	}
	p.content()
}

// TestEdit checks that typed text is checked, and that numbers keep their precision.
func TestEdit(t *testing.T) {
	p := open(t, served(t), "#rule=plan-not-config")
	p.do(chromedp.Click(chromedp.CSS("#part-initial_planned")))
	p.write("part-initial_planned", "")
	p.do(chromedp.SendKeys(chromedp.CSS("#part-initial_planned"), `{"name": "db"}`))
	p.do(chromedp.WaitReady(chromedp.CSS("#status.good")))
	if s := p.shown(); len(s.Violations)+len(s.Marks) > 0 || !strings.HasPrefix(s.Status, "No violations") {
		t.Errorf("%+v", s)
	}
	p.write("part-schema", schema)
	p.write("part-config", `{"name": "db", "size": 12345678901234567890.5}`)
	if s := p.shown(); !strings.Contains(s.Proposal, "12345678901234567890.5") {
		t.Errorf("%+v", s)
	}
	p.content()
}

// TestErrors checks that errors are shown at their line, and that older results are marked as such.
func TestErrors(t *testing.T) {
	p, example := open(t, served(t), ""), examples(t)["plan-not-config"]
	for _, test := range []struct{ name, part, text, fault, marks string }{
		{"JSON", "config", "{\n  \"name\": \"db\",\n}", `line 3: want a name in double quotes`, "[{config bar broken 3}]"},
		{"an end", "config", "{\n  \"name\": [1", `line 2: the text ends, but "," or "]" is missing`, "[{config bar broken 2}]"},
		{"depth", "config", strings.Repeat("[", 5000), `line 1: the nesting exceeds 1000 levels`, "[{config bar broken 1}]"},
		{"attribute", "config", "{\n  \"name\": \"db\",\n  \"nmae\": 1\n}", `/config: .nmae: no such attribute or block; did you mean "name"?`, "[{config bar broken 1}]"},
		{"type", "config", "{\n  \"name\": [1]\n}", `/config/name: .name: must be a string, not a list`, "[{config bar broken 2}]"},
		{"schema", "schema", `{"attributes": {"name": {"type": "text"}}}`, `/schema: attribute "name": unknown type "text"`, "[{schema bar broken 1}]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p.write("pasted", example)
			p.write("part-"+test.part, test.text)
			s := p.shown()
			var told []string
			for _, v := range s.Violations {
				told = append(told, v.Text)
			}
			if said := strings.Join(append(told, s.Errors...), "\n"); !strings.Contains(said, test.fault) || fmt.Sprint(s.Marks) != test.marks {
				t.Errorf("%q, %+v", said, s)
			}
			if s.Status == "1 violation." {
				t.Errorf("as if nothing was wrong: %+v", s)
			}
		})
	}
	p.content()
}

// TestWhole checks the view with the document as one text, which may contain several documents.
func TestWhole(t *testing.T) {
	p := open(t, served(t), "#rule=inconsistent-value")
	p.do(chromedp.Click(chromedp.CSS(`input[value=whole]`)))
	p.answered()
	s := p.shown()
	if s.rules() != "inconsistent-value" || len(s.Marks) != 1 || s.Marks[0].Part != "document" || s.Marks[0].Line < 3 {
		t.Errorf("%+v", s)
	}
	one := strings.Join(strings.Fields(s.Parts["document"]), "")
	p.write("part-document", one+"\n"+one+"\n")
	s = p.shown()
	if s.Status != "2 violations." || fmt.Sprint(s.Marks) != "[{document bar violation 1} {document bar violation 2}]" {
		t.Errorf("lines: %+v", s)
	}
	p.write("part-document", "["+one+",\n"+one+"]")
	if s = p.shown(); fmt.Sprint(s.Marks) != "[{document bar violation 1} {document bar violation 2}]" {
		t.Errorf("an array: %+v", s)
	}
	p.do(chromedp.Click(chromedp.CSS(`input[value=parts]`)))
	p.answered()
	if s = p.shown(); s.Parts["document"] == "" || s.Note == "" {
		t.Errorf("several documents have no parts: %+v", s)
	}
	p.write("part-document", "{\n  \"schema\": ,\n}")
	if s = p.shown(); fmt.Sprint(s.Marks) != "[{document bar broken 2}]" || !strings.Contains(s.Violations[0].Text, "line 2: not JSON") {
		t.Errorf("broken: %+v", s)
	}
	p.write("part-document", one)
	p.do(chromedp.Click(chromedp.CSS(`input[value=parts]`)))
	p.answered()
	if s = p.shown(); s.Parts["document"] != "" || s.Parts["new"] == "" || s.rules() != "inconsistent-value" {
		t.Errorf("one has: %+v", s)
	}
	p.content()
}

// TestLink checks that a link contains the exact document, and that a broken link is reported.
func TestLink(t *testing.T) {
	home := served(t)
	p := open(t, home, "")
	text := `{"schema": ` + schema + `, "config": {"name": "Zürich 🎉 </script>", "size": 0.10000000000000000001}}`
	p.write("pasted", text)
	p.answered()
	before := p.shown()
	p.do(chromedp.Click(chromedp.CSS("#link")), chromedp.WaitReady(chromedp.CSS("#linked:not(:empty)")))
	address := js[string](p, `location.href`)
	fragment := address[strings.Index(address, "#"):]
	if !strings.HasPrefix(fragment, "#doc=") {
		t.Fatal(address)
	}
	q := open(t, home, fragment)
	if after := q.shown(); fmt.Sprint(after.Parts) != fmt.Sprint(before.Parts) || !strings.Contains(after.Parts["config"], "0.10000000000000000001") {
		t.Errorf("%+v, want %+v", after, before)
	}
	for _, broken := range []string{"#doc=x", "#doc=" + fragment[5:len(fragment)-4], "#doc=%"} {
		q.run(`location.hash = "` + broken + `"; document.getElementById("note").textContent = ""`)
		q.do(chromedp.WaitReady(chromedp.CSS("#note:not(:empty)")))
		if s := q.shown(); s.Note != "The link is incomplete: its document cannot be read." {
			t.Errorf("%s: %+v", broken, s)
		}
	}
	q.visit("#rule=no-such-rule")
	if s := q.shown(); !strings.Contains(s.Note, "has no example of a rule no-such-rule") {
		t.Errorf("%+v", s)
	}
	p.content()
	q.content()
}

// TestDrop checks that a dropped file is handled in the same way as an opened file.
func TestDrop(t *testing.T) {
	p := open(t, served(t), "")
	names := []string{filepath.Join(t.TempDir(), "one.json"), filepath.Join(t.TempDir(), "other.json")}
	for _, name := range names {
		if err := os.WriteFile(name, []byte(examples(t)["inconsistent-value"]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	drop := func(names ...string) {
		for _, event := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
			p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
				_, err := cdp.Call(ctx, t, input.DispatchDragEvent, input.DispatchDragEventParams{
					Type: event, X: 200, Y: 300, Data: &input.DragData{Items: []*input.DragDataItem{}, Files: names, DragOperationsMask: 1},
				})
				return err
			}))
		}
		p.do(chromedp.WaitReady(chromedp.CSS("#violations li")))
		p.answered()
		if s := p.shown(); s.rules() != "inconsistent-value" {
			t.Errorf("%+v", s)
		}
	}
	drop(names[0])
	if s := p.shown(); s.Note != "" {
		t.Errorf("%q", s.Note)
	}
	p.do(chromedp.Click(chromedp.CSS("#clear")))
	drop(names...)
	if s := p.shown(); s.Note != "The page shows one file at a time. It shows one.json." {
		t.Errorf("%q", s.Note)
	}
	p.content()
}
