package terminal_test

import (
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ text, valid, printable string }{
		{"größe \ufffd", "größe \ufffd", "größe \ufffd"},
		{"a\xff\xfeb", `a\xff\xfeb`, `a\xff\xfeb`},
		{"half a rune: \xe2\x82", `half a rune: \xe2\x82`, `half a rune: \xe2\x82`},
		{"\x1b[31m\t\n\xff", "\x1b[31m\t\n" + `\xff`, `\x1b[31m\t` + "\n" + `\xff`},
	} {
		if got := terminal.Valid(test.text); got != test.valid {
			t.Errorf("%q is valid as %q, want %q", test.text, got, test.valid)
		}
		if got := terminal.Printable(test.text, "\n"); got != test.printable {
			t.Errorf("%q is printable as %q, want %q", test.text, got, test.printable)
		}
	}
}
