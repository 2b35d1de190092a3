package words_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ from, valid, printable string }{
		{"größe \ufffd", "größe \ufffd", "größe \ufffd"},
		{"a\xff\xfeb", `a\xff\xfeb`, `a\xff\xfeb`},
		{"half a rune: \xe2\x82", `half a rune: \xe2\x82`, `half a rune: \xe2\x82`},
		{"\x1b[31m\t\n\xff", "\x1b[31m\t\n" + `\xff`, `\x1b[31m\t` + "\n" + `\xff`},
	} {
		if got := words.Valid(test.from); got != test.valid {
			t.Errorf("%q is valid as %q, want %q", test.from, got, test.valid)
		}
		if got := words.Printable(test.from, "\n"); got != test.printable {
			t.Errorf("%q is printable as %q, want %q", test.from, got, test.printable)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range []string{"0 lines", "1 line", "2 lines"} {
		if got := words.Plural(n, "line"); got != want {
			t.Errorf("%d are %q", n, got)
		}
	}
}

func TestLine(t *testing.T) {
	for offset, want := range map[int64]int{0: 1, 1: 1, 2: 2, 3: 3, 9: 3} {
		if got := words.Line([]byte("a\n\nb"), offset); got != want {
			t.Errorf("%d is in line %d", offset, got)
		}
	}
}

func TestProblems(t *testing.T) {
	a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
	if got := words.Problems(errors.Join(errors.Join(a, b), c)); !slices.Equal(got, []error{a, b, c}) {
		t.Errorf("%v", got)
	}
	if got := words.Problems(a); !slices.Equal(got, []error{a}) {
		t.Errorf("%v", got)
	}
}
