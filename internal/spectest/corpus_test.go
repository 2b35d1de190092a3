package spectest

import (
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/objchange/objchange/conformance"
)

// The corpus contains about forty thousand recorded results of Terraform Core.

// eachCase ranges over the corpus and over the cases in the files that match the pattern in
// OBJCHANGE_VECTORS. The pattern is relative to the root of the repository. These files contain
// cases with schemas of third parties, which are not part of the repository.
func eachCase(t testing.TB) iter.Seq[*conformance.Case] {
	t.Helper()
	pattern := os.Getenv("OBJCHANGE_VECTORS")
	if pattern != "" && !filepath.IsAbs(pattern) {
		pattern = filepath.Join("../..", pattern)
	}
	more, err := filepath.Glob(pattern)
	if err != nil || pattern != "" && more == nil {
		t.Fatalf("OBJCHANGE_VECTORS: no files %q: %v", pattern, err)
	}
	return func(yield func(*conformance.Case) bool) {
		cases := []iter.Seq2[*conformance.Case, error]{conformance.Cases()}
		for _, file := range more {
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			cases = append(cases, conformance.Read(f, conformance.MessagePack{}))
		}
		for _, all := range cases {
			for c, err := range all {
				if err != nil {
					t.Fatal(err)
				}
				if !yield(c) {
					return
				}
			}
		}
	}
}

// TestLibraryReturnsRecordedResults checks that the library returns each recorded result, that the corpus has the
// documented number of cases, and that it has cases for all cells.
func TestLibraryReturnsRecordedResults(t *testing.T) {
	cases, derived, counted := 0, 0, counter{}
	for c := range eachCase(t) {
		if c.File != "" { // of the corpus
			cases++
			if c.Op == conformance.OpComputed {
				derived++
			}
			counted.add(c)
		}
		got := conformance.Answer(c)
		if j := c.Compare(got); j.Verdict != conformance.VerdictSame {
			t.Errorf("%s: %s\n got %#v %v\nwant %#v %v\n  of %#v", c.Name(), j.Verdict, got.Value, j.Surplus, j.Want.Value, j.Missing, c.In)
		}
	}
	if cases-derived != 47228 || derived != 5632 {
		t.Errorf("found %d recorded cases and %d derived cases", cases-derived, derived)
	}
	checkCells(t, counted)
}
