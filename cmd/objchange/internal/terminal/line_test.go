package terminal_test

import (
	"bytes"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
)

func TestLine(t *testing.T) {
	clean(t)
	person, tty := open(t, 80)
	line := terminal.New(nil, &bytes.Buffer{}, tty).Line()
	for _, text := range []string{"two", "two", "one"} {
		line.Show(text)
	}
	line.Done()
	line.Done()
	if _, err := tty.WriteString("report"); err != nil {
		t.Fatal(err)
	}
	if said := readUntil(t, person, "report"); said != "\r\x1b[Ktwo\r\x1b[Kone\r\x1b[Kreport" {
		t.Errorf("shows %q", said)
	}
}

// TestLineWithoutTerminal shows nothing where nobody sees it.
func TestLineWithoutTerminal(t *testing.T) {
	_, tty := open(t, 80)
	var out bytes.Buffer
	for term, terminal := range map[string]*terminal.Terminal{"xterm": terminal.New(nil, &out, &out), "dumb": terminal.New(nil, tty, tty)} {
		clean(t)
		t.Setenv("TERM", term)
		if line := terminal.Line(); line != nil {
			t.Errorf("%s: there is a line", term)
		}
	}
	var none *terminal.Line
	none.Show("text")
	none.Done()
}
