package conformance_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/objchange/objchange/conformance"
)

func generated(t *testing.T, seed uint64, resources int) (text []byte, all []*conformance.Case) {
	t.Helper()
	var b bytes.Buffer
	w := conformance.NewWriter(&b, conformance.MessagePack{}, true)
	for c := range conformance.Generate(seed, resources) {
		if err := w.Write(c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return b.Bytes(), all
}

// Cases are the same for the same seed, more of them begin with the same, and they are
// read as they were written.
func TestGenerate(t *testing.T) {
	text, cases := generated(t, 7, 100)
	again, _ := generated(t, 7, 100)
	if !bytes.Equal(text, again) {
		t.Error("the same seed made other cases")
	}
	if fewer, _ := generated(t, 7, 50); !bytes.HasPrefix(text, fewer) {
		t.Error("fewer resources are others")
	}
	if other, _ := generated(t, 8, 1); bytes.HasPrefix(text, other) {
		t.Error("another seed made the same case")
	}
	asked, rejected := map[conformance.Op]int{}, map[conformance.Op]int{}
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
		if j := c.Judge(conformance.Ask(c)); j.Verdict != conformance.VerdictSame {
			t.Errorf("%s: our own answer is %q: %v", c.Name(), j.Verdict, j.Missing)
		}
		if i++; len(c.Right().Problems) > 0 {
			rejected[c.Op]++
		}
		asked[c.Op]++
	}
	if i != len(cases) {
		t.Errorf("%d cases were written and %d read", len(cases), i)
	}
	// Both answers must be frequent, or nothing is found out by asking.
	for _, op := range conformance.Ops() {
		if share := 100 * rejected[op] / max(1, asked[op]); asked[op] < 50 || op.Checks() && (share < 20 || share > 80) {
			t.Errorf("%s: %d cases, of which %d %% are rejected", op, asked[op], share)
		}
	}
	t.Log(asked, rejected)
}

// No two cases have one name.
func TestGeneratedNames(t *testing.T) {
	_, cases := generated(t, 1, 100)
	var names []string
	for _, c := range cases {
		names = append(names, c.Name())
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(cases) {
		t.Error("two cases have one name")
	}
}
