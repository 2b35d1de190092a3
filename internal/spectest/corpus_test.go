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
			cases = append(cases, conformance.ReadCompressed(f))
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

// TestRecordedResults checks that the library returns each recorded result.
// TestRecordedResults checks that the library returns each recorded result.
func TestRecordedResults(t *testing.T) {
	counts := map[conformance.Op]int{}
	for c := range eachCase(t) {
		counts[c.Op]++
		t.Run(c.Name(), func(t *testing.T) {
			got := conformance.Answer(c)
			j := c.Compare(got)
			if j.Verdict == conformance.VerdictSame {
				return
			}
			for name, v := range c.In {
				t.Logf("%s: %#v", name, v)
			}
			t.Errorf("%s\n got %#v %v\nwant %#v %v", j.Verdict, got.Value, j.Surplus, j.Want.Value, j.Missing)
		})
	}
	t.Log(counts)
}
