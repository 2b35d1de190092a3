package browser

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	permission "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

const recording = "../../cmd/objchange/testdata/example/recording/exchanges.jsonl"

// recorded are the lines of a recording: 1 and 2 are providers, 24 is the apply of one.
func recorded(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(string(text), "\n")
}

const applied = "ApplyResourceChange fw_inconsistent_value #1"

// TestRecording: a request is chosen of a recording, and what is broken in it is found.
func TestRecording(t *testing.T) {
	p, lines := open(t, served(t), ""), recorded(t)
	p.write("pasted", strings.Join(lines, ""))
	s := p.shown()
	if len(s.Choices) != 6 || s.Choices[0] != "11:47:07 PlanResourceChange sdk_inconsistent_key #1" || s.Parts["name"] != `"PlanResourceChange sdk_inconsistent_key #1"` {
		t.Errorf("%+v", s)
	}
	if s.Note != "No document speaks of 32 others. Documents have all values in clear, and so has a link to one." {
		t.Errorf("%q", s.Note)
	}
	p.choose("ApplyResourceChange sdk_inconsistent_key #1")
	if s = p.shown(); s.rules() != "inconsistent-key" || s.Parts["legacy_type_system"] != "true" || s.Marks[0].Part != "new" {
		t.Errorf("%+v", s)
	}
	p.choose(applied)
	if s = p.shown(); s.rules() != "inconsistent-value" || s.Parts["name"] != `"`+applied+`"` || !strings.Contains(s.Parts["final_config"], `"hush"`) || strings.Contains(s.Change, "hush") {
		t.Errorf("%+v", s)
	}
	p.choose("PlanResourceChange fw_inconsistent_value #2")
	if s = p.shown(); s.Parts["name"] != `"PlanResourceChange fw_inconsistent_value #2"` || s.Parts["initial_planned"] == "" || len(s.Violations) > 0 {
		t.Errorf("%+v", s)
	}
	p.content()
}

// TestRecordedLines: some lines of a recording will do, as they come, however large the
// schemas are, and what is missing is told.
func TestRecordedLines(t *testing.T) {
	p, lines := open(t, served(t), ""), recorded(t)
	for _, step := range []struct{ name, pasted, note, document string }{
		{"the line of a request", lines[24], "The line of the provider registry.terraform.io/hashicorp/fw is missing, which has the schemas: add it.", ""},
		{"those of providers, large", strings.Replace(lines[1]+lines[2], `{"kind"`, `{"more":"`+strings.Repeat("x", 5<<20)+`","kind"`, 1), "all values in clear", applied},
		{"what is no line", lines[24] + "{\n", "A line cannot be read.", applied},
	} {
		p.write("pasted", step.pasted)
		if s := p.shown(); !strings.Contains(s.Note, step.note) || strings.Trim(s.Parts["name"], `"`) != step.document || (s.rules() == "inconsistent-value") != (step.document != "") {
			t.Errorf("%s: %+v", step.name, s)
		}
	}
	for _, step := range []struct{ name, pasted, note string }{
		{"no request", lines[1], "The line of the provider is there: add those of requests."},
		{"no resource", lines[1] + lines[3], "No document speaks of these requests: they neither plan or apply"},
		{"cut", lines[1] + lines[2] + strings.Replace(lines[24], `"requests"`, `"cut":true,"no"`, 1), "There is no document of this one: it is too large to have been recorded whole."},
		{"redacted", lines[1] + lines[2] + strings.Replace(lines[24], `"requests"`, `"dropped":"not understood","no"`, 1), "There is no document of this one: its messages were dropped to redact it: not understood."},
		{"of no protocol", strings.ReplaceAll(lines[1]+lines[2]+lines[24], `"protocol":6`, `"protocol":7`), "It cannot be used: protocol 7 is neither 5 nor 6"},
	} {
		p.do(chromedp.Click(chromedp.CSS("#clear")))
		p.write("pasted", step.pasted)
		if s := p.shown(); !strings.Contains(s.Note, step.note) || len(s.Parts) > 0 {
			t.Errorf("%s: %+v", step.name, s)
		}
	}
	p.content()
}

// TestDrop: a file that is dropped is taken as one that is opened.
func TestDrop(t *testing.T) {
	p := open(t, served(t), "")
	name, err := filepath.Abs(recording)
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, input.DispatchDragEvent, input.DispatchDragEventParams{
				Type: event, X: 200, Y: 300, Data: &input.DragData{Items: []*input.DragDataItem{}, Files: []string{name}, DragOperationsMask: 1},
			})
			return err
		}))
	}
	p.do(chromedp.WaitReady(chromedp.CSS("#resource option")))
	p.answered()
	p.choose(applied)
	if s := p.shown(); s.rules() != "inconsistent-value" {
		t.Errorf("%+v", s)
	}
	p.content()
}

// TestCopy: the link is copied where that is allowed, and in the address bar anyway.
func TestCopy(t *testing.T) {
	home := served(t)
	for setting, said := range map[permission.PermissionSetting]string{
		permission.PermissionSettingGranted: "The link is in the address bar and copied.",
		permission.PermissionSettingDenied:  "The link is in the address bar.",
	} {
		p := tab(t, home)
		for _, name := range []string{"clipboard-write", "clipboard-read"} {
			p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
				_, err := cdp.Call(ctx, t, permission.SetPermission, permission.SetPermissionParams{
					Permission: &permission.PermissionDescriptor{Name: name}, Setting: setting, Origin: home,
				})
				return err
			}))
		}
		p.visit("#rule=plan-not-config")
		p.do(chromedp.Click(chromedp.CSS("#link")), chromedp.WaitReady(chromedp.CSS("#linked:not(:empty)")))
		address := js[string](p, `location.href`)
		if s := p.shown(); s.Linked != said || !strings.Contains(address, "#doc=") {
			t.Errorf("%s: %q at %s", setting, s.Linked, address)
		}
		if setting == permission.PermissionSettingGranted {
			if copied := js[string](p, `navigator.clipboard.readText()`); copied != address {
				t.Errorf("copied %q, want %q", copied, address)
			}
		}
		p.content()
	}
}
