package report_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
)

// hostile returns a report with the text in every field that may come from the input.
func hostile(text string) *report.Report {
	return &report.Report{Command: "check", Error: text, Notes: []string{text}, Subjects: []report.Subject{
		{Group: text, Address: text, Action: text, Type: text, Status: report.Failed, Reason: text, Place: report.Place{File: text, Line: 1},
			Findings: []report.Finding{
				{Rule: objchange.RulePlanNotConfig, Path: text, Inside: text, Message: text, Severity: objchange.Rejected},
				{Rule: objchange.RulePlanNotConfig, Path: text, Message: text},
				{Rule: objchange.Rule("of-the-future" + text), Message: text, Severity: objchange.Rejected},
			}},
	}}
}

var hostileTexts = []string{
	"`", "``", "a`b``c```d", "`a", "a`", "```\ncode\n```", "~~~", "\n\n# heading\n\n", "\r\n- item", "| a | b |", "\\", "\\`",
	"</details>", "<script>alert(1)</script>", "<!--", "-->", "<![CDATA[", "]]>", "&lt;&#60;", "[a](http://b)", "![a](b)", "http://a.b", "www.a.b", "@everyone #1",
	"**a**", "_a_", "~~a~~", "  ", "\t", "a\n::error::no", "::error title=a,file=b::c", "%0A::error::no", "##[error]no", "\n##[set-env name=A;]b",
	"\u2028", "\u202e", "\x00", "\xff", "\x1b]8;;http://a\x07", ": ", ",", "$a$", "$$", "---", "===", "1. a", "> a", "    a",
}

// TestNoTextControlsATerminal checks that no text in a report controls a terminal, in any format.
func TestNoTextControlsATerminal(t *testing.T) {
	for _, text := range hostileTexts {
		for _, format := range report.Formats() {
			got := write(t, hostile(text), format, report.FailOnCore)
			at := bytes.IndexFunc(got, func(r rune) bool { return !strconv.IsPrint(r) && r != '\n' && r != '\t' })
			if at >= 0 || !utf8.Valid(got) {
				t.Errorf("%q in %s: %q", text, format, got[max(at, 0):])
			}
		}
	}
}

// structure returns the tree of a Markdown document. It includes code spans without their content.
func structure(source []byte) string {
	var b strings.Builder
	tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			b.WriteString(") ")
			return ast.WalkContinue, nil
		}
		b.WriteString(n.Kind().String() + "(")
		if n.Kind() == ast.KindCodeSpan {
			b.WriteString(") ")
			return ast.WalkSkipChildren, nil
		}
		if leaf, ok := n.(*ast.Text); ok {
			fmt.Fprintf(&b, "%q", leaf.Segment.Value(source))
		}
		if n.Type() == ast.TypeBlock && n.Kind() == ast.KindHTMLBlock {
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				fmt.Fprintf(&b, "%q", line.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// checkMarkdown fails if the text changes the structure of a report in Markdown.
func checkMarkdown(t *testing.T, text string) {
	t.Helper()
	plain, got := write(t, hostile("plain"), report.Markdown, report.FailOnCore), write(t, hostile(text), report.Markdown, report.FailOnCore)
	if strings.TrimSpace(text) == "" {
		got = bytes.ReplaceAll(got, []byte("–"), []byte("`plain`"))
	}
	if diff := cmp.Diff(structure(plain), structure(got)); diff != "" {
		t.Errorf("%q breaks out: %s\n%s", text, diff, got)
	}
}

func FuzzHostileMarkdown(f *testing.F) {
	for _, text := range append(hostileTexts, strings.Join(hostileTexts, ""), strings.Join(hostileTexts, "\n\n")) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text != "" && text != "-" { // an empty text or "-" has no code span
			checkMarkdown(t, text)
		}
	})
}

// A node is an element of an XML document, without its text.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []node     `xml:",any"`
}

// elements returns the tree of the names of elements and attributes.
func (n node) elements() string {
	text := n.XMLName.Local
	for _, a := range n.Attrs {
		text += " " + a.Name.Local
	}
	for _, child := range n.Children {
		text += "(" + child.elements() + ")"
	}
	return text
}

// TestNoTextEndsAJUnitElement checks that no text can end the element or attribute that contains it.
func TestNoTextEndsAJUnitElement(t *testing.T) {
	elements := func(text string) string {
		var n node
		written := write(t, hostile(text), report.JUnit, report.FailOnCore)
		dec := xml.NewDecoder(bytes.NewReader(written))
		if err := dec.Decode(&n); err != nil {
			t.Fatalf("%q: %v in\n%s", text, err, written)
		}
		if rest := written[dec.InputOffset():]; len(bytes.TrimSpace(rest)) > 0 {
			t.Errorf("%q: after the document: %s", text, rest)
		}
		return n.elements()
	}
	for _, text := range hostileTexts {
		if diff := cmp.Diff(elements("plain"), elements(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

var notShown = regexp.MustCompile(`(\d+) (findings?|subjects?|notes?) not shown, because the report would be too long`)

// TestMarkdownCountsWhatIsBeyondTheLimit checks that findings, subjects and notes beyond the limit are counted.
func TestMarkdownCountsWhatIsBeyondTheLimit(t *testing.T) {
	many := &report.Report{Command: "replay"}
	for i := range 2000 {
		many.Notes = append(many.Notes, "note")
		many.Subjects = append(many.Subjects, report.Subject{
			Document: strings.Repeat("ü", 300), Status: report.Skipped, Reason: "lost",
			Findings: []report.Finding{{Rule: objchange.Rules()[i%len(objchange.Rules())], Message: strings.Repeat("long ", 1000), Severity: objchange.Rejected}, {Message: "m"}},
		})
	}
	got := string(write(t, many, report.Markdown, report.FailOnCore))
	if len(got) > 60_000 || len(got) < 50_000 {
		t.Errorf("%d bytes", len(got))
	}
	shown := map[string]int{"finding": strings.Count(got, "**"), "subject": strings.Count(got, "- skipped"), "note": strings.Count(got, "- `note`")}
	shown["finding"] /= 2
	for _, m := range notShown.FindAllStringSubmatch(got, -1) {
		n, _ := strconv.Atoi(m[1])
		shown[strings.TrimSuffix(m[2], "s")] += n
	}
	if diff := cmp.Diff(map[string]int{"finding": 4000, "subject": 2000, "note": 2000}, shown); diff != "" {
		t.Error(diff)
	}
	if open, closed := strings.Count(got, "<details>"), strings.Count(got, "</details>"); open != closed {
		t.Errorf("%d details, %d of them closed", open, closed)
	}
}
