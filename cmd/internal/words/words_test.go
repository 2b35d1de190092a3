package words_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/objchange/objchange/cmd/internal/words"
)

func TestValidAndPrintable(t *testing.T) {
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

func TestJSONEscapesControlCharacters(t *testing.T) {
	const hostile = "<ä> \x1b[31m\a\x7f\u009b31m\u202eabc\u2066\u200e\u061c\ufeff\U000e0041 日本 🎉"
	const want = `"<ä> \u001b[31m\u0007\u007f\u009b31m\u202eabc\u2066\u200e\u061c\ufeff\udb40\udc41 日本 🎉"` + "\n"
	text, err := words.JSON(hostile, "")
	if err != nil || string(text) != want {
		t.Errorf("%v, %s, want %s", err, text, want)
	}
	var back string
	if err := json.Unmarshal(text, &back); err != nil || back != hostile {
		t.Errorf("%q, %v", back, err)
	}
	if text, err := words.JSON([]int{1}, "  "); err != nil || string(text) != "[\n  1\n]\n" {
		t.Errorf("%v, %s", err, text)
	}
	if _, err := words.JSON(func() {}, ""); err == nil {
		t.Error("a function was written as JSON")
	}
}

func TestShortAndProblems(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{words.Short("äöüß", 4), "äöüß"},
		{words.Short("äöüßx", 4), "äö … ßx"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
	a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
	if got := words.Problems(errors.Join(errors.Join(a, b), c)); !slices.Equal(got, []error{a, b, c}) {
		t.Errorf("%v", got)
	}
}
