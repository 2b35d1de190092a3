package browser

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

const recording = "../../objchange/testdata/example/recording/exchanges.jsonl"

// recorded returns the lines of a recording. Lines 1 and 2 are providers, and line 24 is an apply
// of the second one.
func recorded(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(string(text), "\n")
}

const applied = "ApplyResourceChange fw_inconsistent_value #1"

// TestRecording checks that the requests of a recording are checked, and that the first one with a
// violation is chosen and its violation shown.
func TestRecording(t *testing.T) {
	p, lines := open(t, served(t), ""), recorded(t)
	p.write("pasted", strings.Join(lines, ""))
	s := p.shown()
	want := []string{
		"11:47:07 PlanResourceChange sdk_inconsistent_key #1 · ok",
		"11:47:07 PlanResourceChange fw_inconsistent_value #1 · ok",
		"11:47:07 PlanResourceChange sdk_inconsistent_key #2 · ok",
		`11:47:07 ApplyResourceChange sdk_inconsistent_key #1 "faulty-1" · ok, 1 tolerated`,
		"11:47:07 PlanResourceChange fw_inconsistent_value #2 · ok",
		`11:47:07 ApplyResourceChange fw_inconsistent_value #1 "fw_inconsistent_value-1" · ✗ inconsistent-value`,
	}
	if !slices.Equal(s.Choices, want) || s.Chosen != want[5] || s.Parts["name"] != `"`+applied+`"` || s.rules() != "inconsistent-value" || s.Status != "1 violation." {
		t.Errorf("%+v", s)
	}
	if s.Note != "32 other requests cannot be shown as documents. Documents and links to them contain all values in clear text. Requests checked: 6. With findings that count: 1." {
		t.Errorf("%q", s.Note)
	}
	p.choose("ApplyResourceChange sdk_inconsistent_key #1")
	if s = p.shown(); s.rules() != "inconsistent-key" || s.Status != "No violation that counts, 1 tolerated." || s.Parts["legacy_type_system"] != "true" || s.Marks[0].Part != "new" {
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

// TestRecordedLines checks that single lines of a recording can be used, for schemas of any size,
// and that missing lines are reported.
func TestRecordedLines(t *testing.T) {
	p, lines := open(t, served(t), ""), recorded(t)
	for _, step := range []struct{ name, pasted, note, document string }{
		{"the line of a request", lines[24], "The line of the provider registry.terraform.io/hashicorp/fw is missing. It contains the schemas: add it.", ""},
		{"those of providers, large", strings.Replace(lines[1]+lines[2], `{"kind"`, `{"more":"`+strings.Repeat("x", 5<<20)+`","kind"`, 1), "all values in clear text", applied},
		{"what is no line", lines[24] + "{\n", "Line 2 cannot be read. Documents", applied},
		{"no text as the time", lines[24] + strings.Replace(lines[24], `"time":`, `"time":7,"was":`, 1), "Line 2 cannot be read. Documents", applied},
		{"what is torn", lines[24] + lines[24][:40], "The last line, line 2, is incomplete. Documents", applied},
	} {
		p.write("pasted", step.pasted)
		if s := p.shown(); !strings.Contains(s.Note, step.note) || strings.Trim(s.Parts["name"], `"`) != step.document || (s.rules() == "inconsistent-value") != (step.document != "") {
			t.Errorf("%s: %+v", step.name, s)
		}
	}
	for _, step := range []struct{ name, pasted, note string }{
		{"no request", lines[1], "The line of the provider is present: add lines of requests."},
		{"only its beginning", lines[0], "The first line of a recording is present: add lines of a provider and of requests."},
		{"no resource", lines[1] + lines[3], "These requests cannot be shown as documents: they do not plan, apply"},
		{"cut", lines[1] + lines[2] + strings.Replace(lines[24], `"requests"`, `"cut":true,"no"`, 1), "This request has no document: it was too large to be recorded completely."},
		{"redacted", lines[1] + lines[2] + strings.Replace(lines[24], `"requests"`, `"dropped":"not understood","no"`, 1), "This request has no document: its messages were dropped to redact it: not understood."},
		{"of no protocol", strings.ReplaceAll(lines[1]+lines[2]+lines[24], `"protocol":6`, `"protocol":7`), "The request cannot be used: protocol 7 is neither 5 nor 6"},
	} {
		p.do(chromedp.Click(chromedp.CSS("#clear")))
		p.write("pasted", step.pasted)
		if s := p.shown(); !strings.Contains(s.Note, step.note) || len(s.Parts) > 0 {
			t.Errorf("%s: %+v", step.name, s)
		}
	}
	p.content()
}

// TestRecordingAnew checks that a recording replaces another one, that lines without the first one
// are added, and that the given request is shown.
func TestRecordingAnew(t *testing.T) {
	p, lines := open(t, served(t), ""), recorded(t)
	whole := strings.Join(lines, "")
	redacted := strings.Replace(lines[0], `"1.0"`, `"1.0","redacted":true`, 1)
	for _, step := range []struct {
		name, pasted string
		choices      int
		document     string
	}{
		{"one", lines[0] + lines[1] + lines[13], 1, "PlanResourceChange sdk_inconsistent_key #1"},
		{"another", lines[0] + lines[2] + lines[14] + lines[23], 2, "PlanResourceChange fw_inconsistent_value #1"},
		{"a line of it", lines[24], 3, applied},
		{"one that is there", lines[23], 3, "PlanResourceChange fw_inconsistent_value #2"},
		{"its provider", lines[2], 3, "PlanResourceChange fw_inconsistent_value #2"},
		{"all of it", whole, 6, applied},
		{"all of it again", whole, 6, applied},
		{"the first line", lines[0], 0, ""},
		{"a document", `{"name": "it", "schema": {}}`, 0, "it"},
		{"a line, after that", lines[2] + lines[24], 1, applied},
		{"several documents", "{\"schema\": {}}\n{\"schema\": {}}\n", 0, ""},
		{"a line, after those", lines[2] + lines[23], 1, "PlanResourceChange fw_inconsistent_value #1"},
		{"a redacted one", redacted + lines[2] + lines[24], 1, applied},
	} {
		p.write("pasted", step.pasted)
		if s := p.shown(); len(s.Choices) != step.choices || strings.Trim(s.Parts["name"], `"`) != step.document {
			t.Errorf("%s: %q is shown of %q", step.name, s.Parts["name"], s.Choices)
		}
		if step.name == "several documents" {
			p.do(chromedp.Click(chromedp.CSS(`#clear`)))
		}
	}
	if s := p.shown(); !strings.HasPrefix(s.Note, "The recording is redacted: ") || strings.Contains(s.Note, "in clear") {
		t.Errorf("redacted: %q", s.Note)
	}
	p.content()
}

// TestDrop checks that a dropped file is handled in the same way as an opened file.
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
