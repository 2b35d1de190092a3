package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const head = `package objchange

type kind uint8

const (
	one kind = iota + 1
	two
)

func g(...any) bool { return one < two }
`

func TestMutants(t *testing.T) {
	tests := []struct {
		body string
		want []string
	}{
		{"if x {\n}", []string{"x → false", "x → true"}},
		{"if !x {\n}", []string{"!x → false", "!x → true"}},
		// What others tell is left out: that a conjunction always holds, or that a part never does.
		{"if x && y {\n}", []string{"x && y → false", "x → true", "y → true"}},
		{"if x || y {\n}", []string{"x || y → true", "x → false", "y → false"}},
		{"if x && (y || z) {\n}", []string{"x && (y || z) → false", "x → true", "y || z → true", "y → false", "z → false"}},
		{"if !(x && y) {\n}", []string{"!(x && y) → false", "!(x && y) → true", "x → true", "y → true"}},
		{"if a == b {\n}", []string{"a == b → false", "a == b → true"}},
		{"if a < b {\n}", []string{"a < b → a <= b", "a < b → false", "a < b → true"}},
		{"if len(s) > 0 {\n}", []string{"0 → 0 + 1", "len(s) > 0 → false", "len(s) > 0 → len(s) >= 0", "len(s) > 0 → true"}},
		{"switch {\ncase x:\ncase y:\n}", []string{"x → false", "x → true", "y → false", "y → true"}},
		{"switch k {\ncase one:\ncase two:\n}", []string{"one → no case", "two → no case"}},
		{"for x {\n}", []string{"x → false"}},
		{"for x {\nif y {\nbreak\n}\ncontinue\n}", []string{"break → removed", "continue → removed", "x → false", "y → false", "y → true"}},
		{"_ = a + 2*b", []string{"2 → 2 + 1", "2*b → 2 + b", "_ = a + 2*b → removed", "a + 2*b → a - 2*b"}},
		{"_ = s[:a-1]", []string{"1 → 1 + 1", "_ = s[:a-1] → removed", "a-1 → a + 1"}},
		{"const c = 1 + 2\n_ = [2]int{}", []string{"_ = [2]int{} → removed"}},
		{"g(true)\ng(true)", []string{"g(true) → removed", "g(true) → removed #2", "true → not true", "true → not true #2"}},
		{"a++\nok = x", []string{"a++ → removed", "ok = x → removed", "x → false", "x → true"}},
		{"defer g()\nc := a\n_ = c", []string{"_ = c → removed", "defer g() → removed"}},
		{"// a comment\nif x { // another\n}", []string{"x → false", "x → true"}},
	}
	file := head
	for i, test := range tests {
		file += fmt.Sprintf("\nfunc f%d(a, b int, x, y, z bool, k kind, s []int) (ok bool) {\n%s\nreturn\n}\n", i, test.body)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module example.com/objchange\n\ngo 1.25\n", "a.go": file, "b.go": "package objchange\n\nvar h = true\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	mutants, overlay, err := mutate(dir, []string{"a.go"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compile(dir, ".", t.TempDir(), overlay); err != nil {
		t.Error(err)
	}
	for i, test := range tests {
		var got []string
		for _, m := range mutants {
			if text, ok := strings.CutPrefix(m.text(), fmt.Sprintf("a.go f%d: ", i)); ok {
				got = append(got, text)
			}
		}
		if slices.Sort(got); !slices.Equal(got, test.want) {
			t.Errorf("%s\ngot  %q\nwant %q", test.body, got, test.want)
		}
	}
}

func TestListed(t *testing.T) {
	got := listed("# why\na.go f: x → true\na.go f: x → true #2\n\n# why not\n")
	if want := []string{"a.go f: x → true", "a.go f: x → true #2"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestCompare(t *testing.T) {
	for _, test := range []struct {
		name     string
		survived []string
		listed   []string
		all, ok  bool
	}{
		{"none", nil, nil, true, true},
		{"as listed", []string{"a"}, []string{"a"}, true, true},
		{"not listed", []string{"a", "b"}, []string{"a"}, true, false},
		{"killed by now", nil, []string{"a"}, true, false},
		{"not run", nil, []string{"a"}, false, true},
	} {
		c := tally{counts: map[outcome]int{}, survived: map[string]bool{}}
		for _, text := range test.survived {
			c.survived[text] = true
		}
		if err := c.compare(test.listed, test.all); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
