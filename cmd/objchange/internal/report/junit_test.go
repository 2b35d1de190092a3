package report_test

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// An element is what the schema says of one: that of Jenkins (jenkins-junit.xsd),
// which other programs take as well. There is no validator for it in Go that needs
// nothing else.
type element struct {
	required, optional []string // attributes
	children           []string
	text               bool
}

var junitSchema = map[string]element{
	"testsuites": {optional: []string{"name", "time", "tests", "failures", "disabled", "errors"}, children: []string{"testsuite"}},
	"testsuite": {
		required: []string{"name", "tests"},
		optional: []string{"failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id", "package"},
		children: []string{"testsuite", "properties", "testcase", "system-out", "system-err"},
	},
	"testcase": {
		required: []string{"name", "classname"}, optional: []string{"assertions", "time", "status"},
		children: []string{"skipped", "error", "failure", "system-out", "system-err"},
	},
	"skipped":    {optional: []string{"message"}, text: true},
	"error":      {optional: []string{"type", "message"}, text: true},
	"failure":    {optional: []string{"type", "message"}, text: true},
	"system-out": {text: true},
	"system-err": {text: true},
}

// attributeTypes are those of attributes that are not any text.
var attributeTypes = map[string]*regexp.Regexp{
	"tests": regexp.MustCompile(`^\d+$`), "failures": regexp.MustCompile(`^\d+$`), "errors": regexp.MustCompile(`^\d+$`),
	"skipped": regexp.MustCompile(`^\d+$`), "id": regexp.MustCompile(`^\d+$`), "time": regexp.MustCompile(`^\d+(\.\d+)?$`),
}

// A node is an element of a document.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []node     `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (n node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// count returns how many elements of the name there are at and below the node.
func (n node) count(name string) (count int) {
	if n.XMLName.Local == name {
		count++
	}
	for _, child := range n.Children {
		count += child.count(name)
	}
	return count
}

// invalid returns what is wrong with the node by the schema.
func (n node) invalid() (wrong []string) {
	name := n.XMLName.Local
	schema, known := junitSchema[name]
	if !known {
		return []string{"there is an element " + name}
	}
	for _, attr := range schema.required {
		if n.attr(attr) == "" {
			wrong = append(wrong, name+" lacks "+attr)
		}
	}
	for _, a := range n.Attrs {
		if !slices.Contains(slices.Concat(schema.required, schema.optional), a.Name.Local) {
			wrong = append(wrong, name+" has "+a.Name.Local)
		}
		if ty := attributeTypes[a.Name.Local]; ty != nil && !ty.MatchString(a.Value) {
			wrong = append(wrong, a.Name.Local+" is "+strconv.Quote(a.Value))
		}
	}
	if !schema.text && strings.TrimSpace(n.Text) != "" {
		wrong = append(wrong, name+" has text")
	}
	for _, child := range n.Children {
		if !slices.Contains(schema.children, child.XMLName.Local) {
			wrong = append(wrong, child.XMLName.Local+" in "+name)
		}
		wrong = append(wrong, child.invalid()...)
	}
	return wrong
}

// miscounted returns what does not count what there is, and which two cases have
// one name.
func (n node) miscounted() (wrong []string) {
	for attr, name := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error"} {
		if got, _ := strconv.Atoi(n.attr(attr)); got != n.count(name) {
			wrong = append(wrong, attr+" of "+n.attr("name"))
		}
	}
	seen := map[string]bool{}
	for _, child := range n.Children {
		id := child.attr("classname") + " " + child.attr("name")
		if child.XMLName.Local == "testcase" && seen[id] {
			wrong = append(wrong, "two of "+id)
		}
		seen[id] = true
		if child.XMLName.Local == "testsuite" {
			wrong = append(wrong, child.miscounted()...)
		}
	}
	return wrong
}

func parseXML(t *testing.T, text []byte) (n node) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&n); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if rest := text[dec.InputOffset():]; len(bytes.TrimSpace(rest)) > 0 {
		t.Errorf("after the document: %s", rest)
	}
	return n
}

// TestJUnitSchema holds the format to its schema, whatever is in a message.
func TestJUnitSchema(t *testing.T) {
	failed, again := sample(), sample()
	failed.Error = "an error"
	for i := range again.Subjects { // the same requests in other lines
		s := again.Subjects[i]
		s.Place.Line += 100
		again.Subjects = append(again.Subjects, s)
	}
	reports := []*report.Report{sample(), failed, again, {Command: "check"}}
	for _, text := range hostileTexts {
		reports = append(reports, hostile(text))
	}
	for _, r := range reports {
		for _, on := range []report.FailOn{report.FailOnCore, report.FailOnAll} {
			n := parseXML(t, write(t, r, report.JUnit, on))
			if wrong := append(n.invalid(), n.miscounted()...); wrong != nil {
				t.Errorf("%q in\n%s", wrong, write(t, r, report.JUnit, on))
			}
		}
	}
	if n := parseXML(t, []byte(`<testsuites skipped="1">a<testsuite tests="x"/></testsuites>`)); len(n.invalid()) != 4 {
		t.Errorf("not all is found: %q", n.invalid())
	}
}

// TestJUnitNames: what audit judges has a name of its own, which lines have no part
// in.
func TestJUnitNames(t *testing.T) {
	for command, want := range map[string]string{
		"audit": `name="time_sleep.a update"`, "replay": `name="time_sleep.a update (line 7)"`, "check": `name="time_sleep.a update (line 7)"`,
	} {
		r := &report.Report{Command: command, Subjects: []report.Subject{{
			Address: "time_sleep.a", Action: "update", Status: report.Judged, Place: report.Place{File: "plan.json", Line: 7, Column: 3},
		}}}
		if got := string(write(t, r, report.JUnit, report.FailOnCore)); !strings.Contains(got, want) {
			t.Errorf("%s: no %s in\n%s", command, want, got)
		}
	}
}
