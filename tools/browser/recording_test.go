package browser

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// TestRecording: the requests of a recording are judged, the first broken one is chosen,
// and what is broken in it is found.
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
	if s.Note != "No document speaks of 32 others. Documents have all values in clear, and so has a link to one. Of 6 that were judged, 1 is broken." {
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

// TestRecordedLines: some lines of a recording will do, as they come, however large the
// schemas are, and what is missing is told.
func TestRecordedLines(t *testing.T) {
	p, lines := open(t, served(t), ""), recorded(t)
	for _, step := range []struct{ name, pasted, note, document string }{
		{"the line of a request", lines[24], "The line of the provider registry.terraform.io/hashicorp/fw is missing, which has the schemas: add it.", ""},
		{"those of providers, large", strings.Replace(lines[1]+lines[2], `{"kind"`, `{"more":"`+strings.Repeat("x", 5<<20)+`","kind"`, 1), "all values in clear", applied},
		{"what is no line", lines[24] + "{\n", "Line 2 cannot be read. Documents", applied},
		{"no text as the time", lines[24] + strings.Replace(lines[24], `"time":`, `"time":7,"was":`, 1), "Line 2 cannot be read. Documents", applied},
		{"what is torn", lines[24] + lines[24][:40], "The last line, 2, is not whole. Documents", applied},
	} {
		p.write("pasted", step.pasted)
		if s := p.shown(); !strings.Contains(s.Note, step.note) || strings.Trim(s.Parts["name"], `"`) != step.document || (s.rules() == "inconsistent-value") != (step.document != "") {
			t.Errorf("%s: %+v", step.name, s)
		}
	}
	for _, step := range []struct{ name, pasted, note string }{
		{"no request", lines[1], "The line of the provider is there: add those of requests."},
		{"only its beginning", lines[0], "The first line of a recording is there: add those of a provider and of requests."},
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

// TestSurvey: what the user has chosen stays, what the judging takes is bounded, and it
// ends when something else is given.
func TestSurvey(t *testing.T) {
	p, lines := open(t, served(t), ""), recorded(t)
	const last = "PlanResourceChange sdk_inconsistent_key #1"
	for name, does := range map[string]string{
		"chooses": `document.getElementById("resource").value = 0; document.getElementById("resource").dispatchEvent(new Event("change"))`,
		"edits":   `document.getElementById("part-name").value = '"` + last + `"'; document.getElementById("part-name").dispatchEvent(new Event("input"))`,
	} {
		p.do(chromedp.Click(chromedp.CSS("#clear")))
		p.write("pasted", lines[0]+lines[1]+lines[13])
		p.run(typed("pasted", strings.Join(lines, "")) + does)
		p.answered()
		if s := p.shown(); s.Parts["name"] != `"`+last+`"` || !strings.HasSuffix(s.Choices[5], "✗ inconsistent-value") {
			t.Errorf("the user %s: %+v", name, s)
		}
	}
	p.do(chromedp.Click(chromedp.CSS("#clear")))
	p.run(typed("pasted", strings.Join(lines, "")) + `; location.hash = "rule=plan-not-config"`)
	p.do(chromedp.WaitReady(chromedp.CSS(`#violations li[data-rule="plan-not-config"]`)))
	p.answered()
	if s := p.shown(); len(s.Choices) > 0 || s.Note != "" || s.rules() != "plan-not-config" {
		t.Errorf("another is given: %+v", s)
	}
	large := strings.Replace(lines[2], `{"kind"`, `{"more":"`+strings.Repeat("x", 16<<20)+`","kind"`, 1)
	p.write("pasted", lines[0]+large+lines[14]+lines[23]+lines[24])
	if s := p.shown(); s.rules() != "inconsistent-value" || !strings.HasSuffix(s.Note, "Of 3 that were judged, 1 is broken.") {
		t.Errorf("large schemas: %+v", s)
	}
	for _, i := range []int{14, 23, 24} {
		lines[i] = strings.Replace(lines[i], `{"kind"`, `{"more":"`+strings.Repeat("x", 600<<10)+`","kind"`, 1)
	}
	p.write("pasted", lines[0]+large+lines[14]+lines[23]+lines[24])
	const note = "Of 2 that were judged, none is broken. The others are too large to be judged here in one go: objchange replay names those that are broken."
	if s := p.shown(); !strings.HasSuffix(s.Note, note) || !strings.HasSuffix(s.Choices[1], "· ok") || strings.Contains(s.Choices[2], "·") {
		t.Errorf("too large: %+v", s)
	}
	p.content()
}

// TestNumbers: each request has its number, in whichever order they are asked about.
func TestNumbers(t *testing.T) {
	p, lines := open(t, served(t), ""), recorded(t)
	unanswered, _, _ := strings.Cut(lines[14], `"responses":`)
	unanswered += `"status":{"code":14,"name":"UNAVAILABLE"}}` + "\n"
	whole := lines[0] + lines[2]
	var want []string
	for i := range 70 {
		line := lines[14]
		if name := "11:47:07 PlanResourceChange fw_inconsistent_value"; i == 3 {
			line = unanswered
			want = append(want, name+" · no document")
		} else {
			want = append(want, fmt.Sprintf("%s #%d · ok", name, len(want)+1-min(1, i/4)))
		}
		whole += strings.Replace(line, `"time":"2026-11-22T11:47:07.`, fmt.Sprintf(`"time":"2026-11-22T11:47:07.%02d`, i), 1)
	}
	p.run(typed("pasted", whole) + `; document.getElementById("resource").value = 37; document.getElementById("resource").dispatchEvent(new Event("change"))`)
	p.answered()
	if s := p.shown(); !slices.Equal(s.Choices, want) || s.Parts["name"] != `"PlanResourceChange fw_inconsistent_value #37"` || !strings.HasSuffix(s.Note, "Of 69 that were judged, none is broken.") {
		t.Errorf("%q is shown of %q, %q", s.Parts["name"], s.Choices, s.Note)
	}
	for _, end := range []string{"#1 ", "#31 ", "#33 ", "#69 "} {
		p.choose(end)
		if s := p.shown(); s.Parts["name"] != `"PlanResourceChange fw_inconsistent_value `+strings.TrimSpace(end)+`"` {
			t.Errorf("%s: %s", end, s.Parts["name"])
		}
	}
	p.content()
}

// TestAlone: requests whose documents are too large together are asked about one by one.
func TestAlone(t *testing.T) {
	field := func(number byte, content string) string { // of a protobuf message
		return string(binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(content)))) + content
	}
	encoded := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	attribute := field(1, strings.Repeat("a", 1<<20)) + field(2, `"string"`)
	whole := fmt.Sprintf(`{"kind":"provider","address":"p","protocol":6,"schemas":[{"method":"/tfplugin6.Provider/GetProviderSchema","response":%q}]}`,
		encoded(field(2, field(1, "t")+field(2, field(2, field(2, attribute))))))
	for i := range 32 { // of which 31 are in 32 MB
		whole += fmt.Sprintf("\n"+`{"kind":"rpc","time":"2026-11-22T00:00:%02dZ","provider":"p","method":"/tfplugin6.Provider/ReadResource","type":"t","requests":[%q],"responses":[%q]}`,
			i, encoded(field(1, "t")+field(2, field(1, "\xc0"))), encoded(field(1, field(1, "\xc0"))))
	}
	p := open(t, served(t), "")
	_ = js[int](p, `(async () => {
		const { Recording } = await import("./recording.js");
		const recording = new Recording();
		recording.add(`+fmt.Sprintf("%q", whole)+`);
		for (const [n, number] of [[0, 1], [30, 31], [31, 32]]) {
			const made = await recording.document(n);
			if (!made.document.includes("ReadResource t #" + number)) throw new Error(made.document.slice(0, 200));
		}
		return 0;
	})()`)
}

// TestRefused: of a request that the provider refused, not all is well.
func TestRefused(t *testing.T) {
	p, lines := open(t, served(t), ""), recorded(t)
	before, _, _ := strings.Cut(lines[23], `"responses":`)
	p.write("pasted", lines[0]+lines[2]+before+`"responses":["IgIIAQ=="]}`+"\n") // a diagnostic that is an error
	s := p.shown()
	if s.Status != "No violations in what is there: the provider returned an error: there is no plan." || s.Class != "mild" ||
		len(s.Choices) != 1 || !strings.HasSuffix(s.Choices[0], "· the provider returned an error: there is no plan") {
		t.Errorf("%+v", s)
	}
	p.do(chromedp.Click(chromedp.CSS("#clear")))
	if s = p.shown(); s.Class != "" {
		t.Errorf("%+v", s)
	}
	p.content()
}

// TestRecordingAnew: a recording is not merged into another one, lines without the first
// one are added, and what was given is shown.
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

// TestFiles: a file can be opened again, and of two recordings one is taken.
func TestFiles(t *testing.T) {
	p, lines, dir := open(t, served(t), ""), recorded(t), t.TempDir()
	files := map[string]string{
		"a.jsonl": lines[0] + lines[1] + lines[13],
		"b.jsonl": lines[0] + lines[2] + lines[24],
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open := func(names ...string) shown {
		for i := range names {
			names[i] = filepath.Join(dir, names[i])
		}
		p.do(chromedp.Click(chromedp.CSS("#clear")), chromedp.SetUploadFiles(chromedp.CSS("#file"), names), chromedp.WaitReady(chromedp.CSS("#chosen:not([hidden])")))
		p.answered()
		return p.shown()
	}
	for range 2 {
		if s := open("a.jsonl"); len(s.Choices) != 1 || js[string](p, `document.getElementById("file").value`) != "" {
			t.Errorf("%+v", s)
		}
	}
	if s := open("a.jsonl", "b.jsonl"); len(s.Choices) != 1 || s.rules() != "inconsistent-value" || !strings.HasPrefix(s.Note, "One recording is taken at a time: this is the last of them.") {
		t.Errorf("%+v", s)
	}
	p.content()
}

// TestAddress: the address bar has no link to what is no longer shown, and a link takes
// the place of a recording.
func TestAddress(t *testing.T) {
	p, lines := open(t, served(t), ""), recorded(t)
	whole := strings.Join(lines, "")
	link := func() string {
		p.run(`document.getElementById("link").click()`)
		p.do(chromedp.WaitReady(chromedp.CSS("#linked:not(:empty)")))
		return js[string](p, `location.hash`)
	}
	p.write("pasted", whole)
	doc := link()
	if !strings.HasPrefix(doc, "#doc=") {
		t.Fatal(doc)
	}
	for name, does := range map[string]func(){
		"chosen":  func() { p.choose("PlanResourceChange fw") },
		"edited":  func() { p.write("part-name", `"other"`) },
		"pasted":  func() { p.write("pasted", whole) },
		"cleared": func() { p.do(chromedp.Click(chromedp.CSS("#clear"))) },
	} {
		link()
		does()
		if hash := js[string](p, `location.hash`); hash != "" {
			t.Errorf("%s: %s", name, hash)
		}
	}
	p.write("pasted", whole)
	p.run(`location.hash = "` + doc + `"`)
	p.do(chromedp.WaitReady(chromedp.CSS("#chosen[hidden]")), chromedp.WaitReady(chromedp.CSS("#violations li")))
	p.answered()
	if s := p.shown(); s.Note != "" || s.Parts["name"] != `"`+applied+`"` || js[string](p, `location.hash`) != doc {
		t.Errorf("%+v", s)
	}
	p.write("pasted", lines[24])
	if s := p.shown(); len(s.Choices) != 1 {
		t.Errorf("a line after a link: %q", s.Choices)
	}
	p.content()
}

// TestDocumentsOfReplay: what objchange replay --documents prints is taken.
func TestDocumentsOfReplay(t *testing.T) {
	p := open(t, served(t), "")
	documents, err := exec.Command(filepath.Join(folder(t), "objchange"), "replay", "--documents", recording).Output()
	if err != nil {
		t.Fatal(err)
	}
	p.write("pasted", string(documents))
	if s := p.shown(); len(s.Choices) > 0 || s.Status != "1 violation, 1 tolerated." || len(s.Marks) != 2 {
		t.Errorf("%+v", s)
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
