package print

import "testing"

func TestOneHasNoPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 lines", 1: "1 line", 2: "2 lines"} {
		if got := Plural(n, "line"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
