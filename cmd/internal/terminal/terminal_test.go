package terminal_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// clean unsets the environment variables about colour.
func clean(t *testing.T) {
	t.Helper()
	for _, name := range []string{"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "CI", "GOOGLE_CLOUD_SHELL"} {
		t.Setenv(name, "")
	}
	t.Setenv("TERM", "xterm-256color")
}

func TestColourFollowsTheEnvironment(t *testing.T) {
	for _, test := range []struct {
		env               string
		onTerminal, piped bool
	}{
		{"", true, false},
		{"NO_COLOR=1", false, false},
		{"NO_COLOR=1 CLICOLOR_FORCE=1", false, false},
		{"CLICOLOR=0", false, false},
		{"CLICOLOR_FORCE=1", true, true},
		{"TERM=dumb", false, false},
		{"TERM=dumb CLICOLOR_FORCE=1", true, true},
	} {
		t.Run(test.env, func(t *testing.T) {
			clean(t)
			for _, set := range strings.Fields(test.env) {
				name, value, _ := strings.Cut(set, "=")
				t.Setenv(name, value)
			}
			_, tty := testkit.Terminal(t, 80)
			coloured := func(term *terminal.Terminal) bool { return term.Bold("x") != "x" }
			if got := coloured(terminal.New(tty, nil)); got != test.onTerminal {
				t.Errorf("on a terminal: %v", got)
			}
			if got := coloured(terminal.New(&bytes.Buffer{}, tty)); got != test.piped {
				t.Errorf("in a pipe: %v", got)
			}
		})
	}
}

func TestWrapFitsTheTerminal(t *testing.T) {
	const text = "a plan must contain each configured value unchanged, or the prior value"
	for _, test := range []struct {
		width  uint16
		indent int
		want   string
	}{
		{80, 2, text},
		{30, 2, "a plan must contain each\n  configured value unchanged,\n  or the prior value"},
		{30, 8, "a plan must contain each\n        configured value\n        unchanged, or the\n        prior value"},
		{20, 8, text}, // too narrow to wrap
	} {
		_, tty := testkit.Terminal(t, test.width)
		if got := terminal.New(tty, nil).Wrap(text, test.indent); got != test.want {
			t.Errorf("width %d, indent %d: %q", test.width, test.indent, got)
		}
	}
	_, tty := testkit.Terminal(t, 24)
	const names = "plan-not-config plan-unknown-blocks\n  inconsistent-set-element-of-all"
	const wrapped = "plan-not-config\n  plan-unknown-blocks\n    inconsistent-set-element-of-all"
	if got := terminal.New(tty, nil).Wrap(names, 2); got != wrapped {
		t.Errorf("names: %q", got)
	}
	if got := terminal.New(&bytes.Buffer{}, nil).Wrap(text, 2); got != text {
		t.Errorf("in a pipe: %q", got)
	}
}

func TestProseIsNarrowOnTerminals(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat("a word ", 20))
	_, tty := testkit.Terminal(t, 63)
	for want, out := range map[int]io.Writer{62: tty, 99: &bytes.Buffer{}} { // columns of the first line
		got := terminal.New(out, nil).Prose(text)
		if strings.Index(got, "\n") != want || strings.Join(strings.Fields(got), " ") != text {
			t.Errorf("want %d columns:\n%s", want, got)
		}
	}
}

func TestProgressOverwritesItsLine(t *testing.T) {
	person, tty := testkit.Terminal(t, 10)
	term := terminal.New(nil, tty)
	for _, text := range []string{"one", "more than there is room for", ""} {
		term.Progress(text)
	}
	const want = "\rone\x1b[K\rmore than\x1b[K\r\x1b[K"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(person, got); err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	synctest.Test(t, func(t *testing.T) { // with a clock of its own
		var pipe bytes.Buffer
		piped := terminal.New(tty, &pipe)
		for range 5 {
			piped.Progress("one")
			time.Sleep(20 * time.Second)
		}
		if piped.Progress(""); pipe.String() != "one\none\n" {
			t.Errorf("in a pipe: %q", &pipe)
		}
	})
}

func TestMirrorShowsInputOnTerminals(t *testing.T) {
	person, tty := testkit.Terminal(t, 80)
	const in, want = "Enter a value: \x1b]0;x\a", "Enter a value: ?]0;x?"
	read, err := io.ReadAll(terminal.New(nil, tty).Mirror(strings.NewReader(in)))
	if err != nil || string(read) != in {
		t.Errorf("%q, %v", read, err)
	}
	got := make([]byte, len(want))
	if _, err := io.ReadFull(person, got); err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	var pipe bytes.Buffer
	if _, err := io.ReadAll(terminal.New(nil, &pipe).Mirror(strings.NewReader(in))); err != nil || pipe.Len() > 0 {
		t.Errorf("in a pipe: %q, %v", &pipe, err)
	}
}
