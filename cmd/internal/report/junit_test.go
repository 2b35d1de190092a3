package report_test

import (
	"bytes"
	"encoding/xml"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/cmd/internal/report"
)

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

// TestHostileJUnit checks that no text can end the element or attribute that contains it.
func TestHostileJUnit(t *testing.T) {
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
