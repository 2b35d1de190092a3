// Package testkit has helpers for the tests of several packages: golden files and terminals.
package testkit

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
)

// Update is the flag that rewrites golden files.
var Update = flag.Bool("update", false, "write golden files anew")

// ReadFile returns the content of a file. It ends the test if the file cannot be read.
func ReadFile(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Golden compares the result of a test with a golden file.
func Golden(t testing.TB, name string, got []byte) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(ReadFile(t, name)), string(got)); diff != "" {
		t.Errorf("%s: -update writes it anew (-want +got):\n%s", name, diff)
	}
}

// Parts calls do with the input of each part of a golden file, and compares the output with the
// file. A part is a name, a line of input, and the output without empty lines. The test fails if an
// output contains the secret.
func Parts(t testing.TB, name, secret string, do func(input string) string) {
	t.Helper()
	var all []string
	for part := range strings.SplitSeq(strings.TrimSpace(string(ReadFile(t, name))), "\n\n") {
		title, rest, _ := strings.Cut(part, "\n")
		input, _, _ := strings.Cut(rest, "\n")
		output := do(input)
		all = append(all, strings.TrimRight(fmt.Sprintf("%s\n%s\n%s", title, input, output), "\n"))
		if strings.Contains(output, secret) {
			t.Errorf("%s: shows what is sensitive", title)
		}
	}
	Golden(t, name, []byte(strings.Join(all, "\n\n")+"\n"))
}

// Terminal returns the two ends of a pseudo-terminal with the given number of columns. The first
// end is for the user, the second for the command.
func Terminal(t testing.TB, columns uint16) (person, command *os.File) {
	t.Helper()
	person, command, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = person.Close(); _ = command.Close() })
	if err := pty.Setsize(command, &pty.Winsize{Rows: 25, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	return person, command
}
