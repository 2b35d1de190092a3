package main

import (
	"bytes"
	"testing"

	"github.com/objchange/objchange/conformance"
)

func written(t *testing.T, seed uint64, resources int) (text []byte, all []*conformance.Case) {
	t.Helper()
	var b bytes.Buffer
	w := conformance.NewWriter(&b, conformance.MessagePack{}, true)
	for c := range generated(seed, resources) {
		if err := w.Write(c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return b.Bytes(), all
}

// TestGenerate checks that the same seed gives the same cases, that a larger number of
// resources starts with the same cases, and that decoding a case returns the same arguments.
func TestGenerate(t *testing.T) {
	text, cases := written(t, 7, 40)
	again, _ := written(t, 7, 40)
	if !bytes.Equal(text, again) {
		t.Error("the same seed generated other cases")
	}
	if fewer, _ := written(t, 7, 10); !bytes.HasPrefix(text, fewer) {
		t.Error("a smaller number generated other resources")
	}
	asked, rejected := map[conformance.Op]int{}, map[conformance.Op]int{}
	names := map[string]bool{}
	i := 0
	for c, err := range conformance.Read(bytes.NewReader(text), conformance.MessagePack{}) {
		if err != nil {
			t.Fatal(err)
		}
		for name, v := range cases[i].In {
			if !v.RawEquals(c.In[name]) {
				t.Errorf("%s: %s was written as %#v and read as %#v", c.Name(), name, v, c.In[name])
			}
		}
		if j := c.Compare(conformance.Answer(c)); j.Verdict != conformance.VerdictSame {
			t.Errorf("%s: the verdict for the answer of the library is %q: %v", c.Name(), j.Verdict, j.Missing)
		}
		if i++; len(c.Expected().Problems) > 0 {
			rejected[c.Op]++
		}
		if asked[c.Op]++; names[c.Name()] {
			t.Errorf("two cases have the name %s", c.Name())
		}
		names[c.Name()] = true
	}
	if i != len(cases) {
		t.Errorf("%d cases were written and %d read", len(cases), i)
	}
	// A check needs many accepted and many rejected cases.
	for _, op := range conformance.Ops() {
		if share := 100 * rejected[op] / max(1, asked[op]); asked[op] < 30 || op.Checks() && (share < 20 || share > 80) {
			t.Errorf("%s: %d cases, of which %d %% are rejected", op, asked[op], share)
		}
	}
}
